#pragma once

#include "gpu/base/launch.hpp"
#include "gpu/matrix/block_csr/block_csr.cuh"
#include "gpu/matrix/gathered.hpp"

namespace gantry {

/// Block CSR (block_csr.cuh) as a layout of GatheredMatrix: a CSR matrix, and lists of its short
/// and its long matrix rows.
class BlockCsrLayout {
 public:
  static constexpr bool keeps_csr = true;

  template <class Options>
  BlockCsrLayout(const CudaBackend& cuda, DeviceCsr matrix, int, const Options&)
      : cuda_(cuda), matrix_(std::move(matrix)) {
    const auto start = matrix_.start.download();
    std::vector<int> lists[2];
    for (std::size_t row = 0; row + 1 < start.size(); ++row)
      lists[start[row + 1] - start[row] < device::short_row ? 0 : 1].push_back(
          static_cast<int>(row));
    short_ = DeviceBuffer<int>(cuda, std::span<const int>(lists[0]));
    long_ = DeviceBuffer<int>(cuda, std::span<const int>(lists[1]));
  }

  void multiply(const RowProduct& product) const {
    with_operand(product, [&](auto operand) {
      launch<device::short_row_threads>(product, short_, operand);
      launch<device::long_row_threads>(product, long_, operand);
    });
  }
  std::vector<MatrixPart> parts() const {
    return {{"weights", matrix_.weight.size() * sizeof(float)},
            {"columns", matrix_.index.size() * sizeof(int)},
            {"row starts", matrix_.start.size() * sizeof(std::int64_t)},
            {"row lists", (short_.size() + long_.size()) * sizeof(int)}};
  }
  std::uint64_t padding() const { return 0; }
  device::CsrSweepRows lines() const { return {matrix_.view()}; }
  static int places(int group) { return group; }

 private:
  template <int Threads, class Operand>
  void launch(const RowProduct& p, const DeviceBuffer<int>& list, Operand operand) const {
    if (list.empty()) return;
    const auto listed = static_cast<std::int64_t>(list.size());
    device::block_csr_multiply<Threads>
        <<<blocks(listed * Threads, usual_threads), usual_threads, 0, cuda_.stream()>>>(
            matrix_.view(), list.data(), listed, p.rows, operand, p.out);
    check_launch("block_csr_multiply");
  }

  const CudaBackend& cuda_;
  DeviceCsr matrix_;
  DeviceBuffer<int> short_, long_;
};

}  // namespace gantry
