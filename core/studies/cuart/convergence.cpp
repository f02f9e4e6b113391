// Convergence, likeness and line profiles: Yu et al. 2019, Figs 13 to 15 and Table 2; and what a
// whole reconstruction takes. Data are W f of the phantom on the pixels, exact for the matrix.
#include "core/base/timing.hpp"
#include "core/metrics/ssim.hpp"
#include "core/studies/cuart/parts.hpp"
#include "core/studies/cuart/printed.hpp"
#include "core/studies/stored_art.hpp"
#include "core/studies/tracked_run.hpp"

#include <numeric>

namespace gantry::cuart {

namespace {

constexpr double art_relaxation = 1;

/// What is reconstructed, with ART's images of it.
struct Object {
  std::string name;
  BenchCase setting;
  std::vector<float> truth, data;
  std::vector<double> art_rmse;
  std::vector<float> art_image;
  double art_s = 0;  ///< all rounds, one thread, rows in memory

  double level() const { return art_rmse.back(); }
  double similarity(const std::vector<float>& image) const {
    return ssim({setting.grid, image, truth, {}, range_of(truth)});
  }
};

void run_art(const MatrixWorkshop& workshop, Object& object) {
  workshop.say("ART on one thread, " + object.name + ", " + describe_case(object.setting));
  const auto weights = workshop.weights_on_cpu(object.setting);
  std::vector<int> views(static_cast<std::size_t>(weights->views()));
  std::iota(views.begin(), views.end(), 0);
  const StoredArt art(*weights, std::move(views));
  object.art_image.assign(weights->domain_size(), 0.0F);
  for (int k = 0; k < workshop.iterations(printed::art_iterations); ++k) {
    object.art_s +=
        1e-3 * milliseconds([&] { art.sweep(object.data, art_relaxation, object.art_image); });
    object.art_rmse.push_back(rmse_of(object.art_image, object.truth));
  }
}

Object make_object(const MatrixWorkshop& workshop, const std::string& name, BenchCase setting,
                   std::vector<float> truth) {
  Object object{name, std::move(setting), std::move(truth), {}, {}, {}, 0};
  object.data = exact_data(*workshop.weights_on_cpu(object.setting), object.truth);
  run_art(workshop, object);
  return object;
}

Params parallel(const char* scope, const char* normalisation, double relaxation) {
  return {{"scope", std::string(scope)},
          {"normalisation", std::string(normalisation)},
          {"relaxation", relaxation},
          {"order", std::string("natural")},
          {"nonnegative", false}};
}

/// Eq. 9 as printed and with steps that are sound.
std::vector<TrackedMethod> published(const MatrixWorkshop& workshop) {
  const int global = workshop.iterations(printed::global_iterations),
            view = workshop.iterations(printed::view_iterations);
  return {{"g-l, lambda 1 as printed", "parallel_art", parallel("all", "printed", 1), global},
          {"g-l, 1.9 of 2 to the bound", "parallel_art", parallel("all", "bound", 1.9), global},
          {"v-l, lambda 1 as printed", "parallel_art", parallel("views", "printed", 1), view},
          {"v-l, half the bound", "parallel_art", parallel("views", "bound", 1), view}};
}

bool is_global(const TrackedMethod& method) { return method.params.text("scope") == "all"; }

StudyCurve curve_of(const std::string& name, const std::vector<double>& y) {
  StudyCurve curve{name, {}, y};
  for (std::size_t k = 0; k < y.size(); ++k) curve.x.push_back(static_cast<double>(k + 1));
  return curve;
}

/// Figs 13 to 15 and Table 2 of one object.
void figures(MatrixWorkshop& workshop, const std::string& backend, const Object& object,
             const std::string& key, bool summed_up, StudyResult& result) {
  const std::string about = object.name + ", " + describe_case(object.setting) + ", " + backend;
  StudyTable table{"rmse-" + key,
                   "Error and likeness, " + about + " (Fig. 13, Table 2)",
                   {{"method", ""},
                    {"iterations", ""},
                    {"RMSE after 1", ""},
                    {"after 5", ""},
                    {"after 15", ""},
                    {"at the end", ""},
                    {"SSIM printed", ""},
                    {"SSIM here", ""}},
                   {}};
  StudyChart errors{
      "rmse-" + key, "RMSE, " + about + " (Fig. 13)", "iteration", "RMSE", false, true, {}},
      profile{"profile-" + key,
              "Middle row, means of 3 x 3 pixels, " + about + " (Figs 14, 15)",
              "pixel",
              "value",
              false,
              false,
              {}};
  profile.curves.push_back(
      curve_of("phantom", averaged_profile(object.truth, object.setting.grid)));
  const auto add = [&](const std::string& name, const std::vector<double>& rmse,
                       const std::vector<float>& image, const StudyCell& printed) {
    const auto after = [&](std::size_t k) {
      return k <= rmse.size() ? StudyCell(rmse[k - 1]) : StudyCell();
    };
    const double likeness = object.similarity(image);
    table.rows.push_back({name, static_cast<double>(rmse.size()), after(1), after(5), after(15),
                          rmse.back(), printed, likeness});
    errors.curves.push_back(curve_of(name, rmse));
    profile.curves.push_back(curve_of(name, averaged_profile(image, object.setting.grid)));
    if (summed_up && printed.number)
      workshop.sum_up(
          {"convergence", "SSIM, " + name + ", after " + std::to_string(rmse.size()), ""}, printed,
          likeness, workshop.scale_on(backend));
  };
  add("ART, lambda 1", object.art_rmse, object.art_image, {});
  const auto A = workshop.make(workshop.stored(backend, false).front(), object.setting);
  for (const TrackedMethod& method : published(workshop)) {
    const TrackedRun run = track(workshop, *A, backend, object.data, object.truth, method);
    if (run.rmse.empty()) {
      table.rows.push_back({method.name, {}, {}, {}, {}, {}, {}, run.problem});
      continue;
    }
    add(method.name, run.rmse, run.image,
        is_global(method) ? printed::global_ssim : printed::view_ssim);
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(errors));
  result.charts.push_back(std::move(profile));
}

/// Ways to the plateau: sound parallel ART at both levels, and what else the program has.
std::vector<TrackedMethod> ways(const MatrixWorkshop& workshop, double level) {
  std::vector<TrackedMethod> all = {
      {"g-l, 1.9 of 2 to the bound", "parallel_art", parallel("all", "bound", 1.9), 300},
      {"v-l, half the bound", "parallel_art", parallel("views", "bound", 1), 40},
      {"OS-SART, 20 subsets",
       "os_sart",
       {{"subsets", std::int64_t{20}}, {"relaxation", 1.0}, {"nonnegative", false}},
       60},
      {"CGLS", "cgls", {}, 100}};
  for (TrackedMethod& method : all) {
    method.level = level;
    method.iterations = workshop.iterations(method.iterations);
  }
  return all;
}

/// Null where the format cannot lay the scan out.
std::unique_ptr<Projector> makes(const MatrixWorkshop& workshop, const MatrixMethod& product,
                                 const BenchCase& setting) {
  try {
    return workshop.make(product, setting);
  } catch (const UsageError&) {
    return nullptr;
  }
}

std::vector<StudyCell> plateau_row(const Object& object, const MatrixMethod& product,
                                   const TrackedMethod& method, const TrackedRun& run) {
  if (!run.reached) {
    const std::string why =
        run.problem.empty() ? "not within " + std::to_string(method.iterations) : run.problem;
    return {method.name, product.name(), why, {}, {}, {}, {}, {}, {}};
  }
  const double iterating = run.seconds.back(), all = run.build_s + run.setup_s + iterating;
  return {method.name,
          product.name(),
          1.0 * *run.reached,
          run.build_s,
          run.setup_s,
          iterating,
          all,
          object.art_s / iterating,
          object.art_s / all};
}

/// The whole way to ART's RMSE after 15 rounds, for every format and on the fly.
void plateau(MatrixWorkshop& workshop, const std::string& backend, const Object& object,
             StudyResult& result) {
  StudyTable table{"plateau-" + backend,
                   "To the plateau, the RMSE of ART after 15 rounds, " +
                       describe_case(object.setting) + ", " + backend +
                       "; ART on one thread takes the time in its row",
                   {{"method", ""},
                    {"products", ""},
                    {"iterations", ""},
                    {"build", "s"},
                    {"set-up", "s"},
                    {"iterating", "s"},
                    {"all", "s"},
                    {"speed-up iterating", "x"},
                    {"speed-up of all", "x"}},
                   {}};
  table.rows.push_back({"ART, lambda 1, 1 thread",
                        "rows in memory",
                        static_cast<double>(object.art_rmse.size()),
                        {},
                        {},
                        object.art_s,
                        object.art_s,
                        1.0,
                        1.0});
  std::vector<MatrixMethod> products = workshop.stored(backend, false);
  for (MatrixMethod& method : workshop.on_the_fly(backend, false))
    products.push_back(std::move(method));
  double best_global = 0, best_view = 0;
  for (const MatrixMethod& product : products) {
    const auto A = makes(workshop, product, object.setting);
    if (A == nullptr) continue;  // refused: its line in the table of times says why
    for (const TrackedMethod& method : ways(workshop, object.level())) {
      const TrackedRun run = track(workshop, *A, backend, object.data, object.truth, method);
      table.rows.push_back(plateau_row(object, product, method, run));
      if (!run.reached || method.solver != "parallel_art") continue;
      double& best = is_global(method) ? best_global : best_view;
      best = std::max(best, object.art_s / run.seconds.back());
    }
  }
  const auto cell = [](double value) { return value > 0 ? StudyCell(value) : StudyCell(); };
  workshop.sum_up(
      {"convergence", "whole reconstruction, g-l, over ART on one thread, " + backend, "x"},
      printed::global_over_art, cell(best_global), workshop.scale_on(backend));
  workshop.sum_up(
      {"convergence", "whole reconstruction, v-l, over ART on one thread, " + backend, "x"},
      printed::view_over_art, cell(best_view), workshop.scale_on(backend));
  result.tables.push_back(std::move(table));
}

/// Ellipses with low-contrast inserts in them, in the place of a mouse.
std::vector<float> substitute(const MatrixWorkshop& workshop, const VolumeGrid& grid,
                              std::int64_t seed) {
  std::vector<float> image = square_phantom(workshop, "random_ellipses", {{"seed", seed}}, grid);
  const std::vector<float> inserts = square_phantom(workshop, "contrast_inserts", {}, grid);
  for (std::size_t j = 0; j < image.size(); ++j) image[j] += 0.25F * inserts[j];
  return image;
}

}  // namespace

void convergence(MatrixWorkshop& workshop, StudyResult& result) {
  const std::string backend = workshop.fastest_backend();
  const BenchCase setting = settings(workshop, backend)[1];
  const Object head = make_object(workshop, "Shepp-Logan", setting,
                                  square_phantom(workshop, "shepp_logan", {}, setting.grid));
  figures(workshop, backend, head, "shepp-logan", true, result);
  plateau(workshop, backend, head, result);
  const BenchCase half = scaled(setting, 0.5, 8);
  for (const std::int64_t seed : {437, 459}) {
    const std::string number = std::to_string(seed);
    figures(workshop, backend,
            make_object(workshop, "SUBSTITUTE for mouse" + number, half,
                        substitute(workshop, half.grid, seed)),
            "substitute-" + number, false, result);
  }
  result.notes.push_back(
      "Convergence: data are W f of the phantom on its pixels, without noise. SSIM: Gaussian "
      "window "
      "of 11 x 11 pixels, sigma 1.5, range from the lowest to the highest value of the phantom; "
      "window and range are not in print. Printed iteration counts (15, 50, 30) are of a lambda "
      "and "
      "a rule that are not in print either: as printed, lambda 1 over the number of rays hardly "
      "moves. The plateau here is ART's RMSE after 15 rounds with lambda 1, rays in natural order. "
      "Speed-ups are of iterating alone and of all, building and set-up with it.");
  result.notes.push_back(
      "Mouse437 and mouse459 are not public: SUBSTITUTES are random ellipses (seeds 437 and 459) "
      "with low-contrast inserts added, at half the size.");
}

}  // namespace gantry::cuart
