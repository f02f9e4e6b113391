#pragma once

#include "core/base/params.hpp"
#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// In which order rays and pixels are taken for blocks of them to be full.
enum class BlockOrderKind { natural, pseudo_morton, folded };

/// A permutation with gaps: what stands at each position, -1 where there is nothing.
struct BlockOrder {
  std::vector<std::int32_t> at;        ///< [position], a multiple of what blocks need
  std::vector<std::int32_t> position;  ///< [index], the inverse; -1 of what stands nowhere
};

/// Of so many indices, of which each that is in `at` stands there once.
BlockOrder with_positions(std::vector<std::int32_t> at, std::size_t indices);
/// a x b places along the pseudo-Morton curve, index(a, b) being what stands at one, or -1.
BlockOrder along_curve(int a, int b, std::size_t indices,
                       const std::function<int(int, int)>& index);
/// The indices `kept` in the order of another, without the runs of `multiple` that none is left of.
BlockOrder part_of(const BlockOrder& order, std::size_t multiple,
                   const std::function<bool(std::int32_t)>& kept);

/// Pixels iy nx + ix, in patches of 16: 4 x 4 pixels but for the natural order.
BlockOrder pixel_order(const VolumeGrid& grid, BlockOrderKind kind);

/// Rays view * columns + column of one slice, in groups of 32. Pseudo-Morton: views and columns of
/// 4 x 2, 4 x 4, 8 x 4. Folded: as before, of a scan over a full turn with every ray beside the one
/// that runs back along it, so that the views of a block span half the angle; the nearest there is
/// in a fan. Other scans are not folded.
BlockOrder ray_order(const ScanGeometry& geometry, BlockOrderKind kind);

/// Whether ray_order folds the scan.
bool folds(const ScanGeometry& geometry);

ParamSpec block_order_param();
BlockOrderKind block_order_kind(const std::string& name);

}  // namespace gantry
