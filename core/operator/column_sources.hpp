#pragma once

// Where HostColumns finds the weights of a voxel: computed when needed, or stored.
//   visit(ix, iy, iz, first view, last view, scratch, use(ray, weight))
//   visit_runs(ix, iy, iz, scratch, use(ray, weights, count))
#include "core/backend/large_pages.hpp"
#include "core/base/error.hpp"
#include "core/operator/projector.hpp"
#include "core/operator/row_norms.hpp"
#include "core/operator/slice_stack.hpp"
#include "core/operator/view_columns.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace gantry {

/// The most rays of a run, which descend() reads and changes together.
constexpr std::size_t run_length = 4;
using Lanes = float __attribute__((vector_size(run_length * sizeof(float))));

inline Lanes load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

/// Returns the values of run_length rays from `ray` on; zeros for rays that do not exist.
inline Lanes load(const float* rays, std::size_t ray, std::size_t count) {
  if (ray + run_length <= count) [[likely]]
    return load(rays + ray);
  Lanes lanes{};
  for (std::size_t k = 0; k < run_length; ++k) lanes[k] = ray + k < count ? rays[ray + k] : 0.0F;
  return lanes;
}

/// Returns the weights of a run of `count` rays, followed by zeros.
inline Lanes weights_of_run(const float* weight, std::size_t count) {
  static constexpr std::array<float, 2 * run_length> used = {1, 1, 1, 1, 0, 0, 0, 0};
  return load(weight) * load(used.data() + (run_length - count));
}

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
  /// Calls use(ray, weight, 1) for each ray that weighs a voxel, as StoredColumns::visit_runs.
  template <class Use>
  void visit_runs(int ix, int iy, int iz, Scratch& scratch, const Use& use) const {
    visit(ix, iy, iz, 0, static_cast<int>(views_.size()), scratch,
          [&use](std::size_t ray, double weight) {
            const std::array<float, run_length> run{static_cast<float>(weight)};
            use(ray, run.data(), 1);
          });
  }

 private:
  std::size_t cells_;
  std::vector<std::unique_ptr<ViewRows>> views_;
};

/// Reads the weights of a voxel from memory: runs of up to four neighbouring cells of a detector
/// row, which descend() reads with one load each. The runs of a voxel ascend by ray.
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
    for_runs(ix, iy, iz, [&](std::size_t of_slice, const float* weight, std::size_t count) {
      if (of_slice < before) return true;
      if (of_slice >= end) return false;
      const std::size_t ray = ray_of(of_slice, iz);
      for (std::size_t k = 0; k < count; ++k) use(ray + k, weight[k]);
      return true;
    });
  }
  /// Calls use(ray, weight, count) for each run of `count` rays from `ray` on, with their weights;
  /// run_length floats may be read from `weight`.
  template <class Use>
  void visit_runs(int ix, int iy, int iz, Scratch&, const Use& use) const {
    for_runs(ix, iy, iz, [&](std::size_t of_slice, const float* weight, std::size_t count) {
      use(ray_of(of_slice, iz), weight, count);
      return true;
    });
  }

 private:
  // A run: its first ray shifted by two bits, and in these its length less one.
  static constexpr std::uint32_t length_bits = 2, most_rays = 1U << (32 - length_bits);
  static_assert(run_length == 1U << length_bits);
  static std::size_t length(std::uint32_t run) { return (run & (run_length - 1)) + 1; }
  struct Position {
    std::size_t run, weight;
  };

  std::size_t ray_of(std::size_t of_slice, int iz) const {
    return first_row_ray_.empty()
               ? of_slice
               : first_row_ray_[of_slice] + static_cast<std::size_t>(iz) * columns_;
  }
  /// Calls use(first ray, in the slice of a stack, weights, count) until it returns false.
  template <class Use>
  void for_runs(int ix, int iy, int iz, const Use& use) const {
    const std::size_t voxel = is_stack_ ? grid_.index(ix, iy, 0) : grid_.index(ix, iy, iz);
    const float* weight = weight_.data() + start_[voxel].weight;
    const std::uint32_t *run = run_.data() + start_[voxel].run,
                        *end = run_.data() + start_[voxel + 1].run;
    for (; run != end; ++run) {
      const std::size_t count = length(*run);
      __builtin_prefetch(weight + 512);  // voxels follow each other; the next ones are soon needed
      if (!use(*run >> length_bits, weight, count)) return;
      weight += count;
    }
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
    for_view_columns(source, [&](int, const ViewColumns& view, std::size_t voxel) {
      Position& counted = start_[voxel + 1];
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
      Position& at = next[voxel];
      for_new_runs(view, voxel, [&](std::size_t cell, const float* from, std::size_t count) {
        run_[at.run++] = static_cast<std::uint32_t>((before + cell) << length_bits | (count - 1));
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
    weight_.resize(all.weight + run_length);  // so that visit_runs may read beyond the last run
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
