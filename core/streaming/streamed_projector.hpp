#pragma once

#include "core/operator/projector.hpp"
#include "core/streaming/scan_parts.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// The devices through which the parts of a product are streamed.
struct StreamDevices {
  std::string name;  ///< such as "NVIDIA H200"
  /// Returns the workers (see WorkerPool); each may use the memory that its free_bytes() returns at
  /// that time. Throws DeviceError.
  std::function<std::vector<Backend*>()> workers;
};

using MakePart = std::function<std::unique_ptr<Projector>(
    Backend&, std::shared_ptr<const ScanGeometry>, const VolumeGrid&)>;

/// Rays that are on a device at the same time: some detector rows of some views.
struct Tile {
  std::vector<int> views;
  Range rows;
};

/// A linear map from rays to an image, other than the transpose, that is a sum over tiles of rays
/// and is computed for each slab of the image. `part` is the projector of tile and slab, on a
/// worker.
struct SumOverTiles {
  /// Returns the memory that compute() needs besides its operands and `part`, bytes.
  std::function<std::size_t(const Projector& part, const Tile&)> workspace_bytes;
  /// Sets `image`, the slab, to the contribution of the tile. Throws Interrupted.
  std::function<void(const Projector& part, const Tile&, const Array& rays, Array& image)> compute;
  /// Returns the detector rows of a view that count in a slab.
  std::function<Range(int view, const VolumeGrid& slab)> rows;
};

/// A SumOverTiles that is cut into parts and streamed.
class StreamedSum {
 public:
  virtual ~StreamedSum() = default;
  /// Computes the whole image from all rays of the scan; both lie in the memory of the host.
  virtual void compute(const Array& rays, Array& image) const = 0;
};

/// Interface of all streamed projectors.
class Streamed {
 public:
  virtual ~Streamed() = default;
  /// Returns a sum over rays, for each slab over those of SumOverTiles::rows. The sum refers to
  /// this object, which must outlive it. Throws OutOfMemory if the smallest parts do not fit into a
  /// worker.
  virtual std::unique_ptr<StreamedSum> stream(SumOverTiles sum) const = 0;
};

/// Returns the traits of a streamed projector, given the traits of the projectors of its parts.
inline ProjectorTraits streamed_traits(ProjectorTraits part) {
  part.has_single_weights = false;
  part.has_columns = false;
  part.has_rows = false;
  part.memory = nullptr;  // depends on the free memory of the devices
  return part;
}

/// Returns a projector whose operands lie in the memory of `host` and whose products are computed
/// in parts on devices that need not hold the operands: slabs of the volume and parts of the data
/// are streamed through the devices (see plan_stream). Every part of the result is computed by one
/// worker, in a fixed order, so that results do not depend on the choice of workers. The projector
/// also implements Streamed. `host` must be a backend whose memory the CPU can read; `make` creates
/// the projectors of the parts. Throws what `make` throws, and OutOfMemory if the smallest parts do
/// not fit into a worker.
std::unique_ptr<Projector> make_streamed_projector(Backend& host,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid,
                                                   const StreamDevices& devices,
                                                   const MakePart& make);

}  // namespace gantry
