#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/matrix/sweeps/recorded_sweep.hpp"
#include "gpu/matrix/sweeps/view_sweep.cuh"

namespace gantry {

/// Returns an estimate of the bytes of ViewSweep's table for `places` rows of the transpose, with
/// padding.
inline std::size_t sweep_table_bytes(const NonzeroEstimate& estimate, std::size_t places) {
  return places * static_cast<std::size_t>(estimate.views + 1) * sizeof(device::ViewStart);
}
inline std::size_t sweep_table_bytes(const NonzeroEstimate& estimate) {
  return sweep_table_bytes(estimate, estimate.columns);
}

/// Sweeps of updates over a matrix and its transpose, with two kernels per update (view_sweep.cuh)
/// and a table of the entries at which each view begins in each voxel's row of the transpose. The
/// arrays that `rows` and `columns` point at must outlive the sweep.
template <class RowLines, class ColumnLines = RowLines>
class ViewSweep final : public MatrixSweep {
 public:
  /// `rows` has rays_of_view_padded matrix rows (rays) for each view, with padding; `columns` has
  /// the `places` rows (voxels) of the transpose, with padding.
  ViewSweep(const CudaBackend& cuda, int views, int cells, const RowLines& rows,
            int rays_of_view_padded, const ColumnLines& columns, std::int64_t places,
            const SubsetUpdate& update, const LinearOperator& interruptible)
      : rows_(rows),
        columns_(columns),
        places_(places),
        update_(update),
        interruptible_(interruptible),
        first_(cuda, bytes(views, places) / sizeof(device::ViewStart),
               "the views of a stored matrix"),
        sweep_(cuda, rays_of_view_padded, blocks(places, usual_threads)) {
    const DeviceScope scope(cuda.device());
    device::find_views<<<blocks(places, usual_threads), usual_threads, 0, cuda.stream()>>>(
        columns, places, views, cells, first_.data());
    check_launch("find_views");
  }

  /// Returns the bytes of the table. The first sweep makes the table, but memory estimates count it
  /// from the start, so that a run that was found to fit does not fail later.
  static std::size_t bytes(int views, std::int64_t places) {
    return static_cast<std::size_t>(places) * static_cast<std::size_t>(views + 1) *
           sizeof(device::ViewStart);
  }

  std::optional<UpdateNorms> run(const SweepOperands& operands,
                                 std::span<const ViewSubset> subsets) override {
    interruptible_.check_interrupt();
    return sweep_.run(sweep_data(operands, update_), subsets, [this](const RecordedSweep::Step& s) {
      const unsigned ray_blocks = std::max(blocks(s.most_places, RowLines::together), 1U);
      sweep_.start("sweep_rays", device::sweep_rays<RowLines>, ray_blocks,
                   device::ray_threads<RowLines>, 0, s.step > 0, rows_, s.steps, s.step, s.data,
                   s.of_rays);
      sweep_.start("sweep_voxels", device::sweep_voxels<ColumnLines>,
                   blocks(places_, usual_threads), usual_threads, 0, true, columns_, places_,
                   first_.data(), s.steps, s.step, s.data, s.of_voxels);
    });
  }

 private:
  RowLines rows_;
  ColumnLines columns_;
  std::int64_t places_;
  SubsetUpdate update_;
  const LinearOperator& interruptible_;
  DeviceBuffer<device::ViewStart> first_;
  RecordedSweep sweep_;
};

}  // namespace gantry
