#pragma once

#include "core/centring/slice_sharpness.hpp"
#include "core/job/value_range.hpp"
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
  /// Sets the number in an experiment to another value, for the run of this index.
  std::function<void(Experiment&, std::size_t run, double value)> set = {};
  std::size_t correction = 0;  ///< which one, for Of::correction

  /// Returns "prior:weight", "solver:relaxation", "scan:views", "correction:0:width".
  std::string id() const;
  /// Whether each of its values needs data of its own.
  bool changes_data() const { return of == Of::scan || of == Of::correction; }
  bool is_central_column() const;
  bool is_tilt() const;  ///< of the detector in its plane
  /// Whether it is the weight of a penalty, of which there is an L-curve.
  bool is_weight() const;
};

/// Returns the numbers that a sweep of a run can vary: the parameters of its prior and method that
/// have an effect; then, for a simulated scan, the number of views and the photons; for a measured
/// scan, the central column, the tilt of a detector of several rows in its plane, the distance from
/// the source to the axis, and the parameters of its corrections. `data` are those of the
/// experiment, and may be null if none are ready.
std::vector<SweepParam> sweep_params(const Experiment& experiment, std::size_t run,
                                     const ExperimentData* data, const Catalog& catalog);

/// Returns a range of a parameter that a sweep is worth: see range_worth_trying(); of a correction,
/// one that is near the present value. Nothing for a parameter without a range.
std::optional<ValueRange> range_to_sweep(const SweepParam& param);

/// Returns `count` values from `from` to `to`, at equal steps or, if `logarithmic`, at equal
/// ratios. If `present` lies in the range, the nearest value is replaced by it, so that the others
/// can be compared with the present setting; if the nearest value is an end, it stays as given, and
/// `present` is added as one more value. Throws UsageError unless count is at least 2, the range is
/// not empty, and a logarithmic range is above 0.
std::vector<double> sweep_values(double from, double to, int count, bool logarithmic,
                                 std::optional<double> present = std::nullopt);

/// Returns the experiment with another value of a parameter, for the run of this index; rounded for
/// whole numbers, and within the parameter's limits.
Experiment with_value(Experiment experiment, std::size_t run, const SweepParam& param,
                      double value);

/// The result of a run with one value of a parameter.
struct SweepPoint : TrialResult {
  double value = 0;
  SliceSharpness slice = {};  ///< of the middle slice of `image`
};

/// Called after each iteration of the value that is being computed, with its number.
using SweepProgress = std::function<void(int iteration)>;

/// Repeats the run of this index with each of the values, for `iterations`, and passes on each
/// result; for the central column and the tilt of a scan of several rows, and for a correction,
/// these are slices of MiddleSlices, where it has some. For other parameters of the scan, the data
/// are made anew for each value, else `data` are used. If the run fails with a value, the point
/// states the reason. Throws Interrupted.
void sweep(const Experiment& experiment, std::size_t run, const SweepParam& param,
           const std::vector<double>& values, int iterations,
           const std::shared_ptr<const ExperimentData>& data, Trials trials,
           const std::function<void(SweepPoint)>& tell, const SweepProgress& progress = {});

}  // namespace gantry
