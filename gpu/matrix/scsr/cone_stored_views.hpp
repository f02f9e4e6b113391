#pragma once

#include "core/geometry/symmetry.hpp"
#include "gpu/matrix/scsr/scsr_cone_model.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace gantry {

/// The stored rays of a symmetric scan in space, the orbits of its voxels and the group, as tables
/// for a device (scsr_cone_model.hpp). In the plane there are 1, 2, 4 or 8 elements, each alone or
/// with its mirror image along the axis.
struct ConeStoredViews {
  std::vector<int> views;  ///< stored
  device::ConeRays rays;
  int in_plane;
  bool mirrored;
  std::vector<device::StoredView> image;  ///< [stored view][8]: view -1 where another has made it
  std::array<std::uint32_t, 8> times{};   ///< rows of the table in the plane
  std::array<unsigned, 8> inverse{};      ///< in the plane
  std::vector<std::uint32_t> code;        ///< [voxel]: its orbit and element
  std::vector<int> voxel;                 ///< [orbit][element in the plane][1 or 2]
  bool has_fixed_voxels = false;          ///< some elements leave where they are

  /// Throws UsageError where there are too many orbits or rays.
  ConeStoredViews(const ScanSymmetry& symmetry, const ScanGeometry& geometry,
                  const VolumeGrid& grid);

  int elements() const { return mirrored ? 2 * in_plane : in_plane; }
  std::int64_t orbits() const { return static_cast<std::int64_t>(voxel.size()) / elements(); }
};

}  // namespace gantry
