#pragma once

#include "core/operator/projector.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

/// An access of a lane of a warp to a voxel. Accesses of the lanes of a warp in the same step are
/// one request to the memory.
struct Access {
  std::uint32_t step, voxel;
};

/// The accesses of threads that trace a ray each, and the steps in which they make them.
class RaySteps {
 public:
  virtual ~RaySteps() = default;
  RaySteps(const RaySteps&) = delete;
  RaySteps& operator=(const RaySteps&) = delete;

  const Projector& projector() const { return projector_; }

  /// Appends the accesses of the lanes of a warp, of which each traces one of the rays. No lane
  /// accesses a voxel twice. Rays of no_ray are idle lanes. Several threads may call it at once.
  virtual void append(std::span<const std::uint32_t> rays, std::vector<Access>& accesses) const = 0;

 protected:
  /// The projector must outlive the object. Throws UsageError like require_walks().
  explicit RaySteps(const Projector& projector);

 private:
  const Projector& projector_;
};

/// The steps of a thread that walks along its ray from voxel to voxel: its k-th voxel is its step
/// k. The order is that of the projector's single weights.
class WalkSteps final : public RaySteps {
 public:
  explicit WalkSteps(const Projector& projector) : RaySteps(projector) {}
  void append(std::span<const std::uint32_t> rays, std::vector<Access>& accesses) const override;
};

}  // namespace gantry
