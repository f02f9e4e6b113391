#pragma once

#include "core/worker/sweep/criterion.hpp"
#include "core/worker/sweep/sweep.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// A number by which the points of a sweep are compared.
struct SweepMeasure {
  std::string label, unit, help;
  bool smaller_is_better = true;
  /// Whether the best value of this measure tells the best point. The residual does not: it only
  /// says how well the data, with their noise, are fitted.
  bool says_best = true;
  bool of_reference = false;  ///< whether it compares the image with a reference
  std::function<double(const SweepPoint&)> value;  ///< NaN where it is not known
};

/// Returns the criteria of the catalogue, of the last iterates, then two measures of the middle
/// slices: the share of negative values and the strength of the gradients (slice_sharpness.hpp).
std::vector<SweepMeasure> sweep_measures(const Catalog& catalog);

/// Returns the index of the default measure: the first metric against a reference if there is one;
/// for the axis of a measured scan, the measure of slices in which its errors show (see
/// slice_sharpness.hpp); else the residual. The tilt of the detector hardly changes these measures
/// of the middle slice.
std::size_t usual_measure(const std::vector<SweepMeasure>& all, const SweepParam* param,
                          const ExperimentData& data);

/// The best point of a sweep, and the reason why it is best.
struct SweepBest {
  std::size_t point = 0;
  std::string reason;  ///< "least RMSE", "corner of the L-curve"
  bool is_corner = false;
};

/// Returns the best point: the one with the least or greatest value of a measure that tells the
/// best point; else, if the values are ascending weights of a penalty and the method reports data
/// term and penalty, the corner of the L-curve. Returns nothing where neither is known.
std::optional<SweepBest> best_point(const std::vector<SweepPoint>& points,
                                    const SweepMeasure& measure, bool varies_weight);

/// Returns the L-curve of points whose method reports its objective: ||b - A x||_W^2 and R(x), each
/// up to a factor; NaN where unknown. `varies_weight`: the value of the point is the weight of
/// the penalty, by which the reported penalty is divided.
std::pair<double, double> l_curve_point(const SweepPoint& point, bool varies_weight);

/// Returns the index of the corner of a falling curve: in logarithmic coordinates, each divided by
/// the extent of the curve, the point that lies furthest below the chord from its first to its last
/// point. Satopaa et al., ICDCS Workshops (2011) 166, for any curve. Unlike the curvature through
/// neighbours (Hansen and O'Leary, SIAM J. Sci. Comput. 14 (1993) 1487), this distance is not
/// dominated by points that lie close together. Returns nothing for fewer than three points above
/// 0, and for a curve that does not fall, is straight, or bends only away from the origin.
std::optional<std::size_t> corner(const std::vector<std::pair<double, double>>& curve);

}  // namespace gantry
