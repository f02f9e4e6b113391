#include "gui/stage/ray_images.hpp"

#include "gui/render/slice_decoration.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

std::size_t at(const ScanGeometry& geometry, int view, int row) {
  return static_cast<std::size_t>(view) * geometry.cells() +
         static_cast<std::size_t>(row) * static_cast<std::size_t>(geometry.columns());
}

/// Returns the coordinates of `offset` in the plane of the columns and rows, in cells. The two
/// directions need not be at right angles.
Cell in_cells(Vec3 offset, const View& pose) {
  const double uu = dot(pose.u_mm, pose.u_mm), vv = dot(pose.v_mm, pose.v_mm),
               uv = dot(pose.u_mm, pose.v_mm), u = dot(offset, pose.u_mm),
               v = dot(offset, pose.v_mm), determinant = uu * vv - uv * uv;
  return {(u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant};
}

/// Returns the cell of an arc detector about the source in which a direction ends.
Cell on_arc(const ScanSpec& spec, const View& pose, Vec3 direction) {
  const Vec3 along = normalized(pose.u_mm), forward = normalized(pose.detector_mm - pose.source_mm);
  const double across = dot(direction, along), depth = dot(direction, forward);
  const double rise = spec.source_to_detector_mm * direction.z / std::hypot(across, depth);
  return {std::atan2(across, depth) * spec.source_to_detector_mm / spec.column_pitch_mm,
          rise / spec.row_pitch_mm};
}

}  // namespace

SliceImage projection_image(const ScanGeometry& geometry, std::span<const float> rays, int view) {
  const ScanSpec& spec = geometry.spec();
  SliceImage image;
  image.index = view;
  image.width = geometry.columns();
  image.height = geometry.rows();
  image.du_mm = spec.column_pitch_mm;
  image.dv_mm = spec.row_pitch_mm;
  image.u0_mm = -spec.central_column * image.du_mm;
  image.v0_mm = -spec.central_row * image.dv_mm;
  const auto part = rays.subspan(at(geometry, view, 0), geometry.cells());
  image.values.assign(part.begin(), part.end());
  return image;
}

double sinogram_aspect(int width_px, int height_px) {
  constexpr double narrowest = 0.5, widest = 20;
  return std::clamp(width_px / std::max(1.0, height_px - sliceHeaderHeight(height_px)), narrowest,
                    widest);
}

SliceImage sinogram_image(const ScanGeometry& geometry, std::span<const float> rays, int row,
                          double aspect) {
  SliceImage image;
  image.index = row;
  image.width = geometry.columns();
  image.height = geometry.views();
  image.du_mm = 1;
  image.dv_mm = geometry.columns() / (aspect * geometry.views());
  const auto columns = static_cast<std::size_t>(geometry.columns());
  image.values.reserve(columns * static_cast<std::size_t>(geometry.views()));
  for (int view = 0; view < geometry.views(); ++view) {
    const auto part = rays.subspan(at(geometry, view, row), columns);
    image.values.insert(image.values.end(), part.begin(), part.end());
  }
  return image;
}

std::optional<Cell> cell_of(const ScanGeometry& geometry, int view, Vec3 point) {
  const ScanSpec& spec = geometry.spec();
  const View pose = geometry.view(view);
  const Cell centre{spec.central_column, spec.central_row};
  const Vec3 forward = pose.detector_mm - pose.source_mm;
  const bool is_stack = geometry.rotates() && spec.beam != Beam::cone;
  // Each row of a stack of fans is a plane of its own: the point is moved into that of the source.
  const double row = centre.row + (point.z - pose.source_mm.z) / spec.row_pitch_mm;
  if (is_stack) point.z = pose.source_mm.z;
  const Vec3 direction = spec.beam == Beam::parallel ? forward : point - pose.source_mm;
  if (dot(direction, forward) <= 0) return std::nullopt;
  Cell offset;
  if (spec.detector == DetectorShape::arc && spec.beam != Beam::parallel) {
    offset = on_arc(spec, pose, direction);
  } else {
    const Vec3 normal = cross(pose.u_mm, pose.v_mm);
    const double share = dot(pose.detector_mm - point, normal) / dot(direction, normal);
    offset = in_cells(point + share * direction - pose.detector_mm, pose);
  }
  return Cell{centre.column + offset.column, is_stack ? row : centre.row + offset.row};
}

std::optional<double> row_height_mm(const ScanGeometry& geometry, double row) {
  const ScanSpec& spec = geometry.spec();
  if (geometry.rows() < 2 || spec.trajectory != Trajectory::circular) return std::nullopt;
  const double pitch =
      spec.beam == Beam::cone ? geometry.row_pitch_at_isocenter_mm() : spec.row_pitch_mm;
  return (row - spec.central_row) * pitch;
}

double shown_angle_deg(const ScanGeometry& geometry, int view) {
  constexpr double turn = 360;
  const double before = std::floor(degrees(geometry.angle_rad(0)) / turn);
  return degrees(geometry.angle_rad(view)) - turn * std::max(0.0, before);
}

}  // namespace gantry
