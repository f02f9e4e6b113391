#pragma once

#include "core/geometry/symmetry.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/matrix/scsr/scsr_model.hpp"

#include <array>
#include <vector>

namespace gantry {

/// The stored views of a planar symmetric scan, and the maps that yield all other views, as tables
/// for a device (scsr_model.hpp).
struct StoredViews {
  std::vector<int> views;  ///< the stored ones
  int elements;            ///< of the symmetry group, the identity first
  std::array<device::PixelMap, 8> pixel{}, inverse{};  ///< [element]
  /// [stored view][8]: view is -1 if another stored view already yields it.
  std::vector<device::StoredView> image;
  std::vector<device::StoredView> source;  ///< [view]: index of its stored view, and the element

  StoredViews(const ScanSymmetry& symmetry, const VolumeGrid& grid, int columns);
};

/// Throws UsageError, with the condition that fails, if the identity alone maps a scan onto itself.
void require_stored_views(const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace gantry
