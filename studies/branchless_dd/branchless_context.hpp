#pragma once

#include "studies/scaled_case.hpp"
#include "studies/study_context.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry::branchless_dd {

/// A projector of the program on one backend, and its name in print.
struct Method {
  std::string printed;  ///< "GPU-BL"; empty: not in print
  std::string key, backend;
  bool on_host() const { return gantry::on_host(backend); }
  std::string label() const { return printed.empty() ? key + ", " + backend : printed; }
};

const Method& on_cpu();  ///< distance_driven, the CPU-32 of the paper
const Method& ours();    ///< the program's own distance-driven pair on a GPU
/// The branchless form of the pair on the CPU, in float32 without texture units; it stands in the
/// place of GPU-BL's images where there is no GPU.
const Method& cpu_branchless();
const Method& gpu_bl();
const Method& gpu_bz();
const Method& gpu_db();
const Method& gpu_bs();

/// A scan with its grid; the name describes it.
using Setting = BenchCase;

/// The common base of the study: the methods and the scanner of the paper.
class BranchlessContext : public StudyContext {
 public:
  /// Throws UsageError without a catalogue and backends.
  explicit BranchlessContext(const StudyOptions& options);

  bool has(const Method& method) const;
  /// Returns those of `methods` that this computer can run, in their order.
  std::vector<Method> available(const std::vector<Method>& methods) const;
  /// Returns a value of a method as a cell; an empty one of a method that this computer cannot run
  /// says what is missing.
  StudyCell of(const Method& method, const StudyCell& value) const;
  Backend& backend(const Method& method) const { return backends().resolve(method.backend); }

  /// Makes the projector of a method, whose computations check for the study's interrupt. Throws
  /// Interrupted.
  std::unique_ptr<Projector> make(const Method& method, const Setting& setting,
                                  const Params& params = {}) const;
  /// Returns the scanner of Table I at the study's scale. The volume is 500 mm wide with slices of
  /// 0.625 mm; the detector has as many rows as the volume has slices.
  Setting scanner(int views = 984, int side = 512, int slices = 64) const;

  /// Adds a line to against_print unless print has no number; `unit` is "s", "GUPS" or "x", and
  /// `unlike` as for StudyTable::compare at full scale. Where CPU-32 has other threads than 32, its
  /// lines say so.
  void add_line(const std::string& part, const std::string& what, const std::string& unit,
                const StudyCell& printed, const StudyCell& here,
                const std::string& unlike = like_for_like);
  /// The study's last table: the numbers of Tables II to V that are measured here.
  StudyTable against_print =
      StudyTable::comparing("against-print", "Tables II to V in print and here",
                            {{"part", ""}, {"what", ""}, {"in", ""}}, "");
};

}  // namespace gantry::branchless_dd
