#pragma once

#include "core/data/slice.hpp"
#include "gui/render/colour.hpp"

#include <array>
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

}  // namespace gantry
