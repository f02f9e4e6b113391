// The error of 1000 iterations of SART, and the image's middle row: Chen et al., Table 3 and
// Fig. 7.
#include "core/studies/matrix_cbct/parts.hpp"
#include "core/studies/matrix_cbct/printed.hpp"
#include "core/studies/tracked_run.hpp"

namespace gantry::matrix_cbct {

namespace {

constexpr double mu_water = 0.02;  // 1/mm, what a table's value of 1 stands for

StudyCurve curve_of(const std::string& name, const std::vector<double>& y) {
  StudyCurve curve{name, {}, y};
  for (std::size_t k = 0; k < y.size(); ++k) curve.x.push_back(static_cast<double>(k + 1));
  return curve;
}

void one(MatrixWorkshop& workshop, const std::string& backend, const BenchCase& setting,
         bool nonnegative, const printed::Size& printed, StudyTable& table, StudyChart& chart,
         StudyResult& result) {
  const std::vector<float> truth = square_phantom(workshop, "shepp_logan", {}, setting.grid);
  const std::vector<float> data = exact_data(*workshop.weights_on_cpu(setting), truth);
  const MatrixMethod product = workshop.stored(backend, false).front();
  const auto A = workshop.make(product, setting);
  Params params = printed_sart();
  params.set("nonnegative", nonnegative);
  const std::string bound = nonnegative ? ", x >= 0" : "";
  const TrackedRun run = track(workshop, *A, backend, data, truth,
                               {"SART" + bound + ", " + describe_case(setting), "sart", params,
                                workshop.iterations(printed::iterations)});
  const double printed_rmse = on_host(backend) ? printed.cpu_rmse : printed.gpu_rmse;
  const std::string what =
      std::to_string(printed.side) + "^2 in print, here " + describe_case(setting) + bound;
  if (run.rmse.empty()) {
    compare_at(workshop.scale_on(backend), table, {what, backend + ", " + run.problem, {}, {}, {}},
               printed_rmse, {});
    return;
  }
  const double rmse = run.rmse.back();
  compare_at(workshop.scale_on(backend), table,
             {what, backend + ", " + product.name(), 1.0 * static_cast<double>(run.rmse.size()),
              rmse_of(std::vector<float>(truth.size(), 0.0F), truth), mu_water * rmse},
             printed_rmse, rmse);
  workshop.sum_up({"errors", "RMSE, " + what + ", " + backend, "of value 1"}, printed_rmse, rmse,
                  workshop.scale_on(backend));
  chart.curves.push_back(curve_of(describe_case(setting) + bound + ", " + backend, run.rmse));
  result.charts.push_back(
      {"profile-" + std::to_string(printed.side) + "-" + backend + (nonnegative ? "-bounded" : ""),
       "Middle row, means of 3 x 3 pixels, " + describe_case(setting) + ", " + backend +
           " (Fig. 7)",
       "pixel",
       "value",
       false,
       false,
       {curve_of("phantom", averaged_profile(truth, setting.grid)),
        curve_of("SART", averaged_profile(run.image, setting.grid))}});
}

}  // namespace

void errors(MatrixWorkshop& workshop, StudyResult& result) {
  StudyTable table =
      StudyTable::comparing("table-3", "RMSE after SART, highest value of the phantom 1 (Table 3)",
                            {{"case", ""},
                             {"products", ""},
                             {"iterations", ""},
                             {"of the empty image", ""},
                             {"with 0.02/mm for 1", "1/mm"}},
                            "");
  StudyChart chart{"errors", "RMSE of SART", "iteration", "RMSE", true, true, {}};
  for (const std::string& backend : workshop.matrix_backends()) {
    const std::vector<BenchCase> cases = settings(workshop.scale_on(backend));
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const bool nonnegative : {false, true})
        one(workshop, backend, cases[i], nonnegative, printed::sizes[i], table, chart, result);
  }
  result.tables.push_back(std::move(table));
  result.charts.insert(result.charts.begin(), std::move(chart));
  result.notes.push_back(
      "Errors: modified Shepp-Logan as wide as the image, values from 0 to 1, four points a pixel "
      "side; data are the matrix times these pixels, without noise; start from zero, no "
      "relaxation, views as measured. In print neither phantom nor scaling nor data are stated; "
      "its rows 1 and 2 are taken for 256^2 and 512^2. As it is printed, SART scales each view by "
      "its own column sums and has no bound: it need not settle. With x >= 0 it is run as well.");
}

}  // namespace gantry::matrix_cbct
