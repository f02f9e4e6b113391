#pragma once

#include "core/geometry/symmetry.hpp"
#include "gpu/matrix/scsr/scsr_cone_model.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace gantry {

/// The stored views of a symmetric three-dimensional scan, the orbits of its voxels and its
/// symmetry group, as tables for a device (scsr_cone_model.hpp). The group has 1, 2, 4 or 8
/// elements in the plane of rotation; if `mirrored`, also the product of each of these with the
/// mirror along the axis.
struct ConeStoredViews {
  std::vector<int> views;  ///< the stored ones
  device::ConeRays rays;
  int in_plane;  ///< elements in the plane
  bool mirrored;
  std::vector<device::StoredView> image;  ///< [stored view][8]: view -1 if another has made it
  std::array<std::uint32_t, 8> times{};   ///< [h]: products h e in the plane, see product_of
  std::array<unsigned, 8> inverse{};      ///< [h]: inverse element, in the plane
  std::vector<std::uint32_t> code;        ///< [voxel]: its orbit and element, an orbit_code
  std::vector<int> voxel;                 ///< [orbit][element in the plane][1 or 2]
  bool has_fixed_voxels = false;          ///< whether an element maps some voxel onto itself

  /// Throws UsageError if there are 2^31 voxels, 2^28 orbits or 2^28 stored rays or more, or more
  /// stored views than kernels can be told of (scsr::most_stored_views).
  ConeStoredViews(const ScanSymmetry& symmetry, const ScanGeometry& geometry,
                  const VolumeGrid& grid);

  int elements() const { return mirrored ? 2 * in_plane : in_plane; }
  std::int64_t orbits() const { return static_cast<std::int64_t>(voxel.size()) / elements(); }
};

}  // namespace gantry
