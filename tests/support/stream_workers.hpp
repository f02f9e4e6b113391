#pragma once

#include "core/streaming/streamed_projector.hpp"
#include "tests/support/hosted_projector.hpp"
#include "tests/support/measured_backend.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry::test {

/// Devices of host memory with a limit, that parts of a product pass through; the host cannot read
/// them but through copies.
struct MeasuredWorkers {
  std::vector<std::unique_ptr<MeasuredBackend>> workers;

  explicit MeasuredWorkers(std::size_t count = 2) {
    for (std::size_t i = 0; i < count; ++i)
      workers.push_back(std::make_unique<MeasuredBackend>(BackendKind::cuda));
  }
  /// They say that they have so much more.
  void limit(std::size_t bytes, std::size_t taken_by_others = 0) {
    for (auto& worker : workers) {
      worker->limit_bytes = bytes;
      worker->taken_by_others = taken_by_others;
    }
  }
  std::size_t peak_bytes() const {
    std::size_t peak = 0;
    for (const auto& worker : workers) peak = std::max(peak, worker->peak_bytes());
    return peak;
  }
  StreamDevices devices() {
    return {"measured", [this] {
              std::vector<Backend*> pointers;
              for (auto& worker : workers) pointers.push_back(worker.get());
              return pointers;
            }};
  }
};

/// Makes parts compute by the CPU's projector of this key. They hold nothing beside operands.
inline MakePart make_hosted(const Catalog& catalog, const std::string& key) {
  return [&catalog, key](Backend& worker, std::shared_ptr<const ScanGeometry> geometry,
                         const VolumeGrid& grid) -> std::unique_ptr<Projector> {
    return std::make_unique<HostedProjector>(catalog, key, worker, std::move(geometry), grid);
  };
}

/// Streamed with as little memory as will do.
inline std::unique_ptr<Projector> make_tightly(MeasuredWorkers& workers, Backend& host,
                                               const std::shared_ptr<const ScanGeometry>& geometry,
                                               const VolumeGrid& grid, const MakePart& make) {
  const std::size_t whole = (grid.voxels() + geometry->rays()) * sizeof(float);
  for (std::size_t bytes = whole / 24 + 64;; bytes += bytes / 2) {
    workers.limit(bytes);
    try {
      return make_streamed_projector(host, geometry, grid, workers.devices(), make);
    } catch (const OutOfMemory&) {
      if (bytes > std::size_t{1} << 30) throw;
    }
  }
}

}  // namespace gantry::test
