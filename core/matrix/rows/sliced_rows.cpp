#include "core/matrix/rows/sliced_rows.hpp"

#include "core/matrix/rows/matrix_kernels.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace gantry {

namespace {

/// Up to `widest` entries of each row of a chunk.
struct Block {
  std::uint64_t first_entry;
  std::uint32_t first_row;  ///< first row of the chunk, an index into the sorted rows
  std::uint32_t width;      ///< entries a row
};

std::vector<std::uint32_t> longest_first(const ViewCsr& rows) {
  std::vector<std::uint32_t> order(rows.row_start.size() - 1);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater<>{}, [&](std::uint32_t row) {
    return rows.row_start[row + 1] - rows.row_start[row];
  });
  return order;
}

class SlicedRows final : public RowBlock {
 public:
  SlicedRows(const ViewCsr& rows, std::size_t widest)
      : row_(longest_first(rows)), nonzeros_(rows.nonzeros()) {
    for (std::size_t first = 0; first < row_.size(); first += chunk_rows) {
      const std::size_t longest = rows.row_start[row_[first] + 1] - rows.row_start[row_[first]];
      std::size_t from = 0;
      do {  // a chunk of empty rows is a block too, so that its rays are set to zero
        const std::size_t width = std::min(widest, longest - from);
        blocks_.push_back(
            {weight_.size(), static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(width)});
        append(rows, first, from, width);
        from += width;
      } while (from < longest);
    }
    weight_.shrink_to_fit();
    column_.shrink_to_fit();
    blocks_.shrink_to_fit();
  }

  void multiply(const float* image, float* rays) const override {
    std::array<double, chunk_rows> sums{};
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const Block& block = blocks_[b];
      matrix_kernels().chunk_dot(weight_.data() + block.first_entry,
                                 column_.data() + block.first_entry, block.width, image,
                                 sums.data());
      if (b + 1 < blocks_.size() && blocks_[b + 1].first_row == block.first_row) continue;
      for (std::size_t l = 0; l < rows(block); ++l)
        rays[row_[block.first_row + l]] = static_cast<float>(sums[l]);
      sums.fill(0);
    }
  }

  void add_transposed(const float* rays, double* sums) const override {
    std::array<double, chunk_rows> values{};
    for (const Block& block : blocks_) {
      values.fill(0);
      for (std::size_t l = 0; l < rows(block); ++l) values[l] = rays[row_[block.first_row + l]];
      const float* weight = weight_.data() + block.first_entry;
      const std::uint32_t* column = column_.data() + block.first_entry;
      for (std::size_t e = 0; e < block.width * chunk_rows; ++e)
        sums[column[e]] += weight[e] * values[e % chunk_rows];
    }
  }

  void add_to(MatrixStorage& all) const override {
    add_entries(all, nonzeros_, weight_, column_);
    add_part(all, "blocks", bytes_of(blocks_));
    add_part(all, "order of rows", bytes_of(row_));
  }

 private:
  /// Returns the number of rows of the block's chunk: the last chunk may have fewer than 32.
  std::size_t rows(const Block& block) const {
    return std::min(chunk_rows, row_.size() - block.first_row);
  }
  void append(const ViewCsr& rows, std::size_t first, std::size_t from, std::size_t width) {
    for (std::size_t e = from; e < from + width; ++e)
      for (std::size_t l = 0; l < chunk_rows; ++l) {
        const bool row = first + l < row_.size();
        const std::size_t start = row ? rows.row_start[row_[first + l]] : 0,
                          end = row ? rows.row_start[row_[first + l] + 1] : 0;
        const bool entry = start + e < end;
        weight_.push_back(entry ? rows.weight[start + e] : 0.0F);
        column_.push_back(entry ? rows.column[start + e] : end > start ? rows.column[end - 1] : 0U);
      }
  }

  std::vector<float> weight_;
  std::vector<std::uint32_t> column_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> row_;  // [i]: cell of the i-th of the sorted rows
  std::size_t nonzeros_;
};

}  // namespace

double sliced_rows_bytes(const NonzeroEstimate& estimate, std::size_t widest) {
  const std::size_t cells = estimate.of_views.rows;
  return 4.0 * static_cast<double>(estimate.rows) + estimate.of_views.sum([&](const auto& length) {
    double bytes = 0;
    for (std::size_t first = 0; first < cells; first += chunk_rows) {
      const std::size_t longest = length(first), rest = longest % widest;
      const std::size_t blocks = std::max<std::size_t>(1, longest / widest + (rest > 0 ? 1 : 0));
      bytes += static_cast<double>(8 * chunk_rows * longest + sizeof(Block) * blocks);
    }
    return bytes;
  });
}

std::unique_ptr<RowBlock> slice_rows(const ViewCsr& rows, std::size_t widest) {
  return std::make_unique<SlicedRows>(rows, widest);
}

}  // namespace gantry
