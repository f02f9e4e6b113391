// f_j += sum_v w_vj * y_v(c_vj, q_vj), with (c, q) where the centre of voxel j projects:
//   parallel  c = c0 + a / pitch                 q = q0 + z / row_pitch      w = 1
//   flat      c = c0 + SDD a / (d pitch)         zoom = SDD / d              w = d^-power
//   arc       c = c0 + SDD atan(a / d) / pitch   zoom = SDD / rho            w = rho^-power
// with a = x cos t + y sin t, d = SID - x sin t + y cos t, rho^2 = a^2 + d^2; for a cone beam
// q = q0 + (z - z_source) zoom / row_pitch. Column c and zoom do not depend on z, so that the
// innermost loop runs over a voxel line along z: the interpolation between two detector columns is
// done once for the whole line.
#include "core/projectors/voxel/voxel_backprojection.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/parallel_errors.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int most_views = 32;  // views that are added in one pass over the volume
// Values of these views: at most 16 MiB.
constexpr std::size_t batch_values = std::size_t{1} << 22;
// Voxel lines of one task: the sums stay in cache, and the task reads only a part of the detector.
constexpr int tile_width = 32, tile_height = 8;
// Voxels times views between two checks for an interrupt: some tenths of a second.
constexpr double updates_between_waits = 4e8;

/// Whether a single slice is seen by one detector row, without a cone.
bool is_single(const ScanGeometry& geometry, const VolumeGrid& grid) {
  return grid.nz == 1 && geometry.rows() == 1 && geometry.beam() != Beam::cone;
}

/// Returns the number of values of one arranged view: one line per detector column and three lines
/// of zeros, see VoxelValues.
std::size_t values_of_view(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const std::size_t lines = static_cast<std::size_t>(geometry.columns()) + 3;
  return lines * (is_single(geometry, grid) ? 1 : static_cast<std::size_t>(geometry.rows()) + 2);
}

int views_of_batch(std::size_t values) {
  return static_cast<int>(std::clamp<std::size_t>(batch_values / values, 1, most_views));
}

}  // namespace

/// The voxel lines with ix = first_x .. last_x - 1 and iy = first_y .. last_y - 1.
struct VoxelBackprojection::Tile {
  int first_x, last_x, first_y, last_y;
};

VoxelBackprojection::VoxelBackprojection(const Projector& projector, const ScanGeometry& geometry,
                                         int power)
    : projector_(projector),
      geometry_(geometry),
      grid_(projector.grid()),
      beam_(geometry_.beam() == Beam::parallel                 ? VoxelBeam::parallel
            : geometry_.spec().detector == DetectorShape::flat ? VoxelBeam::flat
                                                               : VoxelBeam::arc),
      power_(power),
      single_(is_single(geometry_, grid_)) {}

std::size_t VoxelBackprojection::view_values() const { return values_of_view(geometry_, grid_); }

std::size_t VoxelBackprojection::bytes(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const std::size_t values = values_of_view(geometry, grid),
                    views = static_cast<std::size_t>(
                        std::min(views_of_batch(values), geometry.views()));
  const std::size_t tile = static_cast<std::size_t>(tile_width) * tile_height *
                           static_cast<std::size_t>(grid.nz) * (is_single(geometry, grid) ? 0 : 1);
  return sizeof(float) *
         (views * (geometry.cells() + values) + static_cast<std::size_t>(cpu_threads()) * tile);
}

VoxelRow VoxelBackprojection::image_row(int view, int ix, int iy) const {
  const ScanSpec& spec = geometry_.spec();
  const double t = geometry_.angle_rad(view), cos_t = std::cos(t), sin_t = std::sin(t);
  const Vec3 p = grid_.voxel_center_mm(ix, iy, 0);
  const double gain =
      (beam_ == VoxelBeam::parallel ? 1.0 : spec.source_to_detector_mm) / spec.column_pitch_mm;
  const auto number = [](double value) { return static_cast<float>(value); };
  return {number(p.x * cos_t + p.y * sin_t),
          number(grid_.spacing_mm.x * cos_t),
          number(spec.source_to_isocenter_mm - p.x * sin_t + p.y * cos_t),
          number(-grid_.spacing_mm.x * sin_t),
          number(gain),
          number(spec.central_column)};
}

VoxelAxis VoxelBackprojection::axis(int view) const {
  const ScanSpec& spec = geometry_.spec();
  const bool cone = geometry_.beam() == Beam::cone;
  const double source_mm = cone ? geometry_.view(view).source_mm.z : 0;
  const double scale = (cone ? spec.source_to_detector_mm : 1.0) / spec.row_pitch_mm;
  return {static_cast<float>(spec.central_row),
          static_cast<float>((grid_.origin_mm.z - source_mm) * scale),
          static_cast<float>(grid_.spacing_mm.z * scale),
          grid_.nz,
          geometry_.rows(),
          cone};
}

/// Transposes a view [row][column] into padded lines, see VoxelValues.
void VoxelBackprojection::arrange(const float* rows, float* lines) const {
  const auto columns = static_cast<std::size_t>(geometry_.columns()),
             count = static_cast<std::size_t>(geometry_.rows()), stride = single_ ? 1 : count + 2;
  std::fill_n(lines, stride, 0.0F);
  std::fill_n(lines + (columns + 1) * stride, 2 * stride, 0.0F);
  if (single_) {
    std::copy_n(rows, columns, lines + 1);
    return;
  }
  constexpr std::size_t block = 16;  // columns transposed at a time: their lines stay in cache
  for (std::size_t first = 0; first < columns; first += block) {
    const std::size_t last = std::min(columns, first + block);
    for (std::size_t q = 0; q < count; ++q)
      for (std::size_t c = first; c < last; ++c)
        lines[(c + 1) * stride + q + 1] = rows[q * columns + c];
    for (std::size_t c = first; c < last; ++c) {
      float* line = lines + (c + 1) * stride;
      line[0] = line[1];
      line[count + 1] = line[count];
    }
  }
}

VoxelValues VoxelBackprojection::values(const float* lines, std::size_t place) const {
  return {lines + place * view_values(), single_ ? 1 : geometry_.rows() + 2, geometry_.columns()};
}

void VoxelBackprojection::add(ViewSubset subset, const LoadViews& load, float* volume) const {
  const int step = std::min(views_of_batch(view_values()), subset.count);
  if (step == 0) return;
  std::vector<float> rows(static_cast<std::size_t>(step) * geometry_.cells()),
      lines(static_cast<std::size_t>(step) * view_values());
  for (int first = 0; first < subset.count; first += step) {
    projector_.check_interrupt();
    std::vector<int> views;
    for (int i = first; i < std::min(subset.count, first + step); ++i)
      views.push_back(subset.view(i));
    load(views, rows.data());
    ParallelErrors errors;
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < views.size(); ++i)
      errors.run(
          [&] { arrange(rows.data() + i * geometry_.cells(), lines.data() + i * view_values()); });
    errors.rethrow();
    spread(views, lines.data(), volume);
  }
}

void VoxelBackprojection::spread(std::span<const int> views, const float* lines,
                                 float* volume) const {
  const bool by_rows = grid_.nz == 1;
  const int width = by_rows ? grid_.nx : tile_width, height = by_rows ? 1 : tile_height,
            across = (grid_.nx + width - 1) / width, down = (grid_.ny + height - 1) / height;
  const double task_updates =
      static_cast<double>(width) * height * grid_.nz * static_cast<double>(views.size());
  const int group =
      static_cast<int>(std::clamp(updates_between_waits / task_updates, 1.0, 1.0 * across * down));
  for (int first = 0; first < across * down; first += group) {
    const int last = std::min(across * down, first + group);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (int task = first; task < last; ++task)
      errors.run([&] {
        if (projector_.interrupted()) return;
        const int x = task % across * width, y = task / across * height;
        if (by_rows)
          add_row(views, lines, y, volume);
        else
          add_tile(views, lines,
                   {x, std::min(grid_.nx, x + width), y, std::min(grid_.ny, y + height)}, volume);
      });
    errors.rethrow();
    projector_.check_interrupt();
  }
}

void VoxelBackprojection::add_row(std::span<const int> views, const float* lines, int iy,
                                  float* volume) const {
  float* const out = volume + grid_.index(0, iy, 0);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const VoxelRow row = image_row(views[i], 0, iy);
    if (single_)
      voxel_kernels().spread_row(beam_, power_, row, values(lines, i), grid_.nx, out);
    else
      voxel_kernels().spread_slice(beam_, power_, row, axis(views[i]), values(lines, i), grid_.nx,
                                   out);
  }
}

void VoxelBackprojection::add_tile(std::span<const int> views, const float* lines, const Tile& tile,
                                   float* volume) const {
  const int width = tile.last_x - tile.first_x;
  const std::size_t slices = static_cast<std::size_t>(grid_.nz),
                    row_size = static_cast<std::size_t>(width) * slices;
  std::vector<float> sums(row_size * static_cast<std::size_t>(tile.last_y - tile.first_y), 0.0F),
      scratch(2 * static_cast<std::size_t>(width) + static_cast<std::size_t>(geometry_.rows()) + 2);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const VoxelAxis along = axis(views[i]);
    for (int iy = tile.first_y; iy < tile.last_y; ++iy)
      voxel_kernels().spread_columns(
          beam_, power_, image_row(views[i], tile.first_x, iy), along, values(lines, i), width,
          scratch.data(), sums.data() + row_size * static_cast<std::size_t>(iy - tile.first_y));
  }
  for (int iz = 0; iz < grid_.nz; ++iz)
    for (int iy = tile.first_y; iy < tile.last_y; ++iy) {
      const float* sum = sums.data() + row_size * static_cast<std::size_t>(iy - tile.first_y) + iz;
      float* out = volume + grid_.index(tile.first_x, iy, iz);
      for (int ix = 0; ix < width; ++ix) out[ix] += sum[static_cast<std::size_t>(ix) * slices];
    }
}

}  // namespace gantry
