#include "core/centring/row_slices.hpp"

#include "core/geometry/default_scan.hpp"
#include "core/geometry/scan_coverage.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/direct/filtered_backprojection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

constexpr int fewest = 16;          // columns, views
constexpr double least_side = 0.5;  // of the wider side of the axis

/// Returns the index of the middle row; nothing if a cone beam has none.
std::optional<int> middle_row_index(const ScanGeometry& geometry) {
  if (geometry.beam() != Beam::cone) return geometry.rows() / 2;
  const auto row = std::lround(geometry.spec().central_row);
  if (row < -1 || row > geometry.rows()) return std::nullopt;
  return std::clamp(static_cast<int>(row), 0, geometry.rows() - 1);
}

/// Whether most lines of a whole turn are seen from both sides of the stated axis.
bool sees_both_sides(const ScanSpec& spec) {
  const double low = spec.central_column + 0.5, high = spec.detector_columns - low;
  return ScanCoverage(ScanGeometry(spec), 2 * pi).complete() &&
         std::min(low, high) >= least_side * std::max(low, high);
}

/// Returns the weights of rays that slices of all axes share. If each axis had its own weights,
/// slices with more noise, or with a larger weight of one side, would look sharper. In a parallel
/// beam, and where lines are measured from both sides, both sides get equal weights: for a wrong
/// axis, opposite views then show every edge twice, which reveals the error; weights for an axis
/// off the middle would hide it. Else the weights are those of the stated axis.
std::vector<float> common_weights(ScanSpec spec) {
  if (spec.beam == Beam::parallel || sees_both_sides(spec))
    spec.central_column = 0.5 * (spec.detector_columns - 1);
  return FilteringPlan::of(ScanGeometry(spec), "hann", 1).column_weight;
}

}  // namespace

bool has_middle_row(const ScanGeometry& geometry) {
  return middle_row_index(geometry) && geometry.spec().trajectory == Trajectory::circular &&
         geometry.columns() >= fewest && geometry.views() >= fewest;
}

std::optional<RowScan> middle_row(const ScanGeometry& geometry,
                                  std::span<const float> line_integrals, int most_columns,
                                  int most_views) {
  const auto index = middle_row_index(geometry);
  if (!has_middle_row(geometry)) return std::nullopt;
  RowScan row{geometry.spec(), {}};
  row.bin = (geometry.columns() + most_columns - 1) / most_columns;
  const int every = (geometry.views() + most_views - 1) / most_views,
            columns = geometry.columns() / row.bin, left = (geometry.columns() % row.bin) / 2;
  row.first_column = left + 0.5 * (row.bin - 1);
  if (row.spec.beam == Beam::cone) row.spec.beam = Beam::fan;
  row.spec.detector_columns = columns;
  row.spec.column_pitch_mm *= row.bin;
  row.spec.central_column = row.binned(row.spec.central_column);
  row.spec.detector_rows = 1;
  row.spec.central_row = 0;
  row.spec.view_angles_rad.clear();
  for (int view = 0; view < geometry.views(); view += every) {
    row.spec.view_angles_rad.push_back(geometry.angle_rad(view));
    const float* from = line_integrals.data() +
                        (std::ptrdiff_t{view} * geometry.rows() + *index) * geometry.columns() +
                        left;
    for (int column = 0; column < columns; ++column) {
      float sum = 0;
      for (int part = 0; part < row.bin; ++part) sum += *from++;
      row.line_integrals.push_back(sum / static_cast<float>(row.bin));
    }
  }
  return row;
}

RowSlices::RowSlices(RowScan row, const Interrupt* interrupt, SliceWeights weights)
    : row_(std::move(row)), interrupt_(interrupt) {
  // The detector is extended on its shorter side, so that the grid holds the circle that the longer
  // side sees.
  const ScanGeometry geometry(with_both_sides(row_.spec));
  const double pixel_mm = 2 * geometry.field_of_view_radius_mm() / geometry.columns();
  grid_ = VolumeGrid::centered(geometry.columns(), geometry.columns(), 1,
                               {pixel_mm, pixel_mm, pixel_mm});
  data_ = Array::from(backend_, row_.line_integrals);
  if (weights == SliceWeights::common || row_.spec.beam == Beam::parallel)
    column_weight_ = common_weights(row_.spec);
}

std::vector<float> RowSlices::slice(double axis_column) const {
  ScanSpec spec = row_.spec;
  spec.central_column = row_.binned(axis_column);
  const auto geometry = std::make_shared<const ScanGeometry>(spec);
  const auto projector = make_siddon(backend_, geometry, grid_, {});
  projector->set_interrupt(interrupt_);
  Array mu(backend_, grid_.voxels());
  FilteringPlan plan = FilteringPlan::of(*geometry, "hann", 1);
  if (!column_weight_.empty()) plan.column_weight = column_weight_;
  make_cpu_filtered_sum(*projector, std::move(plan))->compute(data_, mu);
  return mu.to_host();
}

}  // namespace gantry
