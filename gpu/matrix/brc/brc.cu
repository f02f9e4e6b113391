// Blocked row-column storage as a format; the kernels are in brc.cuh.
#include "gpu/base/launch.hpp"
#include "gpu/matrix/brc/brc.cuh"
#include "gpu/matrix/brc/brc.hpp"
#include "gpu/matrix/gathered.hpp"
#include "gpu/matrix/rows/row_chunks.hpp"

#include <algorithm>

namespace gantry {

namespace {

struct BrcOptions {
  int width;  ///< see BrcBlocks
};

/// A matrix in blocked row-column storage, as a layout of GatheredMatrix.
class BrcLayout {
 public:
  BrcLayout(const CudaBackend& cuda, const DeviceCsr& matrix, int group, const BrcOptions& options)
      : cuda_(cuda), nonzeros_(matrix.nonzeros()), width_(options.width) {
    const DeviceScope scope(cuda.device());
    cut(RowChunks(matrix.start.download(), group));
    entries_ = DeviceBuffer<int4>(cuda, 32 * static_cast<std::size_t>(pieces_), "a matrix in BRC");
    sums_ = DeviceBuffer<float>(cuda, 32 * static_cast<std::size_t>(count_), "a product");
    if (count_ == 0) return;
    device::fill_brc<<<blocks(count_, usual_warps), usual_threads, 0, cuda.stream()>>>(
        matrix.view(), view(), count_);
    check_launch("fill_brc");
  }

  void multiply(const RowProduct& p) const {
    with_operand(p, [&](auto operand) { sum_blocks(p.rows, operand); });
    const auto chunks = static_cast<std::int64_t>(blocks_.size()) - 1;
    device::brc_add_blocks<<<blocks(chunks, usual_warps), usual_threads, 0, cuda_.stream()>>>(
        view(), chunks, p.rows, sums_.data(), p.out);
    check_launch("brc_add_blocks");
  }
  std::vector<MatrixPart> parts() const {
    return {{"entries", entries_.size() * sizeof(int4)},
            {"rows of chunks", row_.size() * sizeof(int)},
            {"blocks",
             (start_.size() + blocks_.size()) * sizeof(std::int64_t) + chunk_.size() * sizeof(int)},
            {"work space", sums_.size() * sizeof(float), PartOf::workspace}};
  }
  static std::size_t bytes(const GroupLengths& lengths, int width) {
    constexpr std::size_t of_block = sizeof(std::int64_t) + (1 + 32) * sizeof(int);
    const auto of_row = static_cast<std::size_t>(width);
    const double of_blocks = sum_of_chunks(lengths, [&](std::size_t longest) {
      const std::size_t whole = longest / of_row, rest = longest % of_row,
                        pairs = whole * ((of_row + 1) / 2) + (rest + 1) / 2,
                        blocks = whole + (rest > 0 ? 1 : 0);
      return static_cast<double>(32 * pairs * sizeof(int4) + blocks * of_block);
    });
    return static_cast<std::size_t>(of_blocks) +
           chunks_of(lengths) * (32 * sizeof(int) + sizeof(std::int64_t));
  }
  std::uint64_t padding() const {
    return 2 * entries_.size() - static_cast<std::uint64_t>(nonzeros_);
  }
  device::BrcSweepRows lines() const { return {view()}; }
  int places(int) const { return 32 * chunks_in_group_; }

 private:
  /// Cuts chunks into BRC blocks. A chunk is as long as its first, longest row.
  void cut(const RowChunks& chunks) {
    chunks_in_group_ = chunks.chunks_in_group;
    std::vector<std::int64_t> start{0}, first{0};
    std::vector<int> chunk;
    for (std::size_t s = 0; s + 1 < chunks.start.size(); ++s) {
      for (std::int64_t left = chunks.start[s + 1] - chunks.start[s]; left > 0; left -= width_) {
        start.push_back(start.back() + (std::min<std::int64_t>(left, width_) + 1) / 2);
        chunk.push_back(static_cast<int>(s));
      }
      first.push_back(static_cast<std::int64_t>(chunk.size()));
    }
    pieces_ = start.back();
    count_ = static_cast<std::int64_t>(chunk.size());
    start_ = DeviceBuffer<std::int64_t>(cuda_, std::span<const std::int64_t>(start));
    blocks_ = DeviceBuffer<std::int64_t>(cuda_, std::span<const std::int64_t>(first));
    chunk_ = DeviceBuffer<int>(cuda_, std::span<const int>(chunk));
    row_ = DeviceBuffer<int>(cuda_, std::span<const int>(chunks.row));
  }

  template <class Operand>
  void sum_blocks(device::ViewRange rows, Operand operand) const {
    if (count_ == 0) return;
    device::brc_sum_blocks<<<blocks(count_, usual_warps), usual_threads, 0, cuda_.stream()>>>(
        view(), count_, rows, operand, sums_.data());
    check_launch("brc_sum_blocks");
  }
  device::BrcBlocks view() const {
    return {start_.data(),
            blocks_.data(),
            chunk_.data(),
            row_.data(),
            const_cast<int4*>(entries_.data()),
            chunks_in_group_,
            width_};
  }

  const CudaBackend& cuda_;
  // count_: BRC blocks; pieces_: pairs of entries of each lane, in all blocks.
  std::int64_t nonzeros_, count_ = 0, pieces_ = 0;
  int width_, chunks_in_group_ = 0;
  DeviceBuffer<std::int64_t> start_, blocks_;
  DeviceBuffer<int> chunk_, row_;
  DeviceBuffer<int4> entries_;
  mutable DeviceBuffer<float> sums_;
};

class BrcFormat final : public GatheredFormat<BrcLayout, BrcOptions> {
 public:
  explicit BrcFormat(const Params& params) : GatheredFormat({std::stoi(params.text("width"))}) {}

  std::size_t estimate_bytes(const NonzeroEstimate& estimate,
                             const Projector& weights) const override {
    const GroupLengths& of_lines = estimate.of_lines(weights);
    return BrcLayout::bytes(estimate.of_views, options().width) +
           BrcLayout::bytes(of_lines, options().width) +
           sweep_table_bytes(estimate, 32 * chunks_of(of_lines));
  }
};

}  // namespace

std::unique_ptr<MatrixFormat> make_cuda_brc(const Params& params) {
  return std::make_unique<BrcFormat>(params);
}

}  // namespace gantry
