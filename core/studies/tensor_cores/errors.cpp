// Relative error against iterations of CGLS, with weights and vectors of half precision and of
// float32: Nourazar and Goossens 2021, eq. 4 and Fig. 8. In print 23 photographs; here the
// Shepp-Logan head, each slice with a contrast of its own.
#include "core/studies/tensor_cores/parts.hpp"
#include "core/studies/tracked_run.hpp"

#include <cmath>

namespace gantry::tensor_cores {

namespace {

/// The phantom in every slice, weaker from one to the next: a stack whose values have a range.
std::vector<float> stack_of_heads(const MatrixWorkshop& workshop, const VolumeGrid& grid) {
  VolumeGrid slice = grid;
  slice.nz = 1;
  slice.origin_mm.z = 0;
  const std::vector<float> head = square_phantom(workshop, "shepp_logan", {}, slice);
  std::vector<float> all;
  for (int z = 0; z < grid.nz; ++z)
    for (const float value : head) all.push_back(value / static_cast<float>(1 + z));
  return all;
}

}  // namespace

void errors(MatrixWorkshop& workshop, StudyResult& result) {
  const BenchCase setting =
      setting_of(workshop.wanted_sizes(printed::sizes).back().side, workshop.scale());
  const std::vector<float> truth = stack_of_heads(workshop, setting.grid);
  const double norm = rmse_of(std::vector<float>(truth.size(), 0.0F), truth);
  const std::vector<MatrixMethod> all = methods(workshop);
  const std::vector<float> data = exact_data(*workshop.make(all.front(), setting), truth);
  const int iterations = workshop.iterations(printed::iterations);

  StudyTable table{"errors",
                   "Relative error of CGLS, data of the float32 matrix (eq. 4)",
                   {{"case", ""},
                    {"products", ""},
                    {"iterations", ""},
                    {"relative error", ""},
                    {"over float32's", "%"},
                    {"an iteration per image", "ms"},
                    {"why not", ""}},
                   {}};
  StudyChart chart{"errors", "Relative error of CGLS", "iterations", "relative error", false, true,
                   {}};
  double of_float32 = 0;
  for (const MatrixMethod& method : all) {
    workshop.say("CGLS, " + method.full_name());
    TrackedRun run;
    try {
      run = track(workshop, *workshop.make(method, setting), method.backend, data, truth,
                  {method.full_name(), "cgls", {}, iterations});
    } catch (const UsageError& error) {
      run.problem = error.what();
    }
    if (run.rmse.empty()) {
      table.rows.push_back(
          {describe_case(setting), method.full_name(), {}, {}, {}, {}, run.problem});
      continue;
    }
    StudyCurve curve{method.full_name(), {}, {}};
    for (std::size_t i = 0; i < run.rmse.size(); ++i) {
      curve.x.push_back(static_cast<double>(i + 1));
      curve.y.push_back(run.rmse[i] / norm);
    }
    const double error = curve.y.back(), count = curve.x.back();
    if (of_float32 == 0) of_float32 = error;
    table.rows.push_back({describe_case(setting),
                          method.full_name(),
                          count,
                          error,
                          100 * (error / of_float32 - 1),
                          1e3 * run.seconds.back() / count / setting.grid.nz,
                          {}});
    chart.curves.push_back(std::move(curve));
    workshop.show(result, table);
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
}

}  // namespace gantry::tensor_cores
