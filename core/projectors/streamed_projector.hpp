#pragma once

#include "core/projectors/projector.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// Devices that the parts of a product pass through.
struct StreamDevices {
  std::string name;  ///< "NVIDIA H200"
  /// The lanes (see LaneTeam), each with as much memory as its free_bytes() says now. Throws
  /// DeviceError.
  std::function<std::vector<Backend*>()> lanes;
};

using MakePart = std::function<std::unique_ptr<Projector>(
    Backend&, std::shared_ptr<const ScanGeometry>, const VolumeGrid&)>;

/// A projector whose operands lie in the memory of `host` and whose products are computed in parts
/// on devices that could not hold them: slabs of the volume and parts of the data pass through (see
/// plan_stream). Every part of the result is the work of one lane, in a fixed order, so that
/// results do not depend on the lanes. `host` is a backend whose memory the CPU reads. Throws what
/// `make` throws, and OutOfMemory where the smallest parts do not fit.
std::unique_ptr<Projector> make_streamed_projector(Backend& host,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid,
                                                   const StreamDevices& devices,
                                                   const MakePart& make);

}  // namespace gantry
