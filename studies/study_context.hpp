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

/// What stands in place of a value that only a CUDA device gives, where there is none.
inline constexpr const char* needs_cuda = "needs a CUDA device";

/// Returns whether a backend with this key counts as the CPU, which studies time, describe and
/// compare with print differently from devices. The key decides, because tests let a CPU backend
/// take the role of a device.
inline bool on_host(const std::string& backend) { return backend == host_key; }

/// Returns the names of the devices that there are, the CPU's first.
std::vector<std::string> device_names(const BackendList& backends);
/// Returns whether there is a CUDA device that works.
bool has_gpu(const BackendList& backends);

/// Returns the selected sizes of a study that knows `sides`, pixels per side; empty: all. Throws
/// UsageError if one is not known; among sizes for several studies, leaves these out and throws if
/// none remains.
std::vector<int> known_sizes(const StudyOptions& options, const std::string& study,
                             const std::vector<int>& sides);

/// What a study that runs the program's algorithms works with: devices, scale, selected parts and
/// sizes, interrupt and progress.
class StudyContext {
 public:
  /// Takes the scale from the options; without one the scale is 1 with a CUDA device and
  /// `scale_without_gpu` otherwise. Throws UsageError without a catalogue and backends.
  StudyContext(const StudyOptions& options, std::string study, double scale_without_gpu);

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
  /// Returns the realisations of the noise that were asked for, or 1 to `usual`.
  std::vector<int> seeds(int usual) const;
  const std::vector<StudyPicture>& pictures() const { return options_.pictures; }
  /// Returns those of the printed sizes that are selected; a size has a member `side`, pixels per
  /// side.
  template <class Sizes>
  auto wanted_sizes(const Sizes& printed) const {
    std::vector<typename Sizes::value_type> wanted;
    for (const auto& size : printed)
      if (wants_size(size.side)) wanted.push_back(size);
    return wanted;
  }
  /// Throws UsageError if a selected part is not one of `keys`; among parts for several studies,
  /// leaves out those that are not.
  void require_known_parts(const std::vector<std::string>& keys);
  /// The same for sizes.
  void require_known_sizes(const std::vector<int>& sides);
  template <class Sizes>
  void require_sizes_of(const Sizes& printed) {
    std::vector<int> sides;
    for (const auto& size : printed) sides.push_back(size.side);
    require_known_sizes(sides);
  }
  std::vector<std::string> device_names() const { return gantry::device_names(backends()); }
  /// Returns those on which the methods run. A study that does not use all of them hides this.
  std::vector<std::string> method_devices() const { return device_names(); }
  /// Returns e.g. "CPU, 8 threads; NVIDIA H200".
  std::string devices() const;

  /// Throws Interrupted if an interrupt is raised.
  void check_interrupt() const;
  /// Reports what comes next; also checks for an interrupt. Throws Interrupted.
  void say(const std::string& what) const;
  void set_done(double done) { done_ = done; }
  /// Reports the results so far: `result`, and a table that is not part of it yet.
  void show(const StudyResult& result, const StudyTable& growing) const;

 private:
  StudyOptions options_;
  std::string study_;
  bool gpu_ = false;
  double scale_ = 1, done_ = 0;
};

/// A part of a study, which can be computed alone. compute adds tables and charts to the result.
template <class Context>
struct StudyPart {
  std::string key;
  void (*compute)(Context&, StudyResult&);
  double share;  ///< approximate part of the time of the whole study
};

/// Computes the selected parts in order.
template <class Context>
void compute_parts(Context& context, const std::vector<StudyPart<Context>>& parts,
                   StudyResult& result) {
  double all = 0, done = 0;
  for (const auto& part : parts) all += context.wants(part.key) ? part.share : 0;
  for (const auto& part : parts) {
    if (!context.wants(part.key)) continue;
    context.set_done(done / all);
    part.compute(context, result);
    done += part.share;
  }
}

/// Computes a study that consists of parts: its notes, then the selected parts. Throws UsageError
/// if a selected part does not exist.
template <class Context>
StudyResult compute_study(Context& context, void (*add_notes)(const Context&, StudyResult&),
                          const std::vector<StudyPart<Context>>& parts) {
  std::vector<std::string> keys;
  for (const auto& part : parts) keys.push_back(part.key);
  context.require_known_parts(keys);
  StudyResult result;
  result.scale = context.scale();
  result.devices = context.method_devices();
  add_notes(context, result);
  compute_parts(context, parts, result);
  return result;
}

/// Returns why a value of `scale` times the printed numbers of pixels, rays and views is not like
/// the printed one: "another size: 0.125 of print's"; like_for_like at scale 1.
std::string another_size(double scale);
/// The same for images of `side` and `printed` pixels a side.
std::string another_size(int side, int printed);

/// Calls `work`. Returns the reason, in one line, where `work` throws UsageError (something does
/// not qualify) or OutOfMemory; otherwise an empty text.
std::string why_refused(const std::function<void()>& work);

/// Returns the result of `work`; nothing where memory does not suffice.
template <class Work>
auto if_it_fits(const Work& work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const OutOfMemory&) {
    return {};
  }
}

}  // namespace gantry
