#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace gantry {

/// The voxels where metrics are taken, found when they are first asked for: a run without metrics
/// does without. Copies share what was found. Several threads may ask.
class VoxelMask {
 public:
  using Make = std::function<std::vector<std::uint8_t>()>;

  VoxelMask() = default;  ///< all voxels
  explicit VoxelMask(Make make);
  explicit VoxelMask(std::vector<std::uint8_t> voxels);  ///< found already; empty: all voxels

  /// Not 0: counted; empty: all voxels count. Throws what making them throws.
  std::span<const std::uint8_t> voxels() const;
  /// Whether they were found already.
  bool made() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace gantry
