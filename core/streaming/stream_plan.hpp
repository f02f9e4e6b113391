#pragma once

#include "core/streaming/scan_parts.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace gantry {

/// How one product is cut up so that each task fits into a worker. Forward: a task is a band of
/// rows of some views, which stays there while the slabs that it sees pass. Transpose: a task is a
/// slab, which stays there while the views that see it pass, `views` at a time.
struct StreamCut {
  int slabs = 1, bands = 1;
  int views = 1, rows = 1;     ///< that lie on a device at once, at most
  std::size_t lane_bytes = 0;  ///< that a task holds, its projector's workspace included
  double moved_bytes = 0;      ///< between host and devices, by a product over all views
};

struct StreamPlan {
  StreamCut forward, transpose;
};

/// What a projector of a part of the scan and volume needs beside its operands, bytes.
using PartWorkspace =
    std::function<std::size_t(std::shared_ptr<const ScanGeometry>, const VolumeGrid&)>;

/// The cuts that move the fewest bytes and still give every worker work. Throws OutOfMemory where a
/// worker cannot hold the smallest parts.
StreamPlan plan_stream(const ScanGeometry& geometry, const VolumeGrid& grid, std::size_t workers,
                       std::size_t bytes_per_lane, const PartWorkspace& workspace);
/// Of the transpose, or of another sum over the rays that see a slab, alone.
StreamCut plan_transpose(const ScanGeometry& geometry, const VolumeGrid& grid, std::size_t workers,
                         std::size_t bytes_per_lane, const PartWorkspace& workspace);

}  // namespace gantry
