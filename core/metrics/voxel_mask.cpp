#include "core/metrics/voxel_mask.hpp"

#include <mutex>
#include <utility>

namespace gantry {

struct VoxelMask::State {
  std::mutex mutex;
  Make make;  // empty once the voxels have been computed
  std::vector<std::uint8_t> voxels;
};

VoxelMask::VoxelMask(Make make) : state_(std::make_shared<State>()) {
  state_->make = std::move(make);
}

VoxelMask::VoxelMask(std::vector<std::uint8_t> voxels) : state_(std::make_shared<State>()) {
  state_->voxels = std::move(voxels);
}

std::span<const std::uint8_t> VoxelMask::voxels() const {
  if (state_ == nullptr) return {};
  const std::scoped_lock lock(state_->mutex);
  if (state_->make) {
    state_->voxels = state_->make();
    state_->make = nullptr;
  }
  return state_->voxels;
}

bool VoxelMask::made() const {
  if (state_ == nullptr) return true;
  const std::scoped_lock lock(state_->mutex);
  return !state_->make;
}

}  // namespace gantry
