#pragma once

#include "core/job/run_progress.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace gantry {

/// The state of a run after an iteration, from which the run can be shown and continued exactly.
struct KeptIterate {
  int iteration = 0;
  std::shared_ptr<const RunProgress> progress;  ///< never null
};

/// Iterates in ascending order. Lists are never changed, so that threads may have them in common.
using IterateList = std::vector<KeptIterate>;

/// The iterates of one run that are kept: all while they fit into a budget of memory; then every
/// second one, then every fourth, and so on, and always the first of all. Belongs to one thread.
class KeptIterates {
 public:
  struct Budget {
    std::size_t bytes = 0, count = 0;  ///< of all iterates
    /// Limit of the time for copies: so many seconds plus this fraction of the run's own.
    double seconds = 0, share = 0;
  };
  explicit KeptIterates(Budget budget) : budget_(budget) {}

  /// Keeps the iterate that `copy` returns, unless the iteration is left out to save memory or
  /// time, and drops others where the budget is exceeded. Returns whether the list has changed.
  /// `copy` may throw; nothing is kept then.
  bool keep(int iteration, double run_seconds,
            const std::function<std::shared_ptr<const RunProgress>()>& copy);
  /// Starts with the iterates of a run that is continued, up to an iteration.
  void begin_with(const IterateList& earlier, int last_iteration);

  const std::shared_ptr<const IterateList>& list() const { return list_; }
  std::size_t bytes() const;

 private:
  void add(std::shared_ptr<const RunProgress> progress);
  bool is_in_step(int iteration) const { return iteration == 1 || iteration % step_ == 0; }

  Budget budget_;
  double spent_s_ = 0, last_s_ = 0;  // on copies: in total, and on the last
  int step_ = 1;                     // every so many iterations one is kept
  std::shared_ptr<const IterateList> list_ = std::make_shared<const IterateList>();
};

/// Returns the memory of the arrays of a run's state, bytes.
std::size_t bytes_of(const RunProgress& progress);

}  // namespace gantry
