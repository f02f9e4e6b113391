// Convergence, similarity and line profiles: Yu et al. 2019, Figs 13 and 15 and Table 2. Data are
// the product W f of the phantom's pixels, exact for the matrix.
#include "studies/cuart/object.hpp"
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"
#include "studies/report/verdict.hpp"
#include "studies/slice_image.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace gantry::cuart {

namespace {

bool is_global(const TrackedMethod& method) { return method.params.text("scope") == "all"; }

/// Returns the methods of the paper: eq. 9 as printed, and with steps that converge.
std::vector<TrackedMethod> published(const MatrixStudyContext& context) {
  const int global = context.iterations(printed::global_iterations),
            view = context.iterations(printed::view_iterations);
  return {
      {"global level, lambda 1 as printed", "parallel_art", parallel("all", "printed", 1), global},
      {"global level, 0.95 of the largest step", "parallel_art", parallel("all", "bound", 1.9),
       global},
      {"view level, lambda 1 as printed", "parallel_art", parallel("views", "printed", 1), view},
      {"view level, half of the largest step", "parallel_art", parallel("views", "bound", 1), view},
      {"view level, half of the largest step, golden views", "parallel_art",
       parallel("views", "bound", 1, "golden"), view}};
}

/// Returns the methods whose steps converge, to be run until their SSIM is that of print. An image
/// of 1024^2 pixels has more pixels than this scan has rays, and pixels that no ray sees keep their
/// first value; therefore the methods also run with x >= 0.
std::vector<TrackedMethod> until_alike(const MatrixStudyContext& context, const Object& object) {
  constexpr double longest_s = 6;
  std::vector<TrackedMethod> all;
  for (const bool nonnegative : {false, true}) {
    const auto add = [&](const char* name, Params params, int iterations) {
      params.set("nonnegative", nonnegative);
      all.push_back({name + std::string(nonnegative ? ", x >= 0" : ""), "parallel_art",
                     std::move(params), iterations});
    };
    add("global level, 0.95 of the largest step", parallel("all", "bound", 1.9),
        nonnegative ? 2500 : 500);
    add("view level, half of the largest step", parallel("views", "bound", 1),
        nonnegative ? 150 : 30);
    add("view level, half of the largest step, golden views",
        parallel("views", "bound", 1, "golden"), nonnegative ? 150 : 30);
  }
  for (TrackedMethod& method : all) {
    method.iterations = context.iterations(method.iterations);
    method.seconds = longest_s;
    const double goal = is_global(method) ? printed::global_ssim : printed::view_ssim;
    // The similarity is computed at every iteration at first, later after each 10 % more
    // iterations.
    method.enough = [&object, goal, next = 1](int k, const std::vector<float>& image) mutable {
      if (k < next) return false;
      next = std::max(k + 1, k * 11 / 10);
      return object.similarity(image) >= goal;
    };
  }
  return all;
}

/// Adds how many iterations it takes until the error is that of ART at its plateau: Fig. 13, where
/// all three methods "finally achieve approximately the same RMSE".
void add_iterations_line(MatrixStudyContext& context, const Object& object, const std::string& name,
                         bool global, const std::vector<double>& rmse, const std::string& unlike) {
  const auto found = std::ranges::find_if(
      rmse, [&](double value) { return value <= (1 + verdict_tolerance) * object.level(); });
  StudyCell here = 1.0 * (found - rmse.begin() + 1);
  if (found == rmse.end())
    here = StudyCell::stated(
        "not in " + std::to_string(rmse.size()) + ", where it is " + three_digits(rmse.back()),
        std::numeric_limits<double>::infinity());
  context.add_summary_line(
      {"convergence",
       "iterations until the RMSE is within " + format_param(100 * verdict_tolerance) +
           " % of that of ART after " + std::to_string(object.art_rmse.size()) + ", " +
           three_digits(object.level()) + ": " + name,
       ""},
      1.0 * (global ? printed::global_iterations : printed::view_iterations), here, unlike,
      Better::smaller);
}

StudyCurve curve_of(const std::string& name, const std::vector<double>& y) {
  StudyCurve curve{name, {}, y};
  for (std::size_t k = 0; k < y.size(); ++k) curve.x.push_back(static_cast<double>(k + 1));
  return curve;
}

/// Adds Figs 13 to 15 and Table 2 for one object.
void figures(MatrixStudyContext& context, const std::string& backend, const Object& object,
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
              "Middle row, means of 3 x 3 pixels, " + about + " (Fig. 15)",
              "pixel",
              "value",
              false,
              false,
              {}};
  profile.curves.push_back(
      curve_of("phantom", averaged_profile(object.truth, object.setting.grid)));
  const auto [least, most] = std::ranges::minmax(object.truth);
  auto draw = [&, low = least, high = most, count = 0](const std::string& name,
                                                       const std::vector<float>& image) mutable {
    result.images.push_back(slice_image("fig-14-" + key + "-" + std::to_string(count++),
                                        name + ", " + about + " (Fig. 14)", image,
                                        object.setting.grid, {low, high}));
  };
  draw("phantom", object.truth);
  const auto add = [&](const std::string& name, const std::vector<double>& rmse,
                       const std::vector<float>& image, const StudyCell& printed) {
    draw(name, image);
    const auto after = [&](std::size_t k) {
      return k <= rmse.size() ? StudyCell(rmse[k - 1]) : StudyCell();
    };
    const double likeness = object.similarity(image);
    table.rows.push_back({name, static_cast<double>(rmse.size()), after(1), after(5), after(15),
                          rmse.back(), printed, likeness});
    errors.curves.push_back(curve_of(name, rmse));
    profile.curves.push_back(curve_of(name, averaged_profile(image, object.setting.grid)));
    if (!summed_up || !printed.number) return;
    const std::string unlike = name.ends_with("golden views")
                                   ? "print: views as measured"
                                   : another_size(object.setting.grid.nx, printed::image_side);
    context.add_summary_line(
        {"convergence", "SSIM, " + name + ", after " + std::to_string(rmse.size()), ""}, printed,
        likeness, unlike, Better::larger);
    add_iterations_line(context, object, name, *printed.number == printed::global_ssim, rmse,
                        unlike);
  };
  add("ART, lambda 1", object.art_rmse, object.art_image, {});
  const Products products(context, backend, object);
  for (const TrackedMethod& method : published(context)) {
    const TrackedRun run = products.run(context, method);
    if (run.rmse.empty()) {
      table.rows.push_back({method.name, {}, {}, {}, {}, {}, {}, run.problem});
      continue;
    }
    add(method.name, run.rmse, run.image,
        is_global(method) ? printed::global_ssim : printed::view_ssim);
  }
  table.rows.push_back(
      {"the phantom itself", {}, {}, {}, {}, 0.0, 1.0, object.similarity(object.truth)});
  context.show(result, table);
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(errors));
  result.charts.push_back(std::move(profile));
}

/// Adds the number of iterations until the image has the similarity of Table 2, which ends a run
/// and is therefore no result of it.
void likeness(MatrixStudyContext& context, const std::string& backend, const Object& object,
              StudyResult& result) {
  StudyTable table{"likeness",
                   "Iterations until the SSIM is print's, where a run ends, " +
                       describe_case(object.setting) + ", " + backend + " (Table 2)",
                   {{"method", ""},
                    {"products", ""},
                    {"SSIM of print, which ends the run", ""},
                    {"iterations", ""},
                    {"iterating", "s"},
                    {"RMSE", ""},
                    {"SSIM at the end", ""},
                    {"reaches print's SSIM", ""}},
                   {}};
  const Products products(context, backend, object);
  for (const TrackedMethod& method : until_alike(context, object)) {
    const TrackedRun run = products.run(context, method);
    const double goal = is_global(method) ? printed::global_ssim : printed::view_ssim;
    if (run.rmse.empty()) {
      table.rows.push_back({method.name, products.name(method), goal, {}, {}, {}, {}, run.problem});
      continue;
    }
    const auto count = static_cast<double>(run.rmse.size());
    table.rows.push_back({method.name, products.name(method), goal, count, run.seconds.back(),
                          run.rmse.back(), object.similarity(run.image),
                          run.reached ? "yes" : "no"});
    context.add_summary_line(
        {"convergence", "iterations until the SSIM is " + format_param(goal) + ", " + method.name,
         ""},
        {}, run.reached ? StudyCell(count) : StudyCell("not in " + three_digits(count)),
        like_for_like);
    context.show(result, table);
  }
  result.tables.push_back(std::move(table));
}

/// Returns random ellipses with low-contrast inserts, as a substitute for a mouse.
std::vector<float> substitute(const MatrixStudyContext& context, const VolumeGrid& grid,
                              std::int64_t seed) {
  std::vector<float> image = square_phantom(context, "random_ellipses", {{"seed", seed}}, grid);
  const std::vector<float> inserts = square_phantom(context, "contrast_inserts", {}, grid);
  for (std::size_t j = 0; j < image.size(); ++j) image[j] += 0.25F * inserts[j];
  return image;
}

}  // namespace

void convergence(MatrixStudyContext& context, StudyResult& result) {
  const std::string backend = context.fastest_backend();
  const Object shepp_logan = head(context, backend, 0);
  figures(context, backend, shepp_logan, "shepp-logan", true, result);
  likeness(context, backend, shepp_logan, result);
  const BenchCase half = scaled(shepp_logan.setting, 0.5, 8);
  for (const std::int64_t seed : {437, 459}) {
    const std::string number = std::to_string(seed);
    figures(context, backend,
            make_object(context, "SUBSTITUTE for mouse" + number, half,
                        substitute(context, half.grid, seed), 0),
            "substitute-" + number, false, result);
  }
  result.notes.push_back(
      "Convergence: data are W f of the phantom on its pixels, without noise. SSIM (Wang et al. "
      "2004): Gaussian window of 11 x 11 pixels, sigma 1.5, K1 = 0.01, K2 = 0.03, range from the "
      "lowest to the highest value of the phantom (modified Shepp-Logan: 0 to 1), mean over the "
      "image; window, range and phantom's contrasts are not in print. Printed iteration counts "
      "(15, "
      "50, 30) are of a lambda and a rule that are not in print either: as printed, lambda 1 over "
      "the number of rays hardly moves. Steps that converge: a power iteration finds the largest. "
      "x >= 0 "
      "is not in print, whose eq. 9 has none.");
  result.notes.push_back(
      "Mouse437 and mouse459 are not public: SUBSTITUTES are random ellipses (seeds 437 and 459) "
      "with low-contrast inserts added, at half the size.");
}

}  // namespace gantry::cuart
