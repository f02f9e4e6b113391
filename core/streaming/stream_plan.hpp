#pragma once

#include "core/streaming/scan_parts.hpp"

#include <cstddef>
#include <functional>
#include <memory>

namespace gantry {

/// How a product is cut into tasks that each fit into the memory of a worker. Forward: a task is a
/// band of detector rows of some views; its data stay on the device while the slabs that the band
/// sees pass through. Transpose: a task is a slab, which stays on the device while the views that
/// see the slab pass through, `views` at a time.
struct StreamCut {
  int slabs = 1, bands = 1;
  int views = 1, rows = 1;       ///< largest numbers on a device at a time
  std::size_t worker_bytes = 0;  ///< memory of a task, including its projector's workspace
  double moved_bytes = 0;        ///< moved between host and devices by a product over all views
};

struct StreamPlan {
  StreamCut forward, transpose;
};

/// Returns the memory that a projector of a part of the scan and a part of the volume needs besides
/// its operands, bytes.
using PartWorkspace =
    std::function<std::size_t(std::shared_ptr<const ScanGeometry>, const VolumeGrid&)>;

/// Returns the cuts of both products that move the fewest bytes and keep all workers busy, for
/// `workers` workers of `bytes_per_worker` bytes each. Throws OutOfMemory if a worker cannot hold
/// the smallest parts.
StreamPlan plan_stream(const ScanGeometry& geometry, const VolumeGrid& grid, std::size_t workers,
                       std::size_t bytes_per_worker, const PartWorkspace& workspace);
/// Returns the cut of the transpose alone, or of another sum over the rays that see a slab.
StreamCut plan_transpose(const ScanGeometry& geometry, const VolumeGrid& grid, std::size_t workers,
                         std::size_t bytes_per_worker, const PartWorkspace& workspace);

}  // namespace gantry
