#pragma once

// Where HostColumns finds the weights of a voxel: computed when needed, or stored.
//   visit(ix, iy, iz, first view, last view, scratch, use(ray, weight))
//   slope(voxel, scratch, rays)             returns sum_i a_i w_i (residual_i + change_i)
//   subtract(voxel, scratch, step, changes) of a_i step
//   prefetch(voxel)                         asks for the weights of a voxel that is soon needed
#include "core/base/error.hpp"
#include "core/base/large_pages.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/operator/projector.hpp"
#include "core/operator/ray_changes.hpp"
#include "core/operator/row_norms.hpp"
#include "core/operator/run_kernels.hpp"
#include "core/operator/slice_stack.hpp"
#include "core/operator/view_columns.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace gantry {

/// Computes the weights of a voxel from the definition of the projector.
class ComputedColumns {
 public:
  explicit ComputedColumns(const Projector& projector) : cells_(projector.cells_per_view()) {
    for (int v = 0; v < projector.views(); ++v)
      views_.push_back(require_row_source(projector).view_rows(v));
  }

  struct Scratch {
    CellWeights weights;
  };
  /// Calls use(ray, weight) for the rays of views first .. last - 1 that weigh a voxel.
  template <class Use>
  void visit(int ix, int iy, int iz, int first, int last, Scratch& scratch, const Use& use) const {
    for (int v = first; v < last; ++v) {
      views_[static_cast<std::size_t>(v)]->voxel_weights(ix, iy, iz, scratch.weights);
      const std::size_t ray = static_cast<std::size_t>(v) * cells_;
      for (std::size_t k = 0; k < scratch.weights.size(); ++k)
        use(ray + scratch.weights.cell[k], scratch.weights.weight[k]);
    }
  }
  double slope(const VoxelIndex& at, Scratch& scratch, const RayVectors& rays) const {
    double sum = 0;
    visit_all(at, scratch, [&](std::size_t ray, float weight) {
      const float term = weight * (rays.residual[ray] + rays.change[ray]);
      sum += static_cast<double>(rays.weights != nullptr ? term * rays.weights[ray] : term);
    });
    return sum;
  }
  void subtract(const VoxelIndex& at, Scratch& scratch, float step, RayChanges& changes) const {
    visit_all(at, scratch,
              [&](std::size_t ray, float weight) { changes.subtract(ray, weight * step); });
  }
  void prefetch(const VoxelIndex&) const {}

 private:
  template <class Use>
  void visit_all(const VoxelIndex& at, Scratch& scratch, const Use& use) const {
    visit(at.x, at.y, at.z, 0, static_cast<int>(views_.size()), scratch,
          [&use](std::size_t ray, double weight) { use(ray, static_cast<float>(weight)); });
  }

  std::size_t cells_;
  std::vector<std::unique_ptr<ViewRows>> views_;
};

/// Reads the weights of a voxel from memory, where they lie as ColumnRuns.
class StoredColumns {
 public:
  explicit StoredColumns(const Projector& projector)
      : grid_(projector.grid()),
        columns_(static_cast<std::size_t>(projector.geometry().columns())),
        is_stack_(is_stack(projector.geometry(), projector.grid())) {
    std::unique_ptr<Projector> slice;
    if (is_stack_) slice = slice_of_stack(projector);
    const Projector& source = is_stack_ ? *slice : projector;
    source_cells_ = source.cells_per_view();
    if (source.range_size() > most_rays)
      throw UsageError("columns are stored for at most 2^30 rays", "format",
                       "compute the weights instead of storing them");
    store(source);
    if (is_stack_ && source.cells_per_view() != projector.cells_per_view())
      for (std::size_t ray = 0; ray < source.range_size(); ++ray)
        first_row_ray_.push_back(ray / columns_ * projector.cells_per_view() + ray % columns_);
  }

  struct Scratch {};
  template <class Use>
  void visit(int ix, int iy, int iz, int first, int last, Scratch&, const Use& use) const {
    const std::size_t before = static_cast<std::size_t>(first) * source_cells_,
                      end = static_cast<std::size_t>(last) * source_cells_;
    ColumnRuns left = runs({ix, iy, iz});
    for (; left.run != left.end; left.weight += length_of_run(*left.run++)) {
      const std::size_t of_slice = *left.run >> run_length_bits, ray = left.ray_of(*left.run);
      if (of_slice < before) continue;
      if (of_slice >= end) return;
      __builtin_prefetch(left.weight + 512);  // voxels follow each other; the next are soon needed
      for (std::size_t k = 0; k < length_of_run(*left.run); ++k) use(ray + k, left.weight[k]);
    }
  }
  double slope(const VoxelIndex& at, Scratch&, const RayVectors& rays) const {
    return run_kernels().slope(runs(at), rays);
  }
  void subtract(const VoxelIndex& at, Scratch&, float step, RayChanges& changes) const {
    changes.subtract(runs(at), step);
  }
  void prefetch(const VoxelIndex& at) const {
    const std::size_t voxel = position(at);
    const Position &first = start_[voxel], &end = start_[voxel + 1];
    ask_for(run_.data() + first.run, run_.data() + end.run);
    ask_for(weight_.data() + first.weight, weight_.data() + end.weight);
  }

 private:
  static constexpr std::uint32_t most_rays = 1U << (32 - run_length_bits);
  struct Position {
    std::size_t run, weight;
  };

  /// Returns the position of a voxel in memory: in each line along x, the voxels of even x lie
  /// before those of odd x. Coordinate descent visits lattices of stride 2, whose voxels so follow
  /// each other without gaps.
  std::size_t position(const VoxelIndex& at) const {
    return position(at.x, grid_.index(0, at.y, is_stack_ ? 0 : at.z));
  }
  std::size_t position(int x, std::size_t first_of_line) const {
    return first_of_line + static_cast<std::size_t>(x % 2 == 0 ? x / 2 : (grid_.nx + x) / 2);
  }
  ColumnRuns runs(const VoxelIndex& at) const {
    const std::size_t voxel = position(at);
    return {run_.data() + start_[voxel].run, run_.data() + start_[voxel + 1].run,
            weight_.data() + start_[voxel].weight,
            first_row_ray_.empty() ? nullptr : first_row_ray_.data(),
            static_cast<std::size_t>(at.z) * columns_};
  }
  /// Asks for values in the second-level cache: there are more than the first keeps free.
  template <class T>
  static void ask_for(const T* from, const T* end) {
    constexpr std::size_t line = 64 / sizeof(T);
    for (; from < end; from += line) __builtin_prefetch(from, 0, 2);
  }

  /// Calls use(first cell, weights, count) for the runs of a voxel in a view.
  template <class Use>
  void for_new_runs(const ViewColumns& view, std::size_t voxel, const Use& use) const {
    const std::size_t end = view.start[voxel + 1];
    for (std::size_t k = view.start[voxel], count = 1; k < end; k += count) {
      count = 1;
      while (count < run_length && k + count < end &&
             view.cell[k + count] == view.cell[k] + count && view.cell[k + count] % columns_ != 0)
        ++count;
      use(view.cell[k], view.weight.data() + k, count);
    }
  }

  /// Computes the views twice, first to count runs and weights, so that few views are in memory
  /// beside the result.
  void store(const Projector& source) {
    const std::size_t voxels = source.domain_size();
    start_.resize(voxels + 1);
    std::vector<std::uint32_t> position_of(voxels);
    for (std::size_t voxel = 0; voxel < voxels; ++voxel) {
      const std::size_t x = voxel % static_cast<std::size_t>(grid_.nx);
      position_of[voxel] = static_cast<std::uint32_t>(position(static_cast<int>(x), voxel - x));
    }
    for_view_columns(source, [&](int, const ViewColumns& view, std::size_t voxel) {
      Position& counted = start_[position_of[voxel] + 1];
      counted.weight += view.start[voxel + 1] - view.start[voxel];
      for_new_runs(view, voxel, [&](std::size_t, const float*, std::size_t) { ++counted.run; });
    });
    for (std::size_t voxel = 0; voxel < voxels; ++voxel) {
      start_[voxel + 1].run += start_[voxel].run;
      start_[voxel + 1].weight += start_[voxel].weight;
    }
    allocate(start_.back());
    std::vector<Position> next(start_.begin(), start_.end() - 1);
    for_view_columns(source, [&](int v, const ViewColumns& view, std::size_t voxel) {
      const std::size_t before = static_cast<std::size_t>(v) * source_cells_;
      Position& at = next[position_of[voxel]];
      for_new_runs(view, voxel, [&](std::size_t cell, const float* from, std::size_t count) {
        run_[at.run++] =
            static_cast<std::uint32_t>((before + cell) << run_length_bits | (count - 1));
        std::copy_n(from, count, weight_.data() + at.weight);
        at.weight += count;
      });
    });
  }

  void allocate(const Position& all) {
    run_.reserve(all.run);
    weight_.reserve(all.weight + run_length);
    // Super-voxels jump from page to page.
    ask_for_large_pages(run_.data(), all.run * sizeof(std::uint32_t));
    ask_for_large_pages(weight_.data(), all.weight * sizeof(float));
    run_.resize(all.run);
    weight_.resize(all.weight +
                   run_length);  // so that run_length floats may be read from the last run
  }

  VolumeGrid grid_;
  std::size_t columns_, source_cells_ = 0;
  bool is_stack_;
  std::vector<std::size_t> first_row_ray_;  // of a slice's ray in a stack; empty: the ray itself
  std::vector<Position> start_;
  std::vector<std::uint32_t> run_;
  std::vector<float> weight_;
};

}  // namespace gantry
