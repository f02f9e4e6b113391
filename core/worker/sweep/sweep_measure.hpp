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

/// What the points of a sweep are compared by.
struct SweepMeasure {
  std::string label, unit, help;
  bool smaller_is_better = true;
  /// Whether the best value is that of the best point. The residual only says how well the data,
  /// with their noise, are fitted.
  bool says_best = true;
  bool of_reference = false;  ///< whether it compares the image with a reference
  std::function<double(const SweepPoint&)> value;  ///< NaN where it is not known
};

/// Returns the criteria of the catalogue, of the last iterates, then two measures of the middle
/// slices: the share of negative values and the strength of the gradients (slice_sharpness.hpp).
std::vector<SweepMeasure> sweep_measures(const Catalog& catalog);

/// Returns the index of the measure that is used unless the user chooses: the first metric against
/// a reference if there is one; for the alignment of a measured scan, the one of slices that says
/// its errors show in; else the residual.
std::size_t usual_measure(const std::vector<SweepMeasure>& all, const SweepParam* param,
                          const ExperimentData& data);

/// Which point of a sweep is best, and by what.
struct SweepBest {
  std::size_t point = 0;
  std::string reason;  ///< "least RMSE", "corner of the L-curve"
  bool is_corner = false;
};

/// Returns the best point: by a measure that says so, that of its least or greatest value; else, if
/// the values are ascending weights of a penalty and the method reports data term and penalty, the
/// corner of the L-curve. Returns nothing where neither is known.
std::optional<SweepBest> best_point(const std::vector<SweepPoint>& points,
                                    const SweepMeasure& measure, bool varies_weight);

/// Returns the L-curve of points whose method reports its objective: ||b - A x||_W^2 and R(x), each
/// up to a factor; NaN where unknown. `varies_weight`: the value of the point is the weight of
/// the penalty, by which the reported penalty is divided.
std::pair<double, double> l_curve_point(const SweepPoint& point, bool varies_weight);

/// Returns the index of the corner of a falling curve: in logarithmic coordinates, each divided by
/// the extent of the curve, the point that lies furthest below the chord from its first to its last
/// point. Satopaa et al., ICDCS Workshops (2011) 166, for any curve. Unlike the curvature through
/// neighbours (Hansen and O'Leary, SIAM J. Sci. Comput. 14 (1993) 1487), it is not led by points
/// that lie close together. Returns nothing for fewer than three points above 0, and for a curve
/// that does not fall, is straight, or bends away from the origin alone.
std::optional<std::size_t> corner(const std::vector<std::pair<double, double>>& curve);

}  // namespace gantry
