#pragma once

#include "core/job/reconstruction_job.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// A parameter of a run that can take several values: a number of its method or of its prior.
struct SweepParam {
  bool is_of_prior = false;
  ParamSpec spec;
  double present = 0;  ///< its value in the run
};

/// Returns the numbers that a run can be repeated with: those of the prior before those of the
/// method.
std::vector<SweepParam> sweep_params(const RunSettings& run, const Catalog& catalog);

/// Returns `count` values from `from` to `to`, at equal steps or, if `logarithmic`, at equal
/// ratios. Throws UsageError unless count is at least 2, the range is not empty, and a logarithmic
/// one is above 0.
std::vector<double> sweep_values(double from, double to, int count, bool logarithmic);

/// Returns the run with another value of a parameter, rounded for whole numbers.
RunSpec with_value(RunSpec run, const SweepParam& param, double value);

/// What a run gave with one value of a parameter.
struct SweepPoint {
  double value = 0;
  std::vector<float> image;  ///< the last iterate, 1/mm, [iz][iy][ix]; empty if the run failed
  HistoryEntry last;         ///< of its last iteration
  std::string problem;       ///< why it failed; empty: it did not
};

/// Repeats a run with each of the values and tells each result. Values with which the run fails
/// give points with the reason. Throws Interrupted.
void sweep(const RunSpec& run, const SweepParam& param, const std::vector<double>& values,
           const std::shared_ptr<const ExperimentData>& data, const MetricsSpec& metrics,
           const Catalog& catalog, const BackendList& backends, const Interrupt& interrupt,
           const std::function<void(SweepPoint)>& tell);

/// Which point of a sweep is best, and by what.
struct SweepBest {
  std::size_t point = 0;
  std::string reason;  ///< "least RMSE", "corner of the L-curve"
};

/// Returns the best point: that of least RMSE where the truth is known; else, if the values are
/// ascending weights of a penalty and the method reports data term and penalty, the corner of the
/// L-curve. Returns nothing where neither is known.
std::optional<SweepBest> best_point(const std::vector<SweepPoint>& points, bool varies_weight);

/// Returns the L-curve of points whose method reports its objective: ||b - A x||_W^2 and R(x), each
/// up to a factor; NaN where unknown. `varies_weight`: the value of the point is the weight of
/// the penalty, by which the reported penalty is divided.
std::pair<double, double> l_curve_point(const SweepPoint& point, bool varies_weight);

/// Returns the index of the point of greatest curvature towards the origin of a falling curve in
/// logarithmic coordinates, by the circle through each point and its neighbours (Menger curvature);
/// the ends have none. Hansen
/// and O'Leary, SIAM J. Sci. Comput. 14 (1993) 1487, for the L-curve. Returns nothing for
/// fewer than three points above 0, and for a curve that bends away from the origin alone.
std::optional<std::size_t> corner(const std::vector<std::pair<double, double>>& curve);

}  // namespace gantry
