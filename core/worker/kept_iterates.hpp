#pragma once

#include "core/job/run_progress.hpp"
#include "core/worker/rounded_image.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace gantry {

/// The state of a run after an iteration, from which the run can be shown and continued: exactly,
/// or, if only its rounded image is kept, by starting the method anew from that.
struct KeptIterate {
  int iteration = 0;
  std::shared_ptr<const RunProgress> progress;  ///< never null; without arrays if it is rounded
  std::shared_ptr<const RoundedImage> rounded = nullptr;  ///< null: the whole state is kept exactly

  bool is_exact() const { return rounded == nullptr; }
  /// Returns the estimate, [z][y][x], 1/mm; makes a new copy if it is rounded.
  std::shared_ptr<const std::vector<float>> image() const;
  /// Returns the progress from which a run goes on.
  std::shared_ptr<const RunProgress> start() const;
  std::size_t bytes() const;
};

/// Iterates in ascending order. Lists are never changed, so that threads may have them in common.
using IterateList = std::vector<KeptIterate>;

/// The iterates of one run that are kept: all while they fit into a budget of memory and of time;
/// then every second one, then every fourth, and so on, and always the first of all. Belongs to one
/// thread.
class KeptIterates {
 public:
  struct Budget {
    std::size_t bytes = 0, count = 0;  ///< of all iterates
    /// Limit of the time for copies: so many seconds plus this fraction of the run's own. Where
    /// copies of all would exceed it, so few are kept from then on that they take the fraction.
    double seconds = 0, share = 0;
  };
  explicit KeptIterates(Budget budget) : budget_(budget) {}

  /// Keeps the iterate that `copy` returns, unless the iteration is left out to save memory or
  /// time, and drops others where the budget is exceeded. Returns whether the list has changed.
  /// `copy` may throw; nothing is kept then.
  bool keep(int iteration, double run_seconds,
            const std::function<std::shared_ptr<const RunProgress>()>& copy);
  /// Sets whether iterates that are kept from now on are rounded images, which take half the memory
  /// of an image, instead of exact states.
  void set_rounds(bool rounds) { rounds_ = rounds; }
  /// Starts with the iterates of a run that is continued, up to an iteration.
  void begin_with(const IterateList& earlier, int last_iteration);

  const std::shared_ptr<const IterateList>& list() const { return list_; }
  std::size_t bytes() const;

 private:
  void add(KeptIterate iterate);
  bool thin_for_time(double affordable_s);
  void widen_step(IterateList& list);
  bool is_in_step(int iteration) const { return iteration == 1 || iteration % step_ == 0; }

  Budget budget_;
  double spent_s_ = 0, last_s_ = 0;  // on copies: in total, and on the last
  int copies_ = 0;
  bool rounds_ = false;
  std::int64_t step_ = 1;  // every so many iterations one is kept
  std::shared_ptr<const IterateList> list_ = std::make_shared<const IterateList>();
};

}  // namespace gantry
