// Sliced ELL as a format; the kernels are in sliced_ell.cuh.
#include "gpu/base/launch.hpp"
#include "gpu/matrix/gathered.hpp"
#include "gpu/matrix/rows/row_chunks.hpp"
#include "gpu/matrix/sliced_ell/sliced_ell.cuh"
#include "gpu/matrix/sliced_ell/sliced_ell.hpp"

namespace gantry {

namespace {

/// A matrix in sliced ELL, as a layout of GatheredMatrix.
class SlicedLayout {
 public:
  SlicedLayout(const CudaBackend& cuda, const DeviceCsr& matrix, int group, const NoOptions&)
      : cuda_(cuda), nonzeros_(matrix.nonzeros()) {
    const DeviceScope scope(cuda.device());
    const RowChunks chunks(matrix.start.download(), group);
    chunks_in_group_ = chunks.chunks_in_group;
    start_ = DeviceBuffer<std::int64_t>(cuda, std::span<const std::int64_t>(chunks.start));
    row_ = DeviceBuffer<int>(cuda, std::span<const int>(chunks.row));
    entries_ = DeviceBuffer<int2>(cuda, 32 * static_cast<std::size_t>(chunks.start.back()),
                                  "a matrix in sliced ELL");
    const auto count = static_cast<std::int64_t>(chunks.start.size()) - 1;
    device::fill_chunks_of_rows<<<blocks(count, usual_warps), usual_threads, 0, cuda.stream()>>>(
        matrix.view(), view(), count);
    check_launch("fill_chunks_of_rows");
  }

  void multiply(const RowProduct& p) const {
    const std::int64_t chunks = std::int64_t{p.rows.count} * chunks_in_group_;
    with_operand(p, [&](auto operand) {
      device::sliced_multiply<<<blocks(chunks, usual_warps), usual_threads, 0, cuda_.stream()>>>(
          view(), p.rows, operand, p.out);
    });
    check_launch("sliced_multiply");
  }
  std::vector<MatrixPart> parts() const {
    return {{"entries", entries_.size() * sizeof(int2)},
            {"rows of chunks", row_.size() * sizeof(int)},
            {"starts of chunks", start_.size() * sizeof(std::int64_t)}};
  }
  static std::size_t bytes(const GroupLengths& lengths) {
    const double entries =
        sum_of_chunks(lengths, [](std::size_t longest) { return 32.0 * longest; });
    return static_cast<std::size_t>(entries) * sizeof(int2) +
           chunks_of(lengths) * (32 * sizeof(int) + sizeof(std::int64_t));
  }
  std::uint64_t padding() const { return entries_.size() - static_cast<std::uint64_t>(nonzeros_); }
  device::SlicedSweepRows lines() const { return {view()}; }
  int places(int) const { return 32 * chunks_in_group_; }

 private:
  device::SlicedRows view() const {
    return {start_.data(), row_.data(), const_cast<int2*>(entries_.data()), chunks_in_group_};
  }

  const CudaBackend& cuda_;
  std::int64_t nonzeros_;
  int chunks_in_group_ = 0;
  DeviceBuffer<std::int64_t> start_;
  DeviceBuffer<int> row_;
  DeviceBuffer<int2> entries_;
};

class SlicedEllFormat final : public GatheredFormat<SlicedLayout> {
 public:
  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const GroupLengths& of_lines = estimate.of_lines(weights);
    return SlicedLayout::bytes(estimate.of_views) + SlicedLayout::bytes(of_lines) +
           sweep_table_bytes(estimate, 32 * chunks_of(of_lines));
  }
};

}  // namespace

std::unique_ptr<MatrixFormat> make_cuda_sliced_ell(const Params&) {
  return std::make_unique<SlicedEllFormat>();
}

}  // namespace gantry
