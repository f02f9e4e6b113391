#pragma once

#include "core/operator/projector.hpp"
#include "gpu/base/cuda_backend.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace gantry {

/// The GPUs of one host that work together. The first GPU holds the vectors; the others receive the
/// image, project their part of the views, and send rays or partial images back.
class CudaGroup {
 public:
  /// Makes a backend for each device; throws DeviceError.
  explicit CudaGroup(const std::vector<int>& devices);
  /// Returns the backends of all devices but the first, whose backend belongs to the caller.
  const std::vector<std::unique_ptr<CudaBackend>>& others() const { return others_; }

 private:
  std::vector<std::unique_ptr<CudaBackend>> others_;
};

using MakeOnDevice = std::function<std::unique_ptr<Projector>(Backend&)>;

/// Makes a projector that divides the views of each subset among the backend's GPU and those of the
/// group, at most `gpus` in total, in proportion to the speeds that a probe measures. Partial
/// images are added up in a fixed order. Throws what `make` throws.
std::unique_ptr<Projector> make_split_projector(Backend& backend,
                                                std::shared_ptr<const ScanGeometry> geometry,
                                                const VolumeGrid& grid,
                                                std::shared_ptr<const CudaGroup> group,
                                                std::int64_t gpus, const MakeOnDevice& make);

/// Divides `count` views in proportion to the speeds: returns one number per speed; their sum is
/// `count`.
std::vector<int> divide_views(int count, const std::vector<double>& speeds);

}  // namespace gantry
