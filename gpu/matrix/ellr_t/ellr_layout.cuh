#pragma once

#include "gpu/base/launch.hpp"
#include "gpu/matrix/ellr_t/ellr_t.cuh"
#include "gpu/matrix/gathered.hpp"
#include "gpu/matrix/rows/device_sums.hpp"

#include <bit>

namespace gantry {

/// threads: those of a matrix row (T); block: those of a thread block.
struct EllrOptions {
  int threads, block;
};

/// ELLR-T (ellr_t.cuh) as a layout of GatheredMatrix.
class EllrLayout {
 public:
  EllrLayout(const CudaBackend& cuda, const DeviceCsr& matrix, int, const EllrOptions& options)
      : cuda_(cuda), options_(options), rows_(matrix.rows), nonzeros_(matrix.nonzeros()) {
    const DeviceScope scope(cuda.device());
    const std::int64_t longest = longest_row(cuda, matrix.start);
    const auto slots = static_cast<std::size_t>((longest + options.threads - 1) / options.threads);
    entries_ = DeviceBuffer<int2>(
        cuda, slots * static_cast<std::size_t>(rows_) * static_cast<std::size_t>(options.threads),
        "a matrix in ELLR-T");
    length_ = DeviceBuffer<int>(cuda, static_cast<std::size_t>(rows_), "a matrix in ELLR-T");
    device::fill_ellr<<<blocks(rows_, usual_warps), usual_threads, 0, cuda.stream()>>>(
        matrix.view(), rows_, options.threads, entries_.data(), length_.data());
    check_launch("fill_ellr");
  }

  void multiply(const RowProduct& product) const {
    switch (options_.threads) {
      case 1:
        return launch<1>(product);
      case 2:
        return launch<2>(product);
      case 4:
        return launch<4>(product);
      case 8:
        return launch<8>(product);
      case 16:
        return launch<16>(product);
      default:
        return launch<32>(product);
    }
  }
  /// Returns the bytes of a matrix whose longest row has this many nonzeros.
  static std::size_t bytes(std::size_t rows, std::size_t longest, int threads) {
    const auto of_slot = static_cast<std::size_t>(threads);
    return rows * ((longest + of_slot - 1) / of_slot * of_slot * sizeof(int2) + sizeof(int));
  }
  std::vector<MatrixPart> parts() const {
    return {{"entries", entries_.size() * sizeof(int2)}, {"lengths", length_.size() * sizeof(int)}};
  }
  std::uint64_t padding() const { return entries_.size() - static_cast<std::uint64_t>(nonzeros_); }
  device::EllrSweepRows lines() const {
    return {entries_.data(), length_.data(), rows_,
            std::countr_zero(static_cast<unsigned>(options_.threads))};
  }
  static int places(int group) { return group; }

 private:
  template <int Threads>
  void launch(const RowProduct& p) const {
    with_operand(p, [&](auto operand) {
      device::ellr_multiply<Threads>
          <<<blocks(p.rows.rows() * Threads, options_.block), static_cast<unsigned>(options_.block),
             0, cuda_.stream()>>>(entries_.data(), length_.data(), rows_, p.rows, operand, p.out);
    });
    check_launch("ellr_multiply");
  }

  const CudaBackend& cuda_;
  EllrOptions options_;
  std::int64_t rows_, nonzeros_;
  DeviceBuffer<int2> entries_;
  DeviceBuffer<int> length_;
};

}  // namespace gantry
