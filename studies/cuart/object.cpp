#include "studies/cuart/object.hpp"

#include "core/base/timing.hpp"
#include "core/metrics/ssim.hpp"
#include "core/solvers/view_order.hpp"
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"
#include "studies/view_art.hpp"

#include <algorithm>
#include <cmath>

namespace gantry::cuart {

namespace {

/// Returns the shortest time of an iteration of ART on one thread, s, and the image after all.
std::pair<double, std::vector<float>> time_rounds(const StoredArt& art, const Object& object,
                                                  std::span<const int> order) {
  std::vector<float> image(object.truth.size(), 0.0F);
  std::vector<double> seconds;
  for (int k = 0; k < object.timed_iterations; ++k)
    seconds.push_back(1e-3 * milliseconds([&] {
                        art.sweep(object.data, art_relaxations.front(), image, order);
                      }));
  return {std::ranges::min(seconds), std::move(image)};
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t j = 0; j < a.size(); ++j)
    largest = std::max(largest, std::abs(1.0 * a[j] - b[j]));
  return largest;
}

/// Runs ART with every relaxation in both orders, to the plateau or as far as the best of the order
/// so far.
void run_baselines(const MatrixStudyContext& context, const ViewArt& art,
                   const std::vector<int>& natural, const std::vector<int>& golden,
                   Object& object) {
  for (const bool in_golden_order : {false, true}) {
    std::size_t fewest = object.art_rmse.size();
    for (const double relaxation : art_relaxations) {
      ArtRun run{relaxation, in_golden_order, {}};
      if (object.baselines.empty()) {
        run.rmse = object.art_rmse;
      } else {
        context.say("ART, " + run.name() + ", to the same error");
        std::vector<float> image(object.truth.size(), 0.0F);
        do {
          art.sweep(object.data, relaxation, in_golden_order ? golden : natural, image);
          run.rmse.push_back(rmse_of(image, object.truth));
        } while (!object.reaches_level(run) && run.rmse.size() < fewest);
      }
      if (object.reaches_level(run)) fewest = run.rmse.size();
      run.all_s = (in_golden_order ? object.golden_s : object.natural_s) *
                  static_cast<double>(run.rmse.size());
      object.baselines.push_back(std::move(run));
    }
  }
}

void run_art(const MatrixStudyContext& context, int timed_iterations, Object& object) {
  context.say("rows of ART, " + object.name + ", " + describe_case(object.setting));
  const auto weights = context.weights_on_cpu(object.setting);
  const StoredArt art(*weights, every_view(*weights));
  const ViewArt all_threads(art);
  object.art_image.assign(weights->domain_size(), 0.0F);
  const int rounds = context.iterations(printed::art_iterations), views = weights->views();
  object.timed_iterations = std::min(rounds, timed_iterations);
  const std::vector<int> natural = visiting_order(ViewOrder::natural, views, 1, 0),
                         golden = visiting_order(ViewOrder::golden, views, 1, 0);
  for (int k = 1; k <= rounds; ++k) {
    all_threads.sweep(object.data, art_relaxations.front(), natural, object.art_image);
    object.art_rmse.push_back(rmse_of(object.art_image, object.truth));
    if (k != object.timed_iterations) continue;
    context.say("ART on one thread, iterations 1 to " + std::to_string(k) + " in either order");
    const auto [seconds, image] = time_rounds(art, object, natural);
    object.natural_s = seconds;
    object.difference = largest_difference(image, object.art_image);
    object.golden_s = time_rounds(art, object, golden).first;
  }
  if (object.timed_iterations > 0) run_baselines(context, all_threads, natural, golden, object);
}

}  // namespace

std::string ArtRun::name() const {
  return "lambda " + format_param(relaxation) + (golden ? ", golden order" : ", natural order");
}

const ArtRun& Object::best() const {
  const ArtRun &natural = best_of_order(false), &in_golden_order = best_of_order(true);
  return reaches_level(in_golden_order) && in_golden_order.all_s < natural.all_s ? in_golden_order
                                                                                 : natural;
}

const ArtRun& Object::best_of_order(bool golden) const {
  const ArtRun* best = nullptr;
  for (const ArtRun& run : baselines) {
    if (run.golden != golden) continue;
    if (best == nullptr ||
        (reaches_level(run) && (!reaches_level(*best) || run.all_s < best->all_s)))
      best = &run;
  }
  return *best;
}

double Object::similarity(const std::vector<float>& image) const {
  return ssim({setting.grid, image, truth, {}, range_of(truth)});
}

Object make_object(const MatrixStudyContext& context, const std::string& name, BenchCase setting,
                   std::vector<float> truth, int timed_iterations) {
  Object object{.name = name, .setting = std::move(setting), .truth = std::move(truth)};
  context.say("data of " + name + ", " + describe_case(object.setting));
  object.data = exact_data(*context.weights_on_cpu(object.setting), object.truth);
  run_art(context, timed_iterations, object);
  return object;
}

Object head(const MatrixStudyContext& context, const std::string& backend, int timed_iterations) {
  const BenchCase setting = setting_of(context, backend, one_size(context));
  return make_object(context, "Shepp-Logan", setting,
                     square_phantom(context, "shepp_logan", {}, setting.grid), timed_iterations);
}

Params parallel(const char* scope, const char* normalisation, double relaxation,
                const char* order) {
  return {{"scope", std::string(scope)},
          {"normalisation", std::string(normalisation)},
          {"relaxation", relaxation},
          {"order", std::string(order)},
          {"nonnegative", false}};
}

MatrixMethod symmetric_format(const MatrixStudyContext& context, const std::string& backend) {
  const std::vector<MatrixMethod> all = context.stored(backend, false);
  const auto found = std::ranges::find(all, std::string("scsr"), &MatrixMethod::format);
  return found == all.end() ? all.front() : *found;
}

bool updates_by_views(const TrackedMethod& method) {
  return method.solver == "sart" ||
         (method.params.contains("scope") && method.params.text("scope") == "views");
}

bool records_views(const Projector& A) {
  return make_subset_sweep(A, Array::filled(A.backend(), A.range_size(), 1), {})
             ->subsets_at_once(1) > 1;
}

Products::Products(const MatrixStudyContext& context, const std::string& backend,
                   const Object& object)
    : object_(object), backend_(backend) {
  const MatrixMethod symmetric = symmetric_format(context, backend);
  matrix_ = context.make(symmetric, object.setting);
  name_ = views_name_ = symmetric.name();
  if (on_host(backend)) return;  // the CPU records no graphs
  for (const MatrixMethod& method : context.stored(backend, false)) {
    if (method.format == symmetric.format) continue;
    auto A = if_it_fits([&] {
      auto made = context.make(method, object.setting);
      return records_views(*made) ? std::move(made) : nullptr;
    });
    if (!A || *A == nullptr) continue;
    by_views_ = std::move(*A);
    views_name_ = method.name();
    return;
  }
}

TrackedRun Products::run(const MatrixStudyContext& context, const TrackedMethod& method) const {
  const Projector& A = updates_by_views(method) && by_views_ ? *by_views_ : *matrix_;
  return track(context, A, backend_, object_.data, object_.truth, method);
}

}  // namespace gantry::cuart
