#pragma once

#include "core/base/error.hpp"
#include "gpu/matrix/scsr/scsr_tiles.hpp"
#include "gpu/matrix/scsr/scsr_views.cuh"
#include "gpu/matrix/sweeps/recorded_sweep.hpp"

namespace gantry {

/// Allows a kernel as much dynamic shared memory as the device has (the setting holds for all
/// matrices that use the kernel). Throws UsageError if that is less than `bytes`.
template <class... Parameters>
void allow_shared_memory(const CudaBackend& cuda, void (*kernel)(Parameters...),
                         std::size_t bytes) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "asking for shared memory of the GPU");
  const std::size_t room = cuda.shared_bytes_per_block() - attributes.sharedSizeBytes;
  if (bytes > room)
    throw UsageError("the tiles of SCSR do not fit into the GPU's shared memory", "format",
                     "use transpose gather and residual split, or another format");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(room)),
        "asking for shared memory of the GPU");
}

/// Products of single views with the tiles of the stored views (scsr_views.cuh), and sweeps of
/// updates by single views. Neither needs a stored transpose, and sums have a fixed order. `rows`
/// and the tables of `maps` must outlive the object, and their arrays must not move.
template <int Count, bool Half>
class TiledViews {
 public:
  /// `partial` must have Count values for each segment, one for each element: [segment][element].
  TiledViews(const CudaBackend& cuda, const TiledRows<Half>& rows,
             const device::StoredViewMaps& maps, int colours, float* partial)
      : cuda_(cuda),
        stored_(rows.view()),
        entries_(rows.entries()),
        maps_(maps),
        colours_(colours),
        unit_(rows.unit()),
        partial_(partial),
        tile_bytes_(sizeof(float) * static_cast<std::size_t>(stored_.grid.slots_with_spare())),
        parts_(static_cast<int>(
            blocks(scsr::view_blocks_in_all * cuda.multiprocessors(), stored_.grid.tiles))) {}

  void forward(const float* x, float* y, ViewSubset subset) const {
    for_parts(subset, most_along_grid, [&](ViewSubset part) {
      const device::SubsetViews views{part.first, part.stride};
      const auto count = static_cast<unsigned>(part.count);
      device::view_segments<Count, Half>
          <<<dim3(segment_blocks(), count), device::view_threads, tile_bytes_, cuda_.stream()>>>(
              stored_, entries_, maps_, views, parts_, x, partial_);
      check_launch("view_segments");
      device::view_rays<Count><<<dim3(ray_blocks(), count), usual_threads, 0, cuda_.stream()>>>(
          stored_, maps_, views, partial_, unit_, y);
      check_launch("view_rays");
    });
  }

  /// Computes x = W^T y with one launch for each view; in a launch, each block owns the pixels of a
  /// tile.
  void transposed(const float* y, float* x, ViewSubset subset) const {
    for (int i = 0; i < subset.count; ++i) {
      device::view_pixels<Half><<<tiles(), device::view_threads, tile_bytes_, cuda_.stream()>>>(
          stored_, entries_, maps_, colours_, subset.view(i), y, unit_, i > 0, x);
      check_launch("view_pixels");
    }
  }

  /// Makes the object in which a sweep records its updates.
  RecordedSweep recorded_sweep() const {
    return {cuda_, maps_.columns, static_cast<std::size_t>(stored_.grid.tiles)};
  }
  /// Runs updates by subsets of a single view each. `recorded` comes from recorded_sweep().
  UpdateNorms sweep(RecordedSweep& recorded, const device::SweepData& data,
                    std::span<const ViewSubset> subsets) const {
    return recorded.run(data, subsets, [this, &recorded](const RecordedSweep::Step& s) {
      const device::StepView view{s.steps, s.step};
      recorded.start("view_segments", device::view_segments<Count, Half, device::StepView>,
                     segment_blocks(), device::view_threads, tile_bytes_, s.step > 0, stored_,
                     entries_, maps_, view, parts_, s.data.x, partial_);
      recorded.start("sweep_view_rays", device::sweep_view_rays<Count>, ray_blocks(), usual_threads,
                     0, true, stored_, maps_, view, partial_, unit_, s.data, s.of_rays);
      const bool by_sums = s.data.column_weight <= 0;
      recorded.start(
          "sweep_view_pixels",
          by_sums ? device::sweep_view_pixels<Half, true> : device::sweep_view_pixels<Half, false>,
          tiles(), device::view_threads, (by_sums ? 2 : 1) * tile_bytes_, true, stored_, entries_,
          maps_, colours_, view, unit_, s.data, s.of_voxels);
    });
  }

 private:
  unsigned tiles() const { return static_cast<unsigned>(stored_.grid.tiles); }
  unsigned segment_blocks() const { return tiles() * static_cast<unsigned>(parts_); }
  unsigned ray_blocks() const { return blocks(maps_.columns, usual_warps); }

  const CudaBackend& cuda_;
  device::StoredTiles stored_;
  device::TileEntries<Half> entries_;
  device::StoredViewMaps maps_;
  int colours_;
  float unit_;
  float* partial_;
  std::size_t tile_bytes_;
  int parts_;
};

/// Sweeps with the stored views, by updates of a single view each. The order of a pixel's sums is
/// fixed, whatever the transpose of the format.
template <int Count, bool Half>
class TiledViewSweep final : public MatrixSweep {
 public:
  /// `views` and `interruptible` must outlive the sweep.
  TiledViewSweep(const TiledViews<Count, Half>& views, const SubsetUpdate& update,
                 const LinearOperator& interruptible)
      : views_(views),
        update_(update),
        interruptible_(interruptible),
        recorded_(views.recorded_sweep()) {}

  std::optional<UpdateNorms> run(const SweepOperands& operands,
                                 std::span<const ViewSubset> subsets) override {
    interruptible_.check_interrupt();
    if (!std::ranges::all_of(subsets, [](const ViewSubset& one) { return one.count == 1; }))
      return std::nullopt;
    return views_.sweep(recorded_, sweep_data(operands, update_), subsets);
  }

 private:
  const TiledViews<Count, Half>& views_;
  SubsetUpdate update_;
  const LinearOperator& interruptible_;
  RecordedSweep recorded_;
};

}  // namespace gantry
