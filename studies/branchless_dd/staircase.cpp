// Measures the steps of interpolation by texture hardware: Liu et al. 2017, Fig. 11. GPU-BL
// projects a pixel of value 1 in a parallel beam onto cells of 1/32768 of its width; its table then
// has F(0) = 0 and F(1) = 1 at the pixel's sides. A cell is (F(high) - F(low)) / width, so that the
// running sum of the cells, times the width, is F as the hardware interpolates it.
#include "studies/branchless_dd/parts.hpp"
#include "studies/branchless_dd/printed.hpp"

#include <algorithm>
#include <cmath>

namespace gantry::branchless_dd {

namespace {

constexpr int samples = 32768, drawn = 1024;

Setting one_pixel() {
  ScanSpec spec;
  spec.beam = Beam::parallel;
  spec.detector_columns = samples;
  spec.detector_rows = 1;
  spec.column_pitch_mm = 1.0 / samples;
  spec.row_pitch_mm = 1;
  spec.central_column = 0.5 * (samples - 1);
  spec.central_row = 0;
  spec.view_angles_rad = {0};
  return {"one pixel", std::make_shared<const ScanGeometry>(spec),
          VolumeGrid::centered(1, 1, 1, {1, 1, 1})};
}

/// Returns F at the upper sides of the cells.
std::vector<double> steps(const BranchlessContext& context, const Method& method) {
  const auto projector = context.make(method, one_pixel());
  Backend& backend = projector->backend();
  const Array pixel = Array::filled(backend, 1, 1);
  Array cells(backend, samples);
  projector->forward(pixel, cells);
  std::vector<double> sum;
  double so_far = 0;
  for (const float cell : cells.to_host()) sum.push_back(so_far += cell / samples);
  return sum;
}

/// The curves of Fig. 11: the values that are read (b), and their errors (c).
struct Charts {
  StudyChart values{
      "texture", "The first 1024 of 32768 samples (Fig. 11b)", "sample", "value read", false, false,
      {}};
  StudyChart errors{"texture-errors",
                    "Error of the first 1024 of 32768 samples (Fig. 11c)",
                    "sample",
                    "value read less exact value",
                    false,
                    false,
                    {}};
};

void add(const std::vector<double>& read, const std::string& name, bool printed_values,
         StudyTable& table, Charts& charts) {
  double largest = 0;
  int changes = 0;
  StudyCurve values{name, {}, {}}, errors{name, {}, {}};
  for (std::size_t i = 0; i < read.size(); ++i) {
    const double exact = static_cast<double>(i + 1) / samples;
    largest = std::max(largest, std::abs(read[i] - exact));
    // The threshold is far below a step of the hardware and far above the rounding error of the
    // sum.
    if (i > 0 && read[i] - read[i - 1] > 0.5 / samples) ++changes;
    if (i >= drawn) continue;
    values.x.push_back(static_cast<double>(i + 1));
    values.y.push_back(read[i]);
    errors.x.push_back(static_cast<double>(i + 1));
    errors.y.push_back(read[i] - exact);
  }
  table.compare({name, "samples a step"},
                printed_values ? StudyCell(printed::samples_a_step) : StudyCell(),
                changes > 0 ? StudyCell(1.0 * samples / changes) : StudyCell(), like_for_like);
  table.compare({name, "largest error"},
                printed_values ? StudyCell(printed::largest_staircase_error) : StudyCell(), largest,
                like_for_like, Better::smaller);
  charts.values.curves.push_back(std::move(values));
  charts.errors.curves.push_back(std::move(errors));
}

}  // namespace

void staircase(BranchlessContext& context, StudyResult& result) {
  context.say("the steps of texture hardware");
  StudyTable table = StudyTable::comparing(
      "texture",
      "Interpolation between 0 and 1 at 32768 samples, by projecting one pixel (Fig. 11)",
      {{"method", ""}, {"measure", ""}}, "");
  Charts charts;
  add(steps(context, on_cpu()), "CPU", false, table, charts);
  for (const Method& method : {gpu_bl(), gpu_db()})
    if (context.has(method))
      add(steps(context, method), method.printed, method.printed == "GPU-BL", table, charts);
  if (!context.has(gpu_bl())) {
    table.compare({"GPU-BL", "samples a step"}, printed::samples_a_step, needs_cuda, like_for_like);
    table.compare({"GPU-BL", "largest error"}, printed::largest_staircase_error, needs_cuda,
                  like_for_like);
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(charts.values));
  result.charts.push_back(std::move(charts.errors));
}

}  // namespace gantry::branchless_dd
