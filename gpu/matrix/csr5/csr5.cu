// CSR5 as a format; the kernels are in csr5.cuh.
#include "gpu/base/launch.hpp"
#include "gpu/matrix/csr5/csr5.cuh"
#include "gpu/matrix/csr5/csr5.hpp"
#include "gpu/matrix/gathered.hpp"

namespace gantry {

namespace {

struct Csr5Options {
  int sigma;  ///< nonzeros of a lane in a tile
};

/// A matrix in CSR5, as a layout of GatheredMatrix.
class Csr5Layout {
 public:
  Csr5Layout(const CudaBackend& cuda, const DeviceCsr& matrix, int, const Csr5Options& options)
      : cuda_(cuda), nonzeros_(matrix.nonzeros()), sigma_(options.sigma) {
    constexpr const char* purpose = "a matrix in CSR5";
    const DeviceScope scope(cuda.device());
    const std::int64_t in_tile = 32 * std::int64_t{sigma_};
    tiles_ = (nonzeros_ + in_tile - 1) / in_tile;
    const auto lanes = static_cast<std::size_t>(32 * tiles_);
    entries_ = DeviceBuffer<int2>(cuda, lanes * static_cast<std::size_t>(sigma_), purpose);
    begins_ = DeviceBuffer<unsigned>(cuda, lanes, purpose);
    begun_ = DeviceBuffer<int>(cuda, lanes, purpose);
    list_rows(matrix);
    if (tiles_ == 0) return;
    clear(entries_, 0xFF);
    clear(begins_, 0);
    const auto listed = static_cast<std::int64_t>(row_.size());
    device::fill_csr5<<<blocks(listed, usual_warps), usual_threads, 0, cuda.stream()>>>(
        matrix.view(), listed, view());
    check_launch("fill_csr5");
    device::count_begun<<<blocks(32 * tiles_, usual_threads), usual_threads, 0, cuda.stream()>>>(
        matrix.start.data(), listed, view());
    check_launch("count_begun");
  }

  void multiply(const RowProduct& p) const {
    device::clear_rows<<<blocks(p.rows.rows(), usual_threads), usual_threads, 0, cuda_.stream()>>>(
        p.rows, p.out);
    check_launch("clear_rows");
    if (tiles_ == 0) return;
    with_operand(p, [&](auto operand) {
      device::csr5_multiply<<<blocks(tiles_, usual_warps), usual_threads, 0, cuda_.stream()>>>(
          view(), p.rows, operand, p.out);
    });
    check_launch("csr5_multiply");
  }
  std::vector<MatrixPart> parts() const {
    return {{"entries", entries_.size() * sizeof(int2)},
            {"row bits", begins_.size() * sizeof(unsigned)},
            {"lane offsets", begun_.size() * sizeof(int)},
            {"rows", row_.size() * sizeof(int)},
            {"row starts", start_.size() * sizeof(std::int64_t)}};
  }
  std::uint64_t padding() const { return entries_.size() - static_cast<std::uint64_t>(nonzeros_); }
  device::Csr5SweepRows lines() const { return {view(), start_.data()}; }
  int places(int group) const { return group; }

 private:
  void list_rows(const DeviceCsr& matrix) {
    const auto start = matrix.start.download();
    start_ = DeviceBuffer<std::int64_t>(cuda_, std::span<const std::int64_t>(start));
    std::vector<int> rows;
    for (std::size_t row = 0; row + 1 < start.size(); ++row)
      if (start[row + 1] > start[row]) rows.push_back(static_cast<int>(row));
    row_ = DeviceBuffer<int>(cuda_, std::span<const int>(rows));
  }
  template <class T>
  void clear(DeviceBuffer<T>& buffer, int byte) const {
    check(cudaMemsetAsync(buffer.data(), byte, buffer.size() * sizeof(T), cuda_.stream()),
          "building a matrix on the GPU");
  }
  device::Csr5Tiles view() const {
    return {const_cast<int2*>(entries_.data()),
            const_cast<unsigned*>(begins_.data()),
            const_cast<int*>(begun_.data()),
            row_.data(),
            sigma_,
            tiles_};
  }

  const CudaBackend& cuda_;
  std::int64_t nonzeros_, tiles_ = 0;
  int sigma_;
  DeviceBuffer<int2> entries_;
  DeviceBuffer<unsigned> begins_;
  DeviceBuffer<int> begun_, row_;
  DeviceBuffer<std::int64_t> start_;  // [matrix row] first nonzero, for sweeps
};

class Csr5Format final : public GatheredFormat<Csr5Layout, Csr5Options> {
 public:
  explicit Csr5Format(const Params& params) : GatheredFormat({std::stoi(params.text("sigma"))}) {}

  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    return sweep_table_bytes(estimate) +
           static_cast<std::size_t>((16 + 16.0 / options().sigma) * estimate.nonzeros) +
           12 * (estimate.rows + estimate.columns);
  }
  /// Several tiles add to the same matrix row by atomics, in no fixed order.
  bool repeatable() const override { return false; }
};

}  // namespace

std::unique_ptr<MatrixFormat> make_cuda_csr5(const Params& params) {
  return std::make_unique<Csr5Format>(params);
}

}  // namespace gantry
