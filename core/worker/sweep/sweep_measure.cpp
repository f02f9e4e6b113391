#include "core/worker/sweep/sweep_measure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gantry {

namespace {

/// Least depth of a corner below the chord, in parts of the curve's extent; a curve with a
/// shallower bend counts as straight.
constexpr double least_depth = 0.01;
constexpr const char *negative_label = "Negative values", *gradient_label = "Sharpness";

}  // namespace

std::vector<SweepMeasure> sweep_measures(const Catalog& catalog) {
  std::vector<SweepMeasure> all;
  for (Criterion& one : criteria(catalog))
    all.push_back(
        {one.label, one.unit, one.help, one.smaller_is_better, one.needs.has_value(),
         one.needs == MetricNeeds::reference,
         [value = std::move(one.value)](const SweepPoint& point) { return value(point.last()); }});
  all.push_back({negative_label, "",
                 "Negative values of the middle slice, relative to the sum of all. A wrong axis "
                 "adds them in the streaks of half a turn",
                 true, true, false, [](const SweepPoint& point) {
                   // A method that keeps its values above 0 has none, whatever the axis.
                   return point.slice.negativity > 0 ? point.slice.negativity : nan_value;
                 }});
  all.push_back({gradient_label, "1/mm²",
                 "Root of the mean square of the gradient in the middle slice. A wrong axis blurs "
                 "the edges of a whole turn",
                 false, true, false, [](const SweepPoint& point) { return point.slice.gradient; }});
  return all;
}

std::size_t usual_measure(const std::vector<SweepMeasure>& all, const SweepParam* param,
                          const ExperimentData& data) {
  if (data.reference == nullptr && param != nullptr && param->is_central_column()) {
    const char* label =
        negative_values_show_axis(data.geometry->spec()) ? negative_label : gradient_label;
    const auto found = std::ranges::find(all, label, &SweepMeasure::label);
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  }
  const auto found = std::ranges::find_if(all, [&](const SweepMeasure& one) {
    return data.reference != nullptr ? one.of_reference : !one.says_best;
  });
  return found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
}

std::pair<double, double> l_curve_point(const SweepPoint& point, bool varies_weight) {
  const Objective objective = point.last().report.objective;
  return {2 * objective.data, varies_weight ? objective.penalty / point.value : objective.penalty};
}

std::optional<std::size_t> corner(const std::vector<std::pair<double, double>>& curve) {
  const auto is_above_0 = [](const auto& point) { return point.first > 0 && point.second > 0; };
  const auto first = std::ranges::find_if(curve, is_above_0);
  const auto last = std::find_if(curve.rbegin(), curve.rend(), is_above_0);
  if (first == curve.end()) return std::nullopt;
  const double width = std::log(last->first / first->first),
               height = std::log(first->second / last->second);
  if (!(width > 0) || !(height > 0)) return std::nullopt;  // it does not fall
  std::optional<std::size_t> best;
  double furthest = least_depth;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (!is_above_0(curve[i])) continue;
    // From the first point, at (0, 1), the chord falls to the last one, at (1, 0).
    const double x = std::log(curve[i].first / first->first) / width,
                 y = std::log(curve[i].second / last->second) / height,
                 depth = (1 - x - y) / std::numbers::sqrt2;
    if (!(depth > furthest)) continue;
    furthest = depth;
    best = i;
  }
  return best;
}

std::optional<SweepBest> best_point(const std::vector<SweepPoint>& points,
                                    const SweepMeasure& measure, bool varies_weight) {
  std::optional<SweepBest> best;
  double best_value = 0;
  for (std::size_t i = 0; measure.says_best && i < points.size(); ++i) {
    if (!points[i].problem.empty()) continue;
    const double value = measure.value(points[i]);
    if (!std::isfinite(value)) continue;
    if (best && (measure.smaller_is_better ? value >= best_value : value <= best_value)) continue;
    best = SweepBest{i, (measure.smaller_is_better ? "least " : "greatest ") + measure.label};
    best_value = value;
  }
  if (best || !varies_weight) return best;
  std::vector<std::pair<double, double>> curve;
  curve.reserve(points.size());
  for (const SweepPoint& point : points) curve.push_back(l_curve_point(point, varies_weight));
  if (const auto at = corner(curve)) return SweepBest{*at, "corner of the L-curve", true};
  return std::nullopt;
}

}  // namespace gantry
