#pragma once

#include "studies/scaled_case.hpp"
#include "studies/study_workshop.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry::branchless_dd {

/// A projector of this program on one backend, and what it is called in print.
struct Method {
  std::string printed;  ///< "GPU-BL"; empty: not in print
  std::string key, backend;
  bool on_host() const { return gantry::on_host(backend); }
  std::string label() const { return printed.empty() ? key + ", " + backend : printed; }
};

const Method& on_cpu();  ///< distance_driven, the CPU-32 of the paper
const Method& ours();    ///< the program's own distance-driven pair on a GPU
const Method& gpu_bl();
const Method& gpu_bz();
const Method& gpu_db();
const Method& gpu_bs();

/// A scan with its grid; the name says what it is.
using Setting = BenchCase;

/// The study's workshop, with its methods and the scanner in print.
class Workshop : public StudyWorkshop {
 public:
  /// Throws UsageError without a catalogue and backends.
  explicit Workshop(const StudyOptions& options);

  bool has(const Method& method) const;
  /// Those of the paper's methods and of ours that this machine has, the processor's first.
  std::vector<Method> available(const std::vector<Method>& methods) const;
  Backend& backend(const Method& method) const { return backends().resolve(method.backend); }

  /// A projector that gives way when the study is interrupted.
  std::unique_ptr<Projector> make(const Method& method, const Setting& setting,
                                  const Params& params = {}) const;
  /// The scanner of Table I at the study's scale. The volume is 500 mm wide, 0.625 mm a slice, with
  /// as many rows of cells as slices.
  Setting scanner(int views = 984, int side = 512, int slices = 64) const;
};

}  // namespace gantry::branchless_dd
