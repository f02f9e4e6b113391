#pragma once

#include "core/geometry/symmetry.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/matrix/scsr/scsr_model.hpp"

#include <array>
#include <vector>

namespace gantry {

/// The stored views of a planar symmetric scan, and the maps that make the others of them, as
/// tables for a device (scsr_model.hpp).
struct StoredViews {
  std::vector<int> views;  ///< stored
  int elements;            ///< of the symmetry, the identity first
  std::array<device::PixelMap, 8> pixel{}, inverse{};
  std::vector<device::StoredView> image;   ///< [stored view][8]: view -1 where another has made it
  std::vector<device::StoredView> source;  ///< [view]: index of the stored view, and the element

  StoredViews(const ScanSymmetry& symmetry, const VolumeGrid& grid, int columns);
};

/// Throws UsageError for a scan that nothing but the identity maps onto itself, naming the
/// condition that fails.
void require_stored_views(const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace gantry
