// Errors of 1000 iterations of SART, and the middle line of the image: Chen et al., Table 3 and
// Fig. 7. The paper's eq. 2,
//   x_j += (sum_i a_ij (p_i - <a_i, x>) / sum_m a_im) / sum_i a_ij,   i over the rays of a view,
// projects onto the rays of a view along directions that are orthogonal in the norm weighted by the
// column sums of this view. Only in this norm does the update of a view never increase the error.
// The norm changes from view to view, so that a sweep may increase the error; it does where rays
// are further apart than pixels are wide, for any relaxation and order. For comparison the study
// runs view-level updates with one norm for all views,
//   x_j += lambda / M' sum_i a_ij (p_i - <a_i, x>) / ||a_i||^2,
// with lambda at half its bound, which never increase the error (Yu et al. 2019, eq. 9).
#include "studies/matrix_cbct/parts.hpp"
#include "studies/matrix_cbct/sweep_growth.hpp"
#include "studies/slice_image.hpp"
#include "studies/tracked_run.hpp"

#include <algorithm>
#include <cstdio>

namespace gantry::matrix_cbct {

namespace {

/// Attenuation of the value 1, with which errors are also given in 1/mm.
constexpr double mu_water = 0.02;
constexpr const char* printed_method = "SART as printed";

StudyCurve curve_of(const std::string& name, const std::vector<double>& y) {
  StudyCurve curve{name, {}, y};
  for (std::size_t k = 0; k < y.size(); ++k) curve.x.push_back(static_cast<double>(k + 1));
  return curve;
}

/// Returns an end of the axis that leaves some height to methods that converge.
double top_of(const StudyChart& chart) {
  double largest_first = 0;
  for (const StudyCurve& curve : chart.curves)
    largest_first = std::max(largest_first, curve.y.front());
  return largest_first > 0 ? 10 * largest_first : StudyChart{}.top;
}

std::string five_decimals(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5f", value);
  return text;
}

/// Returns the methods on a backend. On a computer with a GPU the CPU runs print's method alone:
/// methods A and B of print, whose weights are the same, once computed anew and once stored.
std::vector<TrackedMethod> methods(const MatrixStudyContext& context, const std::string& backend) {
  std::vector<TrackedMethod> all;
  for (const bool nonnegative : {false, true}) {
    const std::string bound = nonnegative ? ", x >= 0" : "";
    Params sart = printed_sart(),
           common = {{"scope", std::string("views")}, {"order", std::string("natural")}};
    sart.set("nonnegative", nonnegative);
    common.set("nonnegative", nonnegative);
    all.push_back({printed_method + bound, "sart", sart, context.iterations(printed::iterations)});
    if (context.has_gpu() && on_host(backend)) return all;
    all.push_back({"one norm for all views" + bound, "parallel_art", common,
                   context.iterations(printed::iterations)});
  }
  return all;
}

/// All methods at one size.
class Size {
 public:
  Size(MatrixStudyContext& context, std::string backend, const printed::Size& printed)
      : context_(context),
        backend_(std::move(backend)),
        printed_(printed),
        setting_(setting_of(printed, context.scale())),
        truth_(square_phantom(context, "shepp_logan", {}, setting_.grid)),
        product_(context.stored(backend_, false).front()),
        A_(context.make(product_, setting_)),
        data_(exact_data(*A_, truth_)) {}

  void add(StudyTable& table, StudyChart& chart, StudyResult& result) {
    StudyChart profile{"profile-" + std::to_string(printed_.side) + "-" + backend_,
                       "Middle row, means of 3 x 3 pixels, " + describe_case(setting_) + ", " +
                           backend_ + " (Fig. 7)",
                       "pixel",
                       "value",
                       false,
                       false,
                       {curve_of("phantom", averaged_profile(truth_, setting_.grid))}};
    auto draw = [&, count = 0](const std::string& name, const std::vector<float>& image) mutable {
      result.images.push_back(slice_image(
          "fig-7-" + std::to_string(printed_.side) + "-" + backend_ + "-" + std::to_string(count++),
          name + ", " + describe_case(setting_) + ", " + backend_ +
              (on_host(backend_) ? ", methods A and B" : ", method C") + " (Fig. 7)",
          image, setting_.grid, {0, 1}));
    };
    draw("phantom", truth_);
    for (const TrackedMethod& method : methods(context_, backend_)) {
      const TrackedRun run = track(context_, *A_, backend_, data_, truth_, method);
      add_row(method, run, table);
      context_.show(result, table);
      if (run.rmse.empty()) continue;
      chart.curves.push_back(
          curve_of(describe_case(setting_) + ", " + method.name + ", " + backend_, run.rmse));
      draw(method.name, run.image);
      // An image that has diverged would leave no height to the others.
      if (run.rmse.back() <= run.rmse.front())
        profile.curves.push_back(curve_of(method.name, averaged_profile(run.image, setting_.grid)));
    }
    result.charts.push_back(std::move(profile));
  }

  std::string equations() const {
    std::vector<float> ones(truth_.size(), 1.0F);
    const std::vector<float> sums = exact_data(*A_, ones);
    const auto hits = std::ranges::count_if(sums, [](float sum) { return sum > 0; });
    return describe_case(setting_) + ": " + std::to_string(hits) + " rays meet the image of " +
           std::to_string(truth_.size()) + " pixels";
  }

  const std::string& outcome() const { return outcome_; }

 private:
  void add_row(const TrackedMethod& method, const TrackedRun& run, StudyTable& table) {
    // Print has no numbers for other methods.
    const bool of_print = method.name == printed_method;
    const double rmse = on_host(backend_) ? printed_.cpu_rmse : printed_.gpu_rmse;
    const StudyCell printed = of_print ? StudyCell(rmse) : StudyCell();
    const double scale = context_.scale();
    const std::string what = std::to_string(printed_.side) + "^2 in print, here " +
                             describe_case(setting_) + ", " + backend_ +
                             (on_host(backend_) ? " (A, B)" : " (C)"),
                      unlike = scale != 1 ? another_size(scale)
                                          : "print states neither phantom nor scale of values";
    if (run.rmse.empty()) {
      table.compare({what, method.name, run.problem, {}, {}, {}, {}}, printed, {}, unlike,
                    Better::smaller);
      return;
    }
    const auto lowest = std::ranges::min_element(run.rmse);
    const double last = run.rmse.back();
    table.compare(
        {what, method.name, 1.0 * static_cast<double>(run.rmse.size()), *lowest,
         static_cast<double>(lowest - run.rmse.begin() + 1), mu_water * last, run.seconds.back()},
        printed, last, unlike, Better::smaller);
    context_.add_summary_line({"errors", "RMSE, " + method.name + ", " + what, "of values 0 to 1"},
                              printed, last, unlike, Better::smaller);
    if (of_print)
      outcome_ = describe_case(setting_) + ", " + backend_ + ": RMSE " + three_digits(last) +
                 " after " + std::to_string(run.rmse.size()) + " sweeps, " +
                 three_digits(last / rmse) + " times print's, the last of which took it times " +
                 five_decimals(run.rmse.size() > 1 ? last / run.rmse[run.rmse.size() - 2] : 1);
  }

  MatrixStudyContext& context_;
  std::string backend_;
  const printed::Size& printed_;
  BenchCase setting_;
  std::vector<float> truth_;
  MatrixMethod product_;
  std::unique_ptr<Projector> A_;
  std::vector<float> data_;
  std::string outcome_;  // of print's method
};

/// Adds print's numbers of method C, which needs a GPU.
void add_method_c(MatrixStudyContext& context, StudyTable& table, StudyResult& result) {
  for (const printed::Size& size : context.wanted_sizes(printed::sizes)) {
    const std::string image = std::to_string(size.side) + "^2";
    table.compare({image + " in print, on a GPU (C)", printed_method, {}, {}, {}, {}, {}},
                  size.gpu_rmse, needs_cuda, like_for_like, Better::smaller);
    context.add_summary_line(
        {"errors", "RMSE, " + std::string(printed_method) + ", " + image + ", on a GPU (C)",
         "of values 0 to 1"},
        size.gpu_rmse, needs_cuda, like_for_like, Better::smaller);
  }
  result.notes.emplace_back(
      "Fig. 7 and Table 3: method C is that of a GPU and needs a CUDA device; A and B, which "
      "differ in where their weights are, give one image.");
}

}  // namespace

void errors(MatrixStudyContext& context, StudyResult& result) {
  StudyTable table = StudyTable::comparing("table-3", "RMSE after 1000 iterations (Table 3)",
                                           {{"case", ""},
                                            {"method", ""},
                                            {"iterations", ""},
                                            {"lowest", "of values 0 to 1"},
                                            {"at", "iteration"},
                                            {"last, 0.02/mm for 1", "1/mm"},
                                            {"iterating", "s"}},
                                           "of values 0 to 1");
  StudyChart chart{"errors",    "RMSE of SART (Table 3); what leaves the frame diverges",
                   "iteration", "RMSE, of values 0 to 1",
                   true,        true,
                   {}};
  std::string equations, outcomes;
  for (const printed::Size& size : context.wanted_sizes(printed::sizes))
    for (const std::string& backend : context.matrix_backends()) {
      Size computed(context, backend, size);
      computed.add(table, chart, result);
      outcomes += (outcomes.empty() ? "" : "; ") + computed.outcome();
      if (backend == context.fastest_backend())
        equations += (equations.empty() ? "" : "; ") + computed.equations();
    }
  if (!context.has_gpu()) add_method_c(context, table, result);
  result.tables.push_back(std::move(table));
  chart.top = top_of(chart);
  result.charts.insert(result.charts.begin(), std::move(chart));
  result.notes.push_back(
      "Errors: modified Shepp-Logan as wide as the image, values from 0 to 1, four points a pixel "
      "side; data are the matrix times these pixels, without noise; start from zero, no "
      "relaxation, views as measured. In print neither phantom nor scale of values nor data are "
      "stated; its rows 1 and 2 are taken for 256^2 and 512^2. Errors are of the phantom's own "
      "values; for an attenuation of 0.02/mm where the phantom is 1 they are 50 times smaller, but "
      "that scale is a choice, not print's word. Rays: " +
      equations + ": without x >= 0 no method can find the image from fewer rays than pixels.");
  context.say("growth of a sweep");
  const SweepGrowth growth(context);
  result.notes.push_back(
      "Print's RMSE is not reproduced by the method as printed, " + outcomes +
      ". It does not converge on these scans: a view's correction shortens errors in the norm that "
      "the view's own column sums weigh, "
      "and these differ from view to view. On " +
      growth.described() + ", the largest eigenvalue of a sweep (float64, dense) is " +
      five_decimals(growth.of({})) + "; with a relaxation of 0.01 " +
      five_decimals(growth.of({.relaxation = 0.01})) + ", with the views in golden order " +
      five_decimals(growth.of({.order = ViewOrder::golden})) +
      ", with columns below a tenth of the mean left out " +
      five_decimals(growth.of({.least_column = 0.1})) + ", and with one norm for all views " +
      five_decimals(growth.of({.one_norm = true})) +
      ". Above 1 errors grow, and where all but the last exceed 1, neither relaxation nor order "
      "nor "
      "small divisors are the cause; 1 is of errors that no ray sees, which stay.");
}

}  // namespace gantry::matrix_cbct
