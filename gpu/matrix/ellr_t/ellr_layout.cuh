#pragma once

#include "gpu/base/launch.hpp"
#include "gpu/base/linear_textures.hpp"
#include "gpu/matrix/ellr_t/ellr_t.cuh"
#include "gpu/matrix/gathered.hpp"
#include "gpu/matrix/rows/device_sums.hpp"

#include <bit>
#include <memory>

namespace gantry {

/// threads: those of a matrix row (T); block: those of a thread block; textured: whether operands
/// are read by a texture.
struct EllrOptions {
  int threads, block;
  bool textured = false;
};

/// ELLR-T (ellr_t.cuh) as a layout of GatheredMatrix; a thread reads Together entries at a time.
template <int Together>
class EllrLayout {
 public:
  EllrLayout(const CudaBackend& cuda, const DeviceCsr& matrix, int, const EllrOptions& options)
      : cuda_(cuda),
        options_(options),
        rows_(matrix.rows),
        columns_(matrix.columns),
        nonzeros_(matrix.nonzeros()),
        textures_(std::make_unique<LinearTextures>(cuda)) {
    const DeviceScope scope(cuda.device());
    const auto longest = static_cast<std::size_t>(longest_row(cuda, matrix.start));
    entries_ = DeviceBuffer<int>(
        cuda, 2 * static_cast<std::size_t>(rows_) * padded(longest, options.threads),
        "a matrix in ELLR-T");
    length_ = DeviceBuffer<int>(cuda, static_cast<std::size_t>(rows_), "a matrix in ELLR-T");
    device::fill_ellr<Together><<<blocks(rows_, usual_warps), usual_threads, 0, cuda.stream()>>>(
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
    return rows * (padded(longest, threads) * 2 * sizeof(int) + sizeof(int));
  }
  std::vector<MatrixPart> parts() const {
    return {{"entries", entries_.size() * sizeof(int)}, {"lengths", length_.size() * sizeof(int)}};
  }
  std::uint64_t padding() const {
    return entries_.size() / 2 - static_cast<std::uint64_t>(nonzeros_);
  }
  device::EllrSweepRows<Together> lines() const {
    return {entries_.data(), length_.data(), rows_,
            std::countr_zero(static_cast<unsigned>(options_.threads))};
  }
  static int places(int group) { return group; }

 private:
  /// Returns the entries of a matrix row with padding.
  static std::size_t padded(std::size_t longest, int threads) {
    const auto of_slot = static_cast<std::size_t>(threads * Together);
    return (longest + of_slot - 1) / of_slot * of_slot;
  }
  template <int Threads>
  void launch(const RowProduct& p) const {
    const auto queue = [&](auto operand) {
      device::ellr_multiply<Threads, Together>
          <<<blocks(p.rows.rows() * Threads, options_.block), static_cast<unsigned>(options_.block),
             0, cuda_.stream()>>>(entries_.data(), length_.data(), rows_, p.rows, operand, p.out);
    };
    if (!options_.textured) {
      with_operand(p, queue);
    } else {
      const auto [object, first] = textures_->of(p.in, static_cast<std::size_t>(columns_));
      if (p.filtered)
        queue(device::TexturedOperand<true>{object, first, p.operand});
      else
        queue(device::TexturedOperand<false>{object, first, p.operand});
    }
    check_launch("ellr_multiply");
  }

  const CudaBackend& cuda_;
  EllrOptions options_;
  std::int64_t rows_, columns_, nonzeros_;
  std::unique_ptr<LinearTextures> textures_;
  DeviceBuffer<int> entries_;
  DeviceBuffer<int> length_;
};

}  // namespace gantry
