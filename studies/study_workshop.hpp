#pragma once

#include "core/backend/backend_list.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/catalog/catalog.hpp"
#include "studies/study.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// Whether a backend of this key computes on the processor, which studies time, describe and hold
/// against print in another way than devices. By its key: tests let the processor stand for a
/// device.
inline bool on_host(const std::string& backend) { return backend == "cpu"; }

/// What a study of the program itself works with: the machine's devices, the scale, and whoever
/// watches.
class StudyWorkshop {
 public:
  /// Without a scale given it is 1 where there is a CUDA device, else `scale_without_gpu`. Throws
  /// UsageError without a catalogue and backends.
  StudyWorkshop(const StudyOptions& options, std::string study, double scale_without_gpu);

  const std::string& study() const { return study_; }
  bool has_gpu() const { return gpu_; }
  double scale() const { return scale_; }
  int iterations(int wanted) const;
  const Catalog& catalog() const { return *options_.catalog; }
  const BackendList& backends() const { return *options_.backends; }
  const Interrupt* interrupt() const { return options_.interrupt; }
  bool wants(const std::string& part) const;
  bool wants_size(int side) const;
  const std::vector<int>& sizes() const { return options_.sizes; }
  const std::vector<StudyPicture>& pictures() const { return options_.pictures; }
  /// Of sizes in print, which have a `side` of pixels, those that are wanted.
  template <class Sizes>
  auto wanted_sizes(const Sizes& printed) const {
    std::vector<typename Sizes::value_type> wanted;
    for (const auto& size : printed)
      if (wants_size(size.side)) wanted.push_back(size);
    return wanted;
  }
  /// Throws UsageError for parts asked for that are none of `keys`.
  void require_known_parts(const std::vector<std::string>& keys) const;
  /// The same for sizes.
  void require_known_sizes(const std::vector<int>& sides) const;
  template <class Sizes>
  void require_sizes_of(const Sizes& printed) const {
    std::vector<int> sides;
    for (const auto& size : printed) sides.push_back(size.side);
    require_known_sizes(sides);
  }
  /// "CPU, 8 threads; NVIDIA H200"
  std::string devices() const;

  /// Throws Interrupted when asked to give way.
  void check_interrupt() const;
  /// Tells what comes next; also gives way.
  void say(const std::string& what) const;
  void set_done(double done) { done_ = done; }
  /// Shows what there is so far: the result, and a table that is not in it yet.
  void show(const StudyResult& result, const StudyTable& growing) const;

 private:
  StudyOptions options_;
  std::string study_;
  bool gpu_ = false;
  double scale_ = 1, done_ = 0;
};

/// A part of a study, which can be computed alone. It adds its tables and charts to the result.
template <class Workshop>
struct StudyPart {
  std::string key;
  void (*compute)(Workshop&, StudyResult&);
  double share;  ///< of the whole study's time, about
};

/// Those parts that are wanted, in order.
template <class Workshop>
void compute_parts(Workshop& workshop, const std::vector<StudyPart<Workshop>>& parts,
                   StudyResult& result) {
  double all = 0, done = 0;
  for (const auto& part : parts) all += workshop.wants(part.key) ? part.share : 0;
  for (const auto& part : parts) {
    if (!workshop.wants(part.key)) continue;
    workshop.set_done(done / all);
    part.compute(workshop, result);
    done += part.share;
  }
}

/// A study that consists of parts: its notes, then what is wanted of it. Throws UsageError for
/// parts that it does not have.
template <class Workshop>
StudyResult compute_study(Workshop& workshop, void (*add_notes)(const Workshop&, StudyResult&),
                          const std::vector<StudyPart<Workshop>>& parts) {
  std::vector<std::string> keys;
  for (const auto& part : parts) keys.push_back(part.key);
  workshop.require_known_parts(keys);
  StudyResult result;
  add_notes(workshop, result);
  compute_parts(workshop, parts, result);
  return result;
}

/// Does the work. Why it was refused, in a line, where something does not qualify for it or memory
/// does not suffice; else empty.
std::string why_refused(const std::function<void()>& work);

/// What `work` returns; nothing where memory does not suffice for it.
template <class Work>
auto if_it_fits(const Work& work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const OutOfMemory&) {
    return {};
  }
}

}  // namespace gantry
