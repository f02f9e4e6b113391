#pragma once

#include "core/backend/backend_list.hpp"
#include "core/base/interrupt.hpp"
#include "core/catalog.hpp"
#include "core/geometry/bench_cases.hpp"
#include "core/studies/study.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry::branchless_dd {

/// A projector of this program on one backend, and what it is called in print.
struct Method {
  std::string printed;  ///< "GPU-BL"; empty: not in print
  std::string key, backend;
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

/// The same with all numbers of cells, views and voxels times `scale`, over the same lengths.
Setting scaled(const Setting& setting, double scale);

/// What the study works with: the machine's devices, the scale, and whoever watches.
class Workshop {
 public:
  /// Throws UsageError without a catalogue and backends.
  explicit Workshop(const StudyOptions& options);

  bool has_gpu() const { return gpu_; }
  bool has(const Method& method) const;
  /// Those of the paper's methods and of ours that this machine has, the processor's first.
  std::vector<Method> available(const std::vector<Method>& methods) const;
  double scale() const { return scale_; }
  int iterations(int wanted) const;
  const Catalog& catalog() const { return *options_.catalog; }
  const BackendList& backends() const { return *options_.backends; }
  Backend& backend(const Method& method) const { return backends().resolve(method.backend); }
  const Interrupt* interrupt() const { return options_.interrupt; }
  bool wants(const std::string& part) const;

  /// A projector that gives way when the study is interrupted.
  std::unique_ptr<Projector> make(const Method& method, const Setting& setting,
                                  const Params& params = {}) const;
  /// The scanner of Table I at the study's scale. The volume is 500 mm wide, 0.625 mm a slice, with
  /// as many rows of cells as slices.
  Setting scanner(int views = 984, int side = 512, int slices = 64) const;

  /// Throws Interrupted when asked to give way.
  void give_way() const;
  /// Tells what comes next; also gives way.
  void say(const std::string& what) const;
  void set_done(double done) { done_ = done; }

 private:
  StudyOptions options_;
  bool gpu_ = false;
  double scale_ = 1, done_ = 0;
};

}  // namespace gantry::branchless_dd
