#pragma once

#include "core/base/vec3.hpp"
#include "core/geometry/volume_grid.hpp"

#include <array>
#include <cstddef>

namespace gantry {

/// The part of a volume that is drawn, a box along the axes of the world, mm.
struct ClipBox {
  std::array<double, 3> low{}, high{};  ///< x, y, z

  static ClipBox around(const VolumeGrid& grid) {
    const Vec3 low = grid.lower_corner_mm(), high = grid.upper_corner_mm();
    return {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
  }
  friend bool operator==(const ClipBox&, const ClipBox&) = default;
};

/// One of the six faces of a box.
struct ClipFace {
  std::size_t axis = 0;  ///< 0 x, 1 y, 2 z
  bool high = false;     ///< the face at the greater coordinate
  friend bool operator==(const ClipFace&, const ClipFace&) = default;
};

inline Vec3 as_vector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

/// Returns the middle of a face.
inline Vec3 middle_of(const ClipBox& box, const ClipFace& face) {
  std::array<double, 3> at{};
  for (std::size_t i = 0; i < 3; ++i) at[i] = 0.5 * (box.low[i] + box.high[i]);
  at[face.axis] = face.high ? box.high[face.axis] : box.low[face.axis];
  return as_vector(at);
}

/// Returns the box with one face moved to a coordinate, mm, within the grid; at least a voxel
/// remains between opposite faces.
ClipBox with_face(const ClipBox& box, const ClipFace& face, double to_mm, const VolumeGrid& grid);

}  // namespace gantry
