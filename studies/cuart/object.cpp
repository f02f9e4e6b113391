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

/// Times iterations of ART on one thread, and compares their image with the image that all threads
/// made.
void time_rounds(const StoredArt& art, int rounds, Object& object) {
  std::vector<float> image(object.truth.size(), 0.0F);
  std::vector<double> seconds;
  for (int k = 0; k < rounds; ++k)
    seconds.push_back(1e-3 * milliseconds([&] { art.sweep(object.data, art_relaxation, image); }));
  object.timed_iterations = rounds;
  object.iteration_s = std::ranges::min(seconds);
  object.difference = 0;
  for (std::size_t j = 0; j < image.size(); ++j)
    object.difference = std::max(object.difference, std::abs(1.0 * image[j] - object.art_image[j]));
}

void run_art(const MatrixStudyContext& context, int timed_iterations, Object& object) {
  context.say("rows of ART, " + object.name + ", " + describe_case(object.setting));
  const auto weights = context.weights_on_cpu(object.setting);
  const StoredArt art(*weights, every_view(*weights));
  const ViewArt all_threads(art);
  object.art_image.assign(weights->domain_size(), 0.0F);
  const int rounds = context.iterations(printed::art_iterations), views = weights->views();
  const std::vector<int> natural = visiting_order(ViewOrder::natural, views, 1, 0);
  for (int k = 1; k <= rounds; ++k) {
    all_threads.sweep(object.data, art_relaxation, natural, object.art_image);
    object.art_rmse.push_back(rmse_of(object.art_image, object.truth));
    if (k != std::min(rounds, timed_iterations)) continue;
    context.say("ART on one thread, iterations 1 to " + std::to_string(k));
    time_rounds(art, k, object);
  }
  context.say("ART in golden order, to the same error");
  const std::vector<int> golden = visiting_order(ViewOrder::golden, views, 1, 0);
  std::vector<float> image(weights->domain_size(), 0.0F);
  do {
    all_threads.sweep(object.data, art_relaxation, golden, image);
    object.golden_rmse.push_back(rmse_of(image, object.truth));
  } while (object.golden_rmse.back() > object.level() &&
           object.golden_rmse.size() < object.art_rmse.size());
}

}  // namespace

double Object::similarity(const std::vector<float>& image) const {
  return ssim({setting.grid, image, truth, {}, range_of(truth)});
}

Object make_object(const MatrixStudyContext& context, const std::string& name, BenchCase setting,
                   std::vector<float> truth, int timed_iterations) {
  Object object{name, std::move(setting), std::move(truth), {}, {}, {}, {}};
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
