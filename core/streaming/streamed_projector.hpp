#pragma once

#include "core/operator/projector.hpp"
#include "core/streaming/scan_parts.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// Devices that the parts of a product pass through.
struct StreamDevices {
  std::string name;  ///< "NVIDIA H200"
  /// The workers (see WorkerPool), each with as much memory as its free_bytes() says now. Throws
  /// DeviceError.
  std::function<std::vector<Backend*>()> workers;
};

using MakePart = std::function<std::unique_ptr<Projector>(
    Backend&, std::shared_ptr<const ScanGeometry>, const VolumeGrid&)>;

/// Rays that lie on a device at once: these rows of these views.
struct Tile {
  std::vector<int> views;
  Range rows;
};

/// A linear map from rays to an image other than the transpose, as a sum over tiles of rays, for a
/// slab of the image each. `part` is the projector of tile and slab, on a worker.
struct SumOverTiles {
  /// Memory that it takes beside operands and part, bytes.
  std::function<std::size_t(const Projector& part, const Tile&)> workspace_bytes;
  /// image = the tile's share. Throws Interrupted.
  std::function<void(const Projector& part, const Tile&, const Array& rays, Array& image)> compute;
};

/// Such a map cut into parts; both what made it and its operands lie on the host.
class StreamedSum {
 public:
  virtual ~StreamedSum() = default;
  virtual void compute(const Array& rays, Array& image) const = 0;
};

/// What every streamed projector is.
class Streamed {
 public:
  virtual ~Streamed() = default;
  /// A sum that sees what the transpose sees: the rays of rows_that_see each slab. It refers to
  /// this. Throws OutOfMemory where the smallest parts do not fit.
  virtual std::unique_ptr<StreamedSum> stream(SumOverTiles sum) const = 0;
};

/// What is known of a projector that is streamed, from what is known of its parts.
inline ProjectorTraits streamed_traits(ProjectorTraits part) {
  part.gives_single_weights = false;
  return part;
}

/// A projector whose operands lie in the memory of `host` and whose products are computed in parts
/// on devices that could not hold them: slabs of the volume and parts of the data pass through (see
/// plan_stream). Every part of the result is the work of one worker, in a fixed order, so that
/// results do not depend on the workers. It is Streamed. `host` is a backend whose memory the CPU
/// reads. Throws what `make` throws, and OutOfMemory where the smallest parts do not fit.
std::unique_ptr<Projector> make_streamed_projector(Backend& host,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid,
                                                   const StreamDevices& devices,
                                                   const MakePart& make);

}  // namespace gantry
