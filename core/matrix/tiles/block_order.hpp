#pragma once

#include "core/base/params.hpp"
#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// The order of rays and pixels, chosen so that the blocks of a matrix are well filled.
enum class BlockOrderKind { natural, pseudo_morton, folded };

/// A permutation of rays or pixels with gaps.
struct BlockOrder {
  std::vector<std::int32_t> at;        ///< [position]: index, -1 in a gap; padded to whole blocks
  std::vector<std::int32_t> position;  ///< [index]: the inverse, -1 if the index has no position
};

/// Returns the order `at` of `indices` indices with its inverse. No index may occur twice in `at`.
BlockOrder with_positions(std::vector<std::int32_t> at, std::size_t indices);
/// Returns the order of a x b points along the pseudo-Morton curve (pseudo_morton.hpp);
/// index(i, k), i < a, k < b, is the index at a point, or -1 for a gap.
BlockOrder along_curve(int a, int b, std::size_t indices,
                       const std::function<int(int, int)>& index);
/// Returns `order` restricted to the indices for which kept(index) is true. Runs of `multiple`
/// positions in which no index is kept are removed.
BlockOrder part_of(const BlockOrder& order, std::size_t multiple,
                   const std::function<bool(std::int32_t)>& kept);

/// Returns the order of the pixels iy nx + ix of a slice. A patch of 16 positions is 4 x 4 pixels,
/// in the natural order 16 consecutive pixels.
BlockOrder pixel_order(const VolumeGrid& grid, BlockOrderKind kind);

/// Returns the order of the rays view * columns + column of one slice, padded to groups of 32 rays.
/// Pseudo-Morton: 8, 16 and 32 consecutive rays are 4 x 2, 4 x 4 and 8 x 4 views x columns. Folded:
/// the same in a scan over a full turn where each ray stands beside the ray that runs back along it
/// (in a fan beam, nearest to it), so that the views of a block span half the angle. Scans for
/// which folds() is false have the pseudo-Morton order instead.
BlockOrder ray_order(const ScanGeometry& geometry, BlockOrderKind kind);

/// Returns whether ray_order can fold the scan: an even number of views, at least 4, at equal steps
/// over a full turn, and a central column within one column of the detector's middle.
bool folds(const ScanGeometry& geometry);

ParamSpec block_order_param();
BlockOrderKind block_order_kind(const std::string& name);

}  // namespace gantry
