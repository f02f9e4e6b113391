#include "studies/scaled_case.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

int scaled_count(int count, double scale, int least) {
  return std::max(std::min(count, least), static_cast<int>(std::lround(count * scale)));
}

/// Returns the fractional index on `to` cells at the position of `index` on `from` cells.
double scaled_index(double index, int from, int to) { return (index + 0.5) * to / from - 0.5; }

VolumeGrid scaled(const VolumeGrid& grid, double scale) {
  VolumeGrid out = grid;
  out.nx = scaled_count(grid.nx, scale, 8);
  out.ny = scaled_count(grid.ny, scale, 8);
  out.nz = scaled_count(grid.nz, scale, 2);
  out.spacing_mm = {grid.spacing_mm.x * grid.nx / out.nx, grid.spacing_mm.y * grid.ny / out.ny,
                    grid.spacing_mm.z * grid.nz / out.nz};
  out.origin_mm = grid.lower_corner_mm() + 0.5 * out.spacing_mm;
  return out;
}

/// Returns `count` angles in equal steps that cover the same angle around the same middle.
std::vector<double> scaled(const std::vector<double>& angles, int count) {
  const double step = (angles.back() - angles.front()) / static_cast<double>(angles.size() - 1) *
                      static_cast<double>(angles.size()) / count;
  const double middle = 0.5 * (angles.back() + angles.front());
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(middle + (i - 0.5 * (count - 1)) * step);
  return out;
}

}  // namespace

BenchCase scaled(const BenchCase& setting, double scale, int views_of) {
  ScanSpec spec = setting.geometry->spec();
  const int columns = scaled_count(spec.detector_columns, scale, 16),
            rows = scaled_count(spec.detector_rows, scale, 2),
            views = scaled_count(setting.geometry->views(), scale, 16) / views_of * views_of;
  spec.central_column = scaled_index(spec.central_column, spec.detector_columns, columns);
  spec.central_row = scaled_index(spec.central_row, spec.detector_rows, rows);
  spec.column_pitch_mm *= 1.0 * spec.detector_columns / columns;
  spec.row_pitch_mm *= 1.0 * spec.detector_rows / rows;
  spec.detector_columns = columns;
  spec.detector_rows = rows;
  spec.view_angles_rad = scaled(spec.view_angles_rad, views);
  return {setting.name, std::make_shared<const ScanGeometry>(spec), scaled(setting.grid, scale)};
}

}  // namespace gantry
