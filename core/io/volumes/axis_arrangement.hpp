#pragma once

#include "core/base/vec3.hpp"
#include "core/data/loaded_volume.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

// How the axes of a file lie in the world, whatever its format.

/// The axes of a file: the first one is the fastest.
struct VolumeAxes {
  std::array<int, 3> size{1, 1, 1};  ///< number of voxels along the axes of the file
  std::array<double, 3> spacing_mm{1, 1, 1};
  std::optional<Vec3> offset_mm;                                ///< centre of the first voxel
  std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< directions of the file's axes
  /// Names of the fields in the format, for notes; no note on a missing offset without a name.
  std::string axes_field = "TransformMatrix", offset_field = "Offset";
  std::string note_of_size;  ///< that the file states no size of voxels; empty: it states one
};

std::size_t voxels_of(const VolumeAxes& axes);

/// File axis i runs along world axis `world[i]`, in the opposite direction if `backwards[i]`.
struct AxisArrangement {
  std::array<std::size_t, 3> world{0, 1, 2};
  std::array<bool, 3> backwards{};

  bool identity() const {
    return world == std::array<std::size_t, 3>{0, 1, 2} && backwards == std::array<bool, 3>{};
  }
};

/// Returns the arrangement if every axis of the file is parallel to an axis of the world; else
/// nothing.
std::optional<AxisArrangement> arrange(const std::array<Vec3, 3>& axes);

VolumeGrid arranged_grid(const VolumeAxes& axes, const AxisArrangement& arrangement);

/// Returns the number of axial slices of the grid, along whichever axis of the file they lie.
int slices_of(const VolumeAxes& axes);

/// Returns the values in the order of the grid, [iz][iy][ix], instead of that of the file.
std::vector<float> arranged_values(const std::vector<float>& values, const VolumeAxes& axes,
                                   const AxisArrangement& arrangement, const VolumeGrid& grid);

/// Gives a volume, whose values are in the order of the file, its grid and puts the values in its
/// order. Axes that are oblique or sheared are taken as x, y and z; of a sheared third axis, the
/// distance of slices is upright to them. Notes say what was taken for granted.
void place(LoadedVolume& volume, const VolumeAxes& axes);

/// Returns how many copies of the values place() needs at a time.
std::size_t copies_to_place(const VolumeAxes& axes);

}  // namespace gantry
