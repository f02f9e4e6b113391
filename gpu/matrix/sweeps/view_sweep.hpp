#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/matrix/sweeps/recorded_sweep.hpp"
#include "gpu/matrix/sweeps/view_sweep.cuh"

namespace gantry {

/// What the table of where views begin will take.
inline std::size_t sweep_table_bytes(const NonzeroEstimate& estimate) {
  return estimate.columns * static_cast<std::size_t>(estimate.views + 1) *
         sizeof(device::ViewStart);
}

/// Sweeps of updates over a matrix and its transpose: two kernels an update. The arrays that the
/// layouts' lines point at outlive the sweep.
template <class RowLines, class ColumnLines = RowLines>
class ViewSweep final : public MatrixSweep {
 public:
  /// Lines of the matrix rows, so many slots for each view, and of the voxels.
  ViewSweep(const CudaBackend& cuda, int views, int cells, const RowLines& rows, int places_of_view,
            const ColumnLines& columns, std::int64_t places, const SubsetUpdate& update,
            const LinearOperator& give)
      : rows_(rows),
        columns_(columns),
        places_(places),
        update_(update),
        give_(give),
        first_(cuda, bytes(views, places) / sizeof(device::ViewStart),
               "the views of a stored matrix"),
        sweep_(cuda, places_of_view, blocks(places, 256)) {
    const DeviceScope scope(cuda.device());
    device::find_views<<<blocks(places, 256), 256, 0, cuda.stream()>>>(columns, places, views,
                                                                       cells, first_.data());
    check_launch("find_views");
  }

  /// Of the table of where views begin, which the first sweep makes: counted from the start, so
  /// that a run that fits goes on fitting.
  static std::size_t bytes(int views, std::int64_t places) {
    return static_cast<std::size_t>(places) * static_cast<std::size_t>(views + 1) *
           sizeof(device::ViewStart);
  }

  std::optional<UpdateNorms> run(const SweepOperands& operands,
                                 std::span<const ViewSubset> subsets) override {
    give_.check_interrupt();
    return sweep_.run(sweep_data(operands, update_), subsets, [this](const RecordedSweep::Step& s) {
      const unsigned ray_blocks = std::max(blocks(s.most_places, RowLines::together), 1U);
      sweep_.start("sweep_rays", device::sweep_rays<RowLines>, ray_blocks,
                   device::ray_threads<RowLines>, 0, s.step > 0, rows_, s.steps, s.step, s.data,
                   s.of_rays);
      sweep_.start("sweep_voxels", device::sweep_voxels<ColumnLines>, blocks(places_, 256), 256, 0,
                   true, columns_, places_, first_.data(), s.steps, s.step, s.data, s.of_voxels);
    });
  }

 private:
  RowLines rows_;
  ColumnLines columns_;
  std::int64_t places_;
  SubsetUpdate update_;
  const LinearOperator& give_;
  DeviceBuffer<device::ViewStart> first_;
  RecordedSweep sweep_;
};

}  // namespace gantry
