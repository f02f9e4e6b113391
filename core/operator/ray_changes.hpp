#pragma once

#include "core/operator/run_kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gantry {

/// What the steps of a super-voxel add to the residual. The rays are divided into blocks, and the
/// blocks that were changed are listed, so that the end of a super-voxel visits these alone.
class RayChanges {
 public:
  using List = std::vector<std::pair<std::size_t, float>>;
  explicit RayChanges(std::size_t rays)
      : change_(rays + run_length), is_marked_(block_of(rays + run_length) + 1) {}

  /// The change of each ray, followed by run_length floats that belong to no ray.
  const float* data() const { return change_.data(); }
  void subtract(std::size_t ray, float change) {
    mark(block_of(ray));
    change_[ray] -= change;
  }
  /// Subtracts weight x step of the rays of a voxel.
  void subtract(ColumnRuns runs, float step) {
    while (true) {
      runs = run_kernels().subtract(runs, step, change_.data(), is_marked_.data());
      if (runs.run == runs.end) return;
      const std::size_t ray = runs.ray_of(*runs.run);
      mark(block_of(ray));
      mark(block_of(ray + run_length - 1));
    }
  }
  /// Returns the changes and forgets them.
  List take() {
    List changes;
    changes.reserve(marked_.size() * rays_of_block);
    for (const std::size_t block : marked_) {
      const std::size_t end = std::min((block + 1) * rays_of_block, change_.size());
      for (std::size_t ray = block * rays_of_block; ray < end; ++ray) {
        if (change_[ray] != 0) changes.emplace_back(ray, change_[ray]);
        change_[ray] = 0;
      }
      is_marked_[block] = 0;
    }
    marked_.clear();
    return changes;
  }

 private:
  static std::size_t block_of(std::size_t ray) { return ray / rays_of_block; }
  void mark(std::size_t block) {
    if (!is_marked_[block]) marked_.push_back(block);
    is_marked_[block] = 1;
  }

  std::vector<float> change_;
  std::vector<unsigned char> is_marked_;
  std::vector<std::size_t> marked_;
};

}  // namespace gantry
