#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace gantry {

/// The voxels that metrics use, computed when they are first needed, which runs without metrics
/// never do. Copies have the result in common. Several threads may call the functions at once.
class VoxelMask {
 public:
  using Make = std::function<std::vector<std::uint8_t>()>;

  VoxelMask() = default;  ///< all voxels
  explicit VoxelMask(Make make);
  explicit VoxelMask(std::vector<std::uint8_t> voxels);  ///< known already; empty: all voxels

  /// Returns a flag per voxel, 0: not used; empty: all voxels are used. Throws what computing them
  /// throws.
  std::span<const std::uint8_t> voxels() const;
  /// Whether the voxels are known already.
  bool made() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace gantry
