// ART and its parallel forms on exact data of the area-integral model (Yu et al. 2019, Fig. 13).
//
//   ART           f += lambda (p_i - <w_i, f>) / ||w_i||^2 w_i, ray after ray      (their eq. 1)
//   whole scan    f += c W^T diag(1 / ||w_i||^2) (p - W f), all rays at once      (their eq. 9)
//   view by view  the update of eq. 9 with the rays of one view, view after view
//
// As printed c = lambda / M, with M the number of rays taken together. With lambda up to 1 this is
// far below the bound 2 / s, s the largest eigenvalue of W^T diag(1 / ||w_i||^2) W, and the image
// hardly changes.
#include "core/backend/cpu_backend.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/metrics/ssim.hpp"
#include "core/phantoms/shepp_logan.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "core/solvers/view_order.hpp"
#include "studies/cuart/printed.hpp"
#include "studies/row_matrix.hpp"
#include "studies/study_list.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

constexpr int side = 128, views = 180, rays_per_view = 192;
constexpr double eps = 0.4621;  // half the image side over the source's distance

/// The problem W f = p with its true image.
struct Problem {
  VolumeGrid grid = VolumeGrid::centered(side, side, 1, {1, 1, 1});
  std::vector<float> truth;
  RowMatrix matrix;
  std::vector<double> data;

  Problem() : truth(phantom(grid)), matrix(make_matrix(grid)), data(matrix.rows()) {
    const std::vector<double> f(truth.begin(), truth.end());
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = matrix.dot(i, f);
  }

  static std::vector<float> phantom(const VolumeGrid& grid) {
    Params params = resolve_params({{"size_mm", 1.0 * side}, {"mu_scale", 1.0}},
                                   shepp_logan_params(), "shepp_logan");
    std::vector<float> values(grid.voxels());
    voxelise(*make_shepp_logan(params), grid, 4, values);
    for (float& value : values) value = std::max(value, 0.0F);
    return values;
  }

  static RowMatrix make_matrix(const VolumeGrid& grid) {
    ScanSpec spec;
    spec.beam = Beam::fan;
    spec.detector = DetectorShape::arc;
    spec.source_to_isocenter_mm = 0.5 * side / eps;
    spec.source_to_detector_mm = 2 * spec.source_to_isocenter_mm;
    spec.detector_columns = rays_per_view;
    spec.column_pitch_mm = 2 * std::asin(eps) / rays_per_view * spec.source_to_detector_mm;
    spec.row_pitch_mm = 1;
    spec.central_column = 0.5 * (rays_per_view - 1);
    spec.view_angles_rad = angles_from_degrees(181, 2, views);  // the first source is near +y
    CpuBackend backend;
    return RowMatrix(*make_area_integral(backend, std::make_shared<const ScanGeometry>(spec), grid,
                                         {{"normalisation", std::string("area")}}));
  }

  double rmse(const std::vector<double>& f) const {
    double sum = 0;
    for (std::size_t j = 0; j < f.size(); ++j) sum += (f[j] - truth[j]) * (f[j] - truth[j]);
    return std::sqrt(sum / static_cast<double>(f.size()));
  }
  double similarity(const std::vector<double>& f) const {
    const std::vector<float> image(f.begin(), f.end());
    return ssim({grid, image, truth, {}, range_of(truth)});
  }
  double inverse_square(std::size_t i) const {
    return matrix.row_square(i) > 0 ? 1 / matrix.row_square(i) : 0;
  }
};

struct Method {
  std::string name;
  double factor;        ///< c, or lambda of ART
  std::size_t at_once;  ///< rays taken together; 1 is ART
  ViewOrder order = ViewOrder::natural;
  int iterations;
};

/// Computes f += c sum_i (p_i - <w_i, f>) / ||w_i||^2 w_i over at_once rays from `first` on.
void update(const Problem& problem, const Method& method, std::size_t first, std::vector<double>& f,
            std::vector<double>& scaled) {
  scaled.resize(method.at_once);
  for (std::size_t k = 0; k < method.at_once; ++k) {
    const std::size_t i = first + k;
    scaled[k] =
        method.factor * problem.inverse_square(i) * (problem.data[i] - problem.matrix.dot(i, f));
  }
  for (std::size_t k = 0; k < method.at_once; ++k) problem.matrix.add(first + k, scaled[k], f);
}

void sweep(const Problem& problem, const Method& method, std::vector<double>& f,
           std::vector<double>& scaled) {
  if (method.at_once == problem.matrix.rows()) return update(problem, method, 0, f, scaled);
  for (const int view : visiting_order(method.order, views, 0, 0)) {
    const std::size_t first = static_cast<std::size_t>(view) * rays_per_view;
    // Within a view the rays are taken in order of falling fan angle, as the paper numbers them.
    for (std::size_t k = 0; k < rays_per_view; k += method.at_once)
      update(problem, method, first + rays_per_view - method.at_once - k, f, scaled);
  }
}

struct Outcome {
  std::vector<double> rmse;
  double similarity = 0;
  int similar_after = 0;
};

Outcome run(const Problem& problem, const Method& method) {
  std::vector<double> f(problem.matrix.columns(), 0.0), scaled;
  Outcome outcome;
  for (int k = 0; k < method.iterations; ++k) {
    sweep(problem, method, f, scaled);
    outcome.rmse.push_back(problem.rmse(f));
    if (!std::isfinite(outcome.rmse.back())) break;
  }
  outcome.similarity = problem.similarity(f);
  outcome.similar_after = static_cast<int>(outcome.rmse.size());
  return outcome;
}

/// Returns the largest eigenvalue of W_v^T diag(1 / ||w_i||^2) W_v over the rays first .. first +
/// count - 1.
double largest_eigenvalue(const Problem& problem, std::size_t first, std::size_t count) {
  std::vector<double> x(problem.matrix.columns(), 1.0), y(x.size());
  double value = 0;
  for (int k = 0; k < 60; ++k) {
    std::ranges::fill(y, 0.0);
    for (std::size_t i = first; i < first + count; ++i)
      problem.matrix.add(i, problem.inverse_square(i) * problem.matrix.dot(i, x), y);
    const double norm = std::sqrt(std::inner_product(y.begin(), y.end(), y.begin(), 0.0));
    value = norm / std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = y[j] / norm;
  }
  return value;
}

std::vector<Method> methods(const Problem& problem, double bound, int most) {
  const std::size_t all = problem.matrix.rows(), view = rays_per_view;
  const double rows = static_cast<double>(all);
  std::vector<Method> list = {
      {"ART, lambda 1", 1, 1, ViewOrder::natural, 20},
      {"ART, lambda 0.2", 0.2, 1, ViewOrder::natural, 30},
      {"ART, lambda 1, golden views", 1, 1, ViewOrder::golden, 20},
      {"whole scan as printed, lambda 1", 1 / rows, all, ViewOrder::natural, 60},
      {"whole scan, half of the largest step", 0.5 * bound, all, ViewOrder::natural, 60},
      {"whole scan, 0.9 of the largest step", 0.9 * bound, all, ViewOrder::natural, 60},
      {"whole scan, 1.02 of the largest step", 1.02 * bound, all, ViewOrder::natural, 60},
      {"by view as printed, lambda 1", 1.0 / rays_per_view, view, ViewOrder::natural, 60},
      {"by view as printed, lambda 10", 10.0 / rays_per_view, view, ViewOrder::natural, 60},
      {"by view, c 0.25", 0.25, view, ViewOrder::natural, 60},
      {"by view, c 0.5", 0.5, view, ViewOrder::natural, 60},
      {"by view, c 1", 1, view, ViewOrder::natural, 60},
      {"by view, c 1, golden views", 1, view, ViewOrder::golden, 60}};
  for (Method& method : list)
    if (most > 0) method.iterations = std::min(method.iterations, most);
  return list;
}

/// Returns the first iteration from which on each changes the error by less than a thousandth of
/// itself; an empty cell if there is none.
StudyCell settled_after(const std::vector<double>& rmse) {
  std::size_t k = rmse.size();
  while (k > 1 && std::abs(rmse[k - 1] - rmse[k - 2]) < 1e-3 * rmse[k - 1]) --k;
  return k < rmse.size() ? StudyCell(static_cast<double>(k + 1)) : StudyCell();
}

StudyCell reached_after(const std::vector<double>& rmse, double level) {
  const auto found = std::ranges::find_if(rmse, [=](double value) { return value <= level; });
  if (found == rmse.end()) return {};
  return static_cast<double>(found - rmse.begin() + 1);
}

StudyTable curve_table(const Problem& problem, const std::vector<Method>& list,
                       const std::vector<Outcome>& outcomes) {
  char empty[32];
  std::snprintf(empty, sizeof empty, "%.4f",
                problem.rmse(std::vector<double>(problem.truth.size(), 0.0)));
  StudyTable table{"rmse",
                   std::string("RMSE after so many iterations (") + empty + " of the empty image)",
                   {{"method", ""}},
                   {}};
  const int stops[] = {1, 5, 15, 30, 50};
  for (const int stop : stops) table.columns.push_back({std::to_string(stop), ""});
  for (std::size_t m = 0; m < list.size(); ++m) {
    std::vector<StudyCell> row = {list[m].name};
    for (const int stop : stops)
      row.push_back(outcomes[m].rmse.size() >= static_cast<std::size_t>(stop)
                        ? StudyCell(outcomes[m].rmse[static_cast<std::size_t>(stop) - 1])
                        : StudyCell());
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The numbers of Fig. 13 and Table 2 that stand beside a method: those of the forms of print.
struct Printed {
  StudyCell iterations, similarity;
};
Printed printed_of(const std::string& method) {
  if (method == "ART, lambda 1") return {1.0 * cuart::printed::art_iterations, {}};
  if (method == "whole scan as printed, lambda 1")
    return {1.0 * cuart::printed::global_iterations, cuart::printed::global_ssim};
  if (method == "by view as printed, lambda 1")
    return {1.0 * cuart::printed::view_iterations, cuart::printed::view_ssim};
  return {};
}

StudyTable summary_table(const std::vector<Method>& list, const std::vector<Outcome>& outcomes) {
  StudyTable table{"convergence",
                   "Iterations to converge and likeness at the end (Yu et al. 2019, Fig. 13, Table "
                   "2; here 128^2 pixels and 180 views x 192 rays, print 1024^2 pixels, no "
                   "comparison like for like); level: ART with lambda 1 after 15",
                   {{"method", ""},
                    {"printed", "iterations"},
                    {"to the level", "iterations"},
                    {"until it changes by less than 0.1 % for good", "iterations"},
                    {"SSIM printed", ""},
                    {"SSIM here", ""},
                    {"after", "iterations"}},
                   {}};
  const double level = outcomes[0].rmse[std::min<std::size_t>(14, outcomes[0].rmse.size() - 1)];
  for (std::size_t m = 0; m < list.size(); ++m) {
    const Printed printed = printed_of(list[m].name);
    table.rows.push_back({list[m].name, printed.iterations, reached_after(outcomes[m].rmse, level),
                          settled_after(outcomes[m].rmse), printed.similarity,
                          outcomes[m].similarity, static_cast<double>(outcomes[m].similar_after)});
  }
  return table;
}

std::string rounded(double value) { return std::to_string(static_cast<int>(std::lround(value))); }

}  // namespace

StudyResult study_art_convergence(const StudyOptions& options) {
  const Problem problem;
  const std::size_t all = problem.matrix.rows();
  const double s = largest_eigenvalue(problem, 0, all),
               s_view = largest_eigenvalue(problem, 0, rays_per_view);
  const std::vector<Method> list = methods(problem, 2 / s, options.iterations);
  std::vector<Outcome> outcomes(list.size());
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t m = 0; m < list.size(); ++m)
    errors.run([&] { outcomes[m] = run(problem, list[m]); });
  errors.rethrow();

  StudyResult result;
  result.scale = 128.0 / cuart::printed::image_side;
  result.notes = {
      "Substitute: modified Shepp-Logan, 128 x 128, 180 views x 192 rays of a fan on an arc, exact "
      "data of the matrix itself, raw area weights. Print has an image of 1024 x 1024 and "
      "720 views; its scanner, lambda and rule of convergence are not stated.",
      "Largest eigenvalue of W^T diag(1/||w||^2) W: " + rounded(s) +
          ", so that the printed form lambda / M stays stable up to lambda " +
          rounded(2 * static_cast<double>(all) / s) + " (by view up to " +
          rounded(2 * rays_per_view / s_view) +
          "): with lambda up to 1 it cannot converge within 50 iterations."};
  result.tables = {curve_table(problem, list, outcomes), summary_table(list, outcomes)};
  StudyChart chart{"art-convergence",
                   "RMSE of ART and of its parallel forms",
                   "iteration",
                   "RMSE",
                   false,
                   true,
                   {}};
  for (std::size_t m = 0; m < list.size(); ++m) {
    StudyCurve curve{list[m].name, {}, outcomes[m].rmse};
    for (std::size_t k = 0; k < curve.y.size(); ++k) curve.x.push_back(static_cast<double>(k + 1));
    chart.curves.push_back(std::move(curve));
  }
  result.charts.push_back(std::move(chart));
  return result;
}

}  // namespace gantry
