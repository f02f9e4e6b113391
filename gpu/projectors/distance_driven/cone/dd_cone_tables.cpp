#include "gpu/projectors/distance_driven/cone/dd_cone_tables.hpp"

#include "core/projectors/distance_driven/dd_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

/// A linear function of a position in the plane of rotation: i pixels along u, layer k.
struct PlaneMap {
  double at_origin, per_pixel, per_layer;
};

/// Returns factor * (distance from the source along `direction`) at pixel coordinate i of layer k.
PlaneMap distance_along(Vec3 direction, Vec3 source_mm, const Layers& slices, double factor) {
  const double u = slices.along_y ? direction.x : direction.y,
               w = slices.along_y ? direction.y : direction.x;
  const double source_u = slices.along_y ? source_mm.x : source_mm.y,
               source_w = slices.along_y ? source_mm.y : source_mm.x;
  return {factor * (u * (slices.u_lower_mm - source_u) + w * (slices.w_first_mm - source_w)),
          factor * u * slices.u_spacing_mm, factor * w * slices.w_spacing_mm};
}

/// Sets the coefficients of pitch(i, k): see DdConeView.
void set_pitch(const ScanGeometry& geometry, const VolumeGrid& grid, int v, const Layers& slices,
               device::DdConeView& out) {
  const ScanSpec& spec = geometry.spec();
  const double row = spec.row_pitch_mm / grid.spacing_mm.z;
  PlaneMap depth{row, 0, 0}, side{0, 0, 0};
  if (geometry.beam() == Beam::cone) {
    const double t = geometry.angle_rad(v), factor = row / spec.source_to_detector_mm;
    const Vec3 source = geometry.view(v).source_mm;
    depth = distance_along({-std::sin(t), std::cos(t), 0}, source, slices, factor);
    side = distance_along({std::cos(t), std::sin(t), 0}, source, slices, factor);
  }
  out.depth_0 = static_cast<float>(depth.at_origin);
  out.depth_i = static_cast<float>(depth.per_pixel);
  out.depth_k = static_cast<float>(depth.per_layer);
  out.side_0 = static_cast<float>(side.at_origin);
  out.side_i = static_cast<float>(side.per_pixel);
  out.side_k = static_cast<float>(side.per_layer);
}

device::DdConeView describe_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v,
                                 const DdView& table) {
  device::DdConeView out{};
  out.scale_first = table.scale_first;
  out.scale_step = table.scale_step;
  out.shift_first = table.shift_first;
  out.shift_step = table.shift_step;
  set_pitch(geometry, grid, v, table.slices, out);
  out.source_z =
      static_cast<float>((table.source_z_mm - grid.lower_corner_mm().z) / grid.spacing_mm.z);
  out.along_y = table.slices.along_y ? 1 : 0;
  out.reversed = table.reversed ? 1 : 0;
  out.a = table.locate.a;
  out.b = table.locate.b;
  out.c = table.locate.c;
  out.d = table.locate.d;
  out.gain = table.locate.gain;
  out.bias = table.locate.bias;
  return out;
}

/// Returns the height of a row at pixel coordinate i of layer k, in voxels.
double pitch_at(const device::DdConeView& view, bool arc, double i, double k) {
  const double depth = view.depth_0 + i * view.depth_i + k * view.depth_k,
               side = view.side_0 + i * view.side_i + k * view.side_k;
  return arc ? std::hypot(depth, side) : depth;
}

int most_cells_over_a_pixel(const DdView& table) {
  float narrowest = table.widest;
  for (std::size_t c = 0; c + 1 < table.edge.size(); ++c)
    narrowest = std::min(narrowest, table.edge[c + 1] - table.edge[c]);
  const double pixel = 1 / (table.smallest_scale() * narrowest);  // in cells
  return static_cast<int>(std::min(pixel, 1e6)) + 2;
}

}  // namespace

DdTables::DdTables(const CudaBackend& backend, const ScanGeometry& geometry,
                   const VolumeGrid& grid) {
  const ScanSpec& spec = geometry.spec();
  const auto views = static_cast<std::size_t>(geometry.views()),
             columns = static_cast<std::size_t>(geometry.columns());
  std::vector<device::DdConeView> described;
  std::vector<float> edge, cell, rise;
  described.reserve(views);
  edge.reserve(views * (columns + 1));
  cell.reserve(views * columns);
  rise.reserve(views * columns);
  const double middle_mm = grid.center_mm().z;
  mirrored_ = std::abs(spec.central_row - 0.5 * (geometry.rows() - 1)) < 1e-9;
  const bool is_arc = spec.detector == DetectorShape::arc && geometry.beam() != Beam::parallel;
  double lowest = std::numeric_limits<double>::infinity();
  for (int v = 0; v < geometry.views(); ++v) {
    const DdView table(geometry, grid, v);
    described.push_back(describe_view(geometry, grid, v, table));
    edge.insert(edge.end(), table.edge.begin(), table.edge.end());
    for (std::size_t c = 0; c < columns; ++c) {
      cell.push_back(table.length_mm[c] * table.inverse_width[c]);
      rise.push_back(static_cast<float>(spec.row_pitch_mm * table.inverse_depth[c] *
                                        table.slices.w_spacing_mm / table.length_mm[c]));
    }
    most_cells_ = std::max(most_cells_, most_cells_over_a_pixel(table));
    for (const int i : {0, table.slices.width})
      for (const int k : {0, table.slices.count - 1}) {
        tallest_row_ = std::max(tallest_row_, pitch_at(described.back(), is_arc, i, k));
        lowest = std::min(lowest, pitch_at(described.back(), false, i, k));  // no less than this
      }
    mirrored_ = mirrored_ && std::abs(table.source_z_mm - middle_mm) < 1e-9 * grid.spacing_mm.z;
  }
  views_ = DeviceBuffer<device::DdConeView>(backend, described);
  edge_ = DeviceBuffer<float>(backend, edge);
  cell_ = DeviceBuffer<float>(backend, cell);
  rise_ = DeviceBuffer<float>(backend, rise);
  shape_ = {.view = views_.data(),
            .edge = edge_.data(),
            .cell = cell_.data(),
            .rise = rise_.data(),
            .nx = grid.nx,
            .ny = grid.ny,
            .nz = grid.nz,
            .columns = geometry.columns(),
            .rows = geometry.rows(),
            .row_origin = static_cast<float>(spec.central_row + 0.5),
            .first_view = 0,
            .view_stride = 1,
            .views = geometry.views(),
            .arc = is_arc};
  tallest_voxel_ = 1 / lowest;
}

std::size_t DdTables::bytes(const ScanGeometry& geometry) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  return static_cast<std::size_t>(geometry.views()) *
         (sizeof(device::DdConeView) + (3 * columns + 1) * sizeof(float));  // edge, cell, rise
}

}  // namespace gantry
