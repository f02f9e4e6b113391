#pragma once

#include "core/streaming/streamed_projector.hpp"
#include "tests/support/hosted_projector.hpp"
#include "tests/support/measured_backend.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry::test {

/// Stand-ins for devices on which parts of a streamed product are computed: host memory with a
/// limit that the host can only access by copies.
struct LimitedDevices {
  std::vector<std::unique_ptr<MeasuredBackend>> workers;

  explicit LimitedDevices(std::size_t count = 2) {
    for (std::size_t i = 0; i < count; ++i)
      workers.push_back(std::make_unique<MeasuredBackend>(BackendKind::cuda));
  }
  /// Limits the memory of each device; taken_by_others is reported as free in addition.
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

/// Returns a function that makes the CPU's projector of this key for a part. Such projectors take
/// no device memory besides their operands.
inline MakePart make_hosted(const Catalog& catalog, const std::string& key) {
  return [&catalog, key](Backend& worker, std::shared_ptr<const ScanGeometry> geometry,
                         const VolumeGrid& grid) -> std::unique_ptr<Projector> {
    return std::make_unique<HostedProjector>(catalog, key, worker, std::move(geometry), grid);
  };
}

/// Makes a streamed projector with nearly the least device memory that suffices.
inline std::unique_ptr<Projector> make_with_least_memory(
    LimitedDevices& workers, Backend& host, const std::shared_ptr<const ScanGeometry>& geometry,
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
