#pragma once

#include "core/data/slice.hpp"
#include "gui/render/slice_decoration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace gantry {

// Three planes through one voxel: which of them appear as lines in which, and their colours.

inline constexpr std::array plane_axes = {Axis::axial, Axis::coronal, Axis::sagittal};

/// Returns the axis of the planes that appear as vertical, and as horizontal lines, in a plane.
inline std::pair<Axis, Axis> lines_in(Axis axis) {
  if (axis == Axis::axial) return {Axis::sagittal, Axis::coronal};
  return {axis == Axis::coronal ? Axis::sagittal : Axis::coronal, Axis::axial};
}

/// Returns the index of the coordinate (x, y or z) that is constant in a plane.
inline std::size_t coordinate_of(Axis axis) {
  return axis == Axis::axial ? 2 : axis == Axis::coronal ? 1 : 0;
}

inline Rgb colour_of_plane(Axis axis) {
  constexpr std::array colours = {rgb(0xF28B82), rgb(0x81E6A0), rgb(0x7FB3FF)};
  return colours[static_cast<std::size_t>(axis)];
}

/// Returns the lines in which the two other planes through a voxel (ix, iy, iz) cut a plane.
inline CrossHair cross_in(Axis axis, const VolumeGrid& grid, const std::array<int, 3>& voxel) {
  const auto [across, along] = lines_in(axis);
  const auto at = [&](Axis line) {
    return slice_position_mm(grid, line, voxel[coordinate_of(line)]);
  };
  return {{at(across), at(along)}, colour_of_plane(across), colour_of_plane(along)};
}

/// Returns the voxel nearest to a point, which may lie outside of the grid.
inline std::array<int, 3> voxel_near(const VolumeGrid& grid, Vec3 at_mm) {
  const auto nearest = [](double mm, double origin, double spacing) {
    // Limited before it is rounded: a point far outside would not fit into an integer.
    return static_cast<int>(std::lround(std::clamp((mm - origin) / spacing, -1.0, 1e6)));
  };
  return {nearest(at_mm.x, grid.origin_mm.x, grid.spacing_mm.x),
          nearest(at_mm.y, grid.origin_mm.y, grid.spacing_mm.y),
          nearest(at_mm.z, grid.origin_mm.z, grid.spacing_mm.z)};
}

/// Returns the point at a place in the plane through a voxel.
inline Vec3 point_in(Axis axis, const VolumeGrid& grid, const std::array<int, 3>& voxel,
                     const PointMm& place) {
  const Vec3 centre = grid.voxel_center_mm(voxel[0], voxel[1], voxel[2]);
  std::array<double, 3> at = {centre.x, centre.y, centre.z};
  const auto [across, along] = lines_in(axis);
  at[coordinate_of(across)] = place.u;
  at[coordinate_of(along)] = place.v;
  return {at[0], at[1], at[2]};
}

}  // namespace gantry
