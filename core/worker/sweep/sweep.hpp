#pragma once

#include "core/centring/slice_sharpness.hpp"
#include "core/worker/sweep/trial.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A number that can take several values: of a run's method or prior, of the scan, or of one of the
/// corrections of a measured scan.
struct SweepParam {
  enum class Of { prior, solver, scan, correction };
  Of of = Of::solver;
  ParamSpec spec;
  double present = 0;  ///< its value in the experiment
  /// Gives it another value in an experiment, for the run of this index.
  std::function<void(Experiment&, std::size_t run, double value)> set = {};
  std::size_t correction = 0;  ///< which one, for Of::correction

  /// Returns "prior:weight", "solver:relaxation", "scan:views", "correction:0:width".
  std::string id() const;
  /// Whether each of its values needs data of its own.
  bool changes_data() const { return of == Of::scan || of == Of::correction; }
  /// Whether a wrong value blurs the slices or adds streaks to them, and no more: the central
  /// column and the tilt of the detector of a measured scan.
  bool is_alignment() const;
  bool is_central_column() const;
  /// Whether it is the weight of a penalty, of which there is an L-curve.
  bool is_weight() const;
};

/// Returns the numbers that a run can be repeated with: those of its prior and of its method that
/// have an effect; then, where the scan is simulated, its number of views and its photons, or,
/// where it was measured, the central column, the tilt of a detector of several rows in its plane,
/// the distance from the source to the axis, and the numbers of its corrections. `data` are those
/// of the experiment, and may be null if none are ready.
std::vector<SweepParam> sweep_params(const Experiment& experiment, std::size_t run,
                                     const ExperimentData* data, const Catalog& catalog);

/// Returns `count` values from `from` to `to`, at equal steps or, if `logarithmic`, at equal
/// ratios; the value nearest to `present`, if that lies between them, becomes `present`, so that
/// the others can be compared with what is set. Where the nearest is an end, the ends stay as they
/// are given, and `present` is one value more. Throws UsageError unless count is at least 2, the
/// range is not empty, and a logarithmic one is above 0.
std::vector<double> sweep_values(double from, double to, int count, bool logarithmic,
                                 std::optional<double> present = std::nullopt);

/// Returns the experiment with another value of a parameter, for the run of this index; rounded for
/// whole numbers, and within the parameter's limits.
Experiment with_value(Experiment experiment, std::size_t run, const SweepParam& param,
                      double value);

/// What a run gave with one value of a parameter.
struct SweepPoint : TrialResult {
  double value = 0;
  SliceSharpness slice = {};  ///< of the middle slice of `image`
};

/// Called after each iteration of the value that is being computed, with its number.
using SweepProgress = std::function<void(int iteration)>;

/// Repeats the run of this index with each of the values, `iterations` of it, and tells each
/// result; for the central column of a scan of several rows, the slices of AxisSlices. With a
/// parameter of the scan or of a correction the data are made anew for each value, else they are
/// `data`. Values with which the run fails give points with the reason. Throws Interrupted.
void sweep(const Experiment& experiment, std::size_t run, const SweepParam& param,
           const std::vector<double>& values, int iterations,
           const std::shared_ptr<const ExperimentData>& data, Trials trials,
           const std::function<void(SweepPoint)>& tell, const SweepProgress& progress = {});

}  // namespace gantry
