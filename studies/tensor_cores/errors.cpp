// Relative error over the iterations of CGLS, with weights and vectors of half precision and of
// float32, and of other solvers: Nourazar and Goossens 2021, eq. 4 and Fig. 8.
#include "studies/slice_image.hpp"
#include "studies/tensor_cores/parts.hpp"
#include "studies/tensor_cores/pictures.hpp"
#include "studies/tracked_run.hpp"

#include <algorithm>

namespace gantry::tensor_cores {

namespace {

/// A solver with its products. All products run CGLS; those on the fly also run other solvers:
/// conjugate gradients on the normal equations, the form in which print writes its method, and
/// SIRT, SART and MLEM, which print shows of other programs.
struct Run {
  MatrixMethod products;
  const char* solver;
};

/// Returns whether a method rounds differently from the other methods. Variants of blocks and
/// orders store the same sums differently, and products slice by slice ("spmv") give the results of
/// products of all slices at once.
bool rounds_in_its_own_way(const MatrixMethod& method) {
  return std::ranges::none_of(method.params.values(), [](const auto& param) {
    return param.first == "block" || param.first == "order" ||
           format_param(param.second).starts_with("spmv");
  });
}

std::vector<Run> runs(const MatrixStudyContext& context) {
  const std::vector<MatrixMethod> all = methods(context);
  std::vector<Run> found;
  for (const MatrixMethod& method : all)
    if (rounds_in_its_own_way(method)) found.push_back({method, "cgls"});
  for (const char* solver : {"cg_normal", "sirt", "sart", "mlem"})
    found.push_back({all.front(), solver});
  return found;
}

/// Print's number of iterations stands only on the axis of its figure.
constexpr int usual_iterations = 60;
/// Limit of the time of a run, s, so that a slow run does not take the time of the whole study.
constexpr double most_seconds = 4;

/// Runs a method and adds the mean error of the images after each iteration to `curve`, which has a
/// name already.
TrackedRun follow(const MatrixStudyContext& context, const Run& one, const BenchCase& setting,
                  const std::vector<float>& data, const Pictures& pictures, int iterations,
                  StudyCurve& curve) {
  const auto pixels = static_cast<std::size_t>(setting.grid.nx) * setting.grid.ny;
  TrackedMethod todo{curve.name, one.solver, {}, iterations};
  if (todo.solver == "sirt") todo.params = {{"relaxation", 1.9}};  // near its bound
  todo.seconds = most_seconds;
  todo.enough = [&](int iteration, const std::vector<float>& image) {
    curve.x.push_back(iteration);
    curve.y.push_back(mean_relative_error(image, pictures.values, pixels));
    return false;
  };
  TrackedRun run;
  const std::string problem = why_refused([&] {
    run = track(context, *context.make(one.products, setting), one.products.backend, data,
                pictures.values, todo);
  });
  if (!problem.empty()) run.problem = problem;
  return run;
}

VolumeGrid one_slice(VolumeGrid grid) {
  grid.nz = 1;
  return grid;
}

/// Draws the first four pictures, as many as Fig. 7 has of print's own.
void draw(const Pictures& pictures, const VolumeGrid& grid, StudyResult& result) {
  const VolumeGrid slice = one_slice(grid);
  const std::span<const float> all = pictures.values;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, pictures.names.size()); ++i)
    result.images.push_back(slice_image(
        "fig-7-" + std::to_string(i), "SUBSTITUTE for an image of Fig. 7: " + pictures.names[i],
        all.subspan(i * slice.voxels(), slice.voxels()), slice, {0, 1}));
}

}  // namespace

void errors(MatrixStudyContext& context, StudyResult& result) {
  const BenchCase setting = setting_of(context.wanted_sizes(printed::sizes).back().side,
                                       context.scale(), printed::pictures);
  context.say("images");
  const Pictures pictures = make_pictures(context, setting.grid);
  result.notes.push_back("Fig. 8: in print 23 images of scanners, which are not public; here " +
                         std::to_string(pictures.names.size()) + " substitutes, the brightest " +
                         "pixel of each 1: " + pictures.describe() + ".");
  const std::vector<float> data =
      exact_data(*context.make(methods(context, false).front(), setting), pictures.values);
  draw(pictures, setting.grid, result);
  const int iterations = context.iterations(usual_iterations);

  StudyTable table{"errors",
                   "Mean relative error of the images, data of the float32 products (eq. 4)",
                   {{"case", ""},
                    {"solver", ""},
                    {"products", ""},
                    {"iterations", ""},
                    {"relative error", ""},
                    {"over float32's", "%"},
                    {"an iteration per image", "ms"},
                    {"why not", ""}},
                   {}};
  StudyChart chart{
      "errors", "Mean relative error (Fig. 8)", "iterations", "relative error", false, true, {}};
  double of_float32 = 0;
  for (const Run& one : runs(context)) {
    const std::string label = context.catalog().solvers.at(one.solver, one.products.backend).label,
                      name = label + ", " + one.products.full_name();
    StudyCurve curve{name, {}, {}};
    const TrackedRun run = follow(context, one, setting, data, pictures, iterations, curve);
    if (curve.y.empty()) {
      table.rows.push_back(
          {describe_case(setting), label, one.products.full_name(), {}, {}, {}, {}, run.problem});
      continue;
    }
    const double error = curve.y.back(), count = curve.x.back();
    if (of_float32 == 0) of_float32 = error;
    const bool same = std::string(one.solver) == "cgls" && count == iterations;
    table.rows.push_back({describe_case(setting), label, one.products.full_name(), count, error,
                          same ? StudyCell(100 * (error / of_float32 - 1)) : StudyCell(),
                          1e3 * run.seconds.back() / count / setting.grid.nz,
                          count == iterations ? ""
                          : run.seconds.back() > most_seconds
                              ? "cut short after " + three_digits(most_seconds) + " s"
                              : "it could go no further"});
    if (!run.image.empty())
      result.images.push_back(
          slice_image("reconstruction-" + std::to_string(chart.curves.size()),
                      pictures.names.front() + ", " + name + ", " +
                          std::to_string(run.rmse.size()) + " iterations",
                      std::span(run.image).first(one_slice(setting.grid).voxels()),
                      one_slice(setting.grid), {0, 1}));
    chart.curves.push_back(std::move(curve));
    context.show(result, table);
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
}

}  // namespace gantry::tensor_cores
