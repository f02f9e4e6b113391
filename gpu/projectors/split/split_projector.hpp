#pragma once

#include "core/operator/projector.hpp"
#include "gpu/base/cuda_backend.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace gantry {

/// The GPUs of one host that work together. The first one holds the vectors; the others receive the
/// image, project their share of the views, and send rays or partial images back.
class CudaGroup {
 public:
  /// One backend per device; throws DeviceError.
  explicit CudaGroup(const std::vector<int>& devices);
  /// For the others; the first device's backend is the caller's.
  const std::vector<std::unique_ptr<CudaBackend>>& others() const { return others_; }

 private:
  std::vector<std::unique_ptr<CudaBackend>> others_;
};

using MakeOnDevice = std::function<std::unique_ptr<Projector>(Backend&)>;

/// A projector whose views are shared out among the backend's GPU and those of the group, by the
/// speed that a probe measured. Each call splits the views of its subset; the sum of the partial
/// images is taken in a fixed order. At most `gpus` of them take part. Throws what `make` throws.
std::unique_ptr<Projector> make_split_projector(Backend& backend,
                                                std::shared_ptr<const ScanGeometry> geometry,
                                                const VolumeGrid& grid,
                                                std::shared_ptr<const CudaGroup> group,
                                                std::int64_t gpus, const MakeOnDevice& make);

/// Parts of `count` views in proportion to the speeds: as many numbers, whose sum is count.
std::vector<int> share_out(int count, const std::vector<double>& speeds);

}  // namespace gantry
