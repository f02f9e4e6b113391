#include "core/worker/sweep.hpp"

#include "core/base/error.hpp"
#include "core/job/run_prior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

std::optional<double> number(const ParamValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

void add_numbers(const std::vector<ParamSpec>& specs, const Params& given, bool of_prior,
                 std::vector<SweepParam>& found) {
  for (const ParamSpec& spec : specs) {
    const auto set = given.values().find(spec.key);
    const auto present = number(set != given.values().end() ? set->second : spec.fallback);
    if (present && spec.min < spec.max) found.push_back({of_prior, spec, *present});
  }
}

constexpr double least_curvature = 1e-6;

double rmse_of(const SweepPoint& point) {
  const auto found = point.last.metrics.find("rmse");
  return point.problem.empty() && found != point.last.metrics.end()
             ? found->second
             : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<SweepParam> sweep_params(const RunSettings& run, const Catalog& catalog) {
  std::vector<SweepParam> found;
  const bool takes_prior = catalog.solvers.at(run.solver).traits.prior != PriorUse::none;
  if (const std::string prior = prior_of(run, catalog); takes_prior && !prior.empty())
    add_numbers(catalog.priors.at(prior).params, run.prior_params, true, found);
  add_numbers(catalog.solvers.at(run.solver).params, run.solver_params, false, found);
  return found;
}

std::vector<double> sweep_values(double from, double to, int count, bool logarithmic) {
  if (count < 2) throw UsageError("a sweep needs two values at least", "count", "ask for more");
  if (!(from < to) || (logarithmic && !(from > 0)))
    throw UsageError("the range of the sweep is empty", "from",
                     logarithmic ? "give two different values above 0, the smaller one first"
                                 : "give two different values, the smaller one first");
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / (count - 1);
    values.push_back(logarithmic ? from * std::pow(to / from, part) : from + part * (to - from));
  }
  return values;
}

RunSpec with_value(RunSpec run, const SweepParam& param, double value) {
  const double kept = std::clamp(value, param.spec.min, param.spec.max);
  Params& params = param.is_of_prior ? run.prior_params : run.solver_params;
  if (std::holds_alternative<std::int64_t>(param.spec.fallback))
    params.set(param.spec.key, static_cast<std::int64_t>(std::llround(kept)));
  else
    params.set(param.spec.key, kept);
  return run;
}

void sweep(const RunSpec& run, const SweepParam& param, const std::vector<double>& values,
           const std::shared_ptr<const ExperimentData>& data, const MetricsSpec& metrics,
           const Catalog& catalog, const BackendList& backends, const Interrupt& interrupt,
           const std::function<void(SweepPoint)>& tell) {
  for (const double value : values) {
    SweepPoint point;
    point.value = value;
    try {
      RunSpec varied = with_value(run, param, value);
      varied.clear_history();
      ReconstructionJob job(std::move(varied), data, metrics, catalog, backends, &interrupt);
      job.set_reference(data->reference);
      while (!job.finished())
        if (auto entry = job.advance()) point.last = std::move(*entry);
      point.image = job.solution();
    } catch (const Error& error) {
      point.problem = error.what();
    }
    tell(std::move(point));
  }
}

std::pair<double, double> l_curve_point(const SweepPoint& point, bool varies_weight) {
  const Objective& objective = point.last.report.objective;
  return {2 * objective.data, varies_weight ? objective.penalty / point.value : objective.penalty};
}

std::optional<std::size_t> corner(const std::vector<std::pair<double, double>>& curve) {
  std::optional<std::size_t> best;
  double greatest = 0;
  for (std::size_t i = 1; i + 1 < curve.size(); ++i) {
    const auto logarithm = [&](std::size_t k) {
      return std::pair{std::log(curve[k].first), std::log(curve[k].second)};
    };
    const auto [ax, ay] = logarithm(i - 1);
    const auto [bx, by] = logarithm(i);
    const auto [cx, cy] = logarithm(i + 1);
    // Above 0 for a bend towards the origin; a bend away from it is no corner of an L.
    const double twice_area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const double sides =
        std::hypot(bx - ax, by - ay) * std::hypot(cx - bx, cy - by) * std::hypot(cx - ax, cy - ay);
    const double curvature = 2 * twice_area / sides;
    // Below the least, a curve in double precision counts as straight; NaN where a point is not
    // above 0.
    if (!(curvature > std::max(greatest, least_curvature))) continue;
    greatest = curvature;
    best = i;
  }
  return best;
}

std::optional<SweepBest> best_point(const std::vector<SweepPoint>& points, bool varies_weight) {
  std::optional<SweepBest> best;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const double rmse = rmse_of(points[i]);
        std::isfinite(rmse) && (!best || rmse < rmse_of(points[best->point])))
      best = SweepBest{i, "least RMSE"};
  if (best || !varies_weight) return best;
  std::vector<std::pair<double, double>> curve;
  for (const SweepPoint& point : points) curve.push_back(l_curve_point(point, varies_weight));
  if (const auto at = corner(curve)) return SweepBest{*at, "corner of the L-curve"};
  return std::nullopt;
}

}  // namespace gantry
