#include "studies/cumbir/runs.hpp"

#include "core/catalog/made_penalty.hpp"
#include "core/job/coarse_start.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/solvers/run.hpp"
#include "studies/slice_image.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gantry::cumbir {

namespace {

constexpr double hopeless = 4;  // times the best error
// A run ends when its least error has fallen by less than this part in so many iterations.
constexpr double plateau = 0.005;
constexpr std::size_t plateau_iterations = 8;

bool is_at_plateau(const Run& run) {
  if (run.rmse.size() <= plateau_iterations) return false;
  const auto end = run.rmse.end() - static_cast<std::ptrdiff_t>(plateau_iterations);
  return run.best() > (1 - plateau) * *std::min_element(run.rmse.begin(), end);
}

std::unique_ptr<Projector> make_operator(const CumbirContext& context, const Scanned& scanned,
                                         const Method& method, Run& out) {
  auto projector = context.make(method.projector, scanned.setting);
  if (method.format.empty()) return projector;
  auto matrix = std::make_unique<StoredMatrix>(
      std::move(projector),
      context.catalog().matrix_formats.make(method.format, context.device(), {}));
  matrix->set_interrupt(context.interrupt());
  out.build_s = matrix->storage().build_s;
  return matrix;
}

/// Returns the image from which the method starts, and adds the time that this takes; empty if the
/// method does not start from coarser grids.
std::vector<float> start_image(const CumbirContext& context, const Scanned& scanned,
                               const NoisyData& noisy, const Method& method, double& seconds) {
  if (method.coarse_levels == 0) return {};
  RunSpec run;
  run.solver = method.solver;
  run.solver_params = method.params;
  run.prior = method.prior;
  run.prior_params = method.prior_params;
  run.projector = method.projector;
  run.format = method.format;
  const bool takes_weights = context.catalog().solvers.at(method.solver).traits.uses_ray_weights;
  if (method.weighted && takes_weights) run.weights = RayWeights::statistical;
  run.coarse_levels = method.coarse_levels;
  ExperimentData data;
  data.geometry = scanned.setting.geometry;
  data.grid = scanned.setting.grid;
  data.line_integrals = noisy.line_integrals;
  data.counting.photons_per_ray = photons;
  CoarseStart start(run, data, context.device(), context.catalog(), context.backends(),
                    context.interrupt());
  std::vector<float> image = start.image();
  seconds += start.seconds();
  return image;
}

void follow(const CumbirContext& context, const Scanned& scanned, const NoisyData& data,
            const Method& method, double longest_s, Run& out) {
  const std::string device = context.device();
  const auto A = make_operator(context, scanned, method, out);
  Backend& backend = A->backend();
  const auto& entry = context.catalog().solvers.at(method.solver, device);
  const auto solver = entry.make(device, method.params);
  const Array b = Array::from(backend, data.line_integrals),
              truth = Array::from(backend, scanned.truth);
  const bool weighted = method.weighted && entry.traits.uses_ray_weights;
  const Array w = weighted ? Array::from(backend, data.weights) : Array();
  const MadePenalty penalty = make_penalty(context.catalog(), method.prior, device, backend,
                                           A->grid(), method.prior_params);
  StopRules rules;
  rules.iterations = context.iterations(method.iterations);
  double before_s = 0;
  const std::vector<float> image = start_image(context, scanned, data, method, before_s);
  const Array start = image.empty() ? Array() : Array::from(backend, image);
  SolverRun loop(
      *solver,
      {A.get(), &b, image.empty() ? nullptr : &start, weighted ? &w : nullptr, penalty.penalty},
      rules);
  out.setup_s = before_s + loop.seconds();
  Array difference(backend, truth.size());
  while (!loop.finished()) {
    context.check_interrupt();
    if (!loop.advance()) continue;
    backend.copy(solver->solution(), difference);
    out.rmse.push_back(std::sqrt(backend.residual(truth, difference, nullptr) /
                                 static_cast<double>(truth.size())));
    out.seconds.push_back(before_s + loop.seconds());
    if (const int done = static_cast<int>(out.rmse.size());
        std::ranges::find(method.shown, done) != method.shown.end())
      out.slices[done] = slice_image({}, {}, solver->solution().to_host(), A->grid(), {});
    if (out.seconds.back() - out.setup_s > longest_s ||
        !(out.rmse.back() < hopeless * out.best()) || is_at_plateau(out))
      break;
  }
}

}  // namespace

double Run::best() const {
  double least = std::numeric_limits<double>::infinity();
  for (const double error : rmse) least = std::min(least, error);
  return least;
}

std::optional<int> Run::iterations_to(double level) const {
  for (std::size_t k = 0; k < rmse.size(); ++k)
    if (rmse[k] <= level) return static_cast<int>(k) + 1;
  return {};
}

std::optional<double> Run::seconds_to(double level) const {
  const std::optional<int> iterations = iterations_to(level);
  if (!iterations) return {};
  return seconds[static_cast<std::size_t>(*iterations) - 1];
}

Run run_method(const CumbirContext& context, const Scanned& scanned, const NoisyData& data,
               const Method& method, double longest_s) {
  context.say(scanned.setting.name + ": " + method.name);
  Run out;
  out.problem = why_refused([&] { follow(context, scanned, data, method, longest_s, out); });
  return out;
}

StudyCurve curve_of(const std::string& name, const Run& run) {
  return {name, run.seconds, run.rmse};
}

}  // namespace gantry::cumbir
