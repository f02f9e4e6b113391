#include "core/centring/row_slices.hpp"

#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/geometry/scan_coverage.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/direct/filtered_backprojection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

constexpr int fewest = 16;          // columns, views
constexpr double least_side = 0.5;  // of the wider side of the axis

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

std::optional<int> middle_row_index(const ScanGeometry& geometry) {
  if (geometry.spec().trajectory != Trajectory::circular || geometry.columns() < fewest ||
      geometry.views() < fewest)
    return std::nullopt;
  if (geometry.beam() != Beam::cone) return geometry.rows() / 2;
  const auto row = std::lround(geometry.spec().central_row);
  if (row < -1 || row > geometry.rows()) return std::nullopt;
  return std::clamp(static_cast<int>(row), 0, geometry.rows() - 1);
}

namespace {

/// A point of the detector, with the weights of the four columns and rows about it.
struct Between {
  std::array<int, 4> columns = {}, rows = {};
  std::array<float, 4> of_columns = {}, of_rows = {};
};

/// Returns the cells about a fractional index in one direction, and their weights by the cubic
/// B-spline; beyond the ends, the outermost cell stands for those that are missing.
void take_cells(double index, int last, std::array<int, 4>& cells, std::array<float, 4>& weights) {
  const double low = std::floor(index), t = index - low, u = 1 - t;
  weights = {
      static_cast<float>(u * u * u / 6), static_cast<float>((4 - 6 * t * t + 3 * t * t * t) / 6),
      static_cast<float>((4 - 6 * u * u + 3 * u * u * u) / 6), static_cast<float>(t * t * t / 6)};
  for (std::size_t k = 0; k < cells.size(); ++k)
    cells[k] = std::clamp(static_cast<int>(low) + static_cast<int>(k) - 1, 0, last);
}

/// Returns the points on a detector with a roll where the cells of a row would be without it.
std::vector<Between> tilted_row(const ScanSpec& spec, int row, double roll_rad) {
  std::vector<Between> points(static_cast<std::size_t>(spec.detector_columns));
  const double c = std::cos(roll_rad), s = std::sin(roll_rad),
               v_mm = (row - spec.central_row) * spec.row_pitch_mm;
  const int last_column = spec.detector_columns - 1, last_row = spec.detector_rows - 1;
  for (int column = 0; column <= last_column; ++column) {
    const double u_mm = (column - spec.central_column) * spec.column_pitch_mm,
                 x = spec.central_column + (u_mm * c + v_mm * s) / spec.column_pitch_mm,
                 y = spec.central_row + (v_mm * c - u_mm * s) / spec.row_pitch_mm;
    constexpr double cell = 1;  // by which rows of a detector that just fits may be missed
    if (y < -cell || y > last_row + cell)
      throw UsageError("the row leaves the detector, which has too few rows for this tilt", {},
                       "try smaller tilts");
    Between& point = points[static_cast<std::size_t>(column)];
    take_cells(x, last_column, point.columns, point.of_columns);
    take_cells(y, last_row, point.rows, point.of_rows);
  }
  return points;
}

float value_at(const Between& point, const float* view, int columns) {
  float sum = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    const float* line = view + std::ptrdiff_t{point.rows[j]} * columns;
    float of_line = 0;
    for (std::size_t i = 0; i < 4; ++i) of_line += point.of_columns[i] * line[point.columns[i]];
    sum += point.of_rows[j] * of_line;
  }
  return sum;
}

}  // namespace

std::optional<RowScan> middle_row(const ScanGeometry& geometry,
                                  std::span<const float> line_integrals, int most_columns,
                                  int most_views, std::optional<double> roll_rad) {
  const auto index = middle_row_index(geometry);
  if (!index) return std::nullopt;
  const std::vector<Between> tilted =
      roll_rad ? tilted_row(geometry.spec(), *index, *roll_rad) : std::vector<Between>();
  std::vector<float> interpolated(tilted.size());
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
    const float* cells =
        line_integrals.data() + std::ptrdiff_t{view} * geometry.rows() * geometry.columns();
    std::ranges::transform(tilted, interpolated.begin(), [&](const Between& point) {
      return value_at(point, cells, geometry.columns());
    });
    const float* from = left + (tilted.empty() ? cells + std::ptrdiff_t{*index} * geometry.columns()
                                               : interpolated.data());
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
