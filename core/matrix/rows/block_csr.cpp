// Block CSR: y_i = sum_k w_k x_{c_k}, first for the short matrix rows of a view, then for the long
// ones.
#include "core/matrix/rows/block_csr.hpp"

#include "core/matrix/rows/matrix_kernels.hpp"

#include <numeric>

namespace gantry {

namespace {

constexpr std::uint32_t half_warp = 16;

struct Row {
  std::uint32_t first, last;  ///< entries first .. last - 1
  std::uint32_t count() const { return last - first; }
};

class BlockRows final : public RowBlock {
 public:
  explicit BlockRows(ViewCsr rows)
      : weight_(std::move(rows.weight)), column_(std::move(rows.column)) {
    const auto cells = static_cast<std::uint32_t>(rows.row_start.size() - 1);
    for (const bool shorter : {true, false}) {
      for (std::uint32_t cell = 0; cell < cells; ++cell) {
        const Row row{rows.row_start[cell], rows.row_start[cell + 1]};
        if ((row.count() < half_warp) != shorter) continue;
        row_.push_back(row);
        ray_.push_back(cell);
      }
      if (shorter) short_rows_ = row_.size();
    }
    row_.shrink_to_fit();
    ray_.shrink_to_fit();
  }

  void multiply(const float* image, float* rays) const override {
    for (std::size_t i = 0; i < short_rows_; ++i) {
      double sum = 0;
      for (std::uint32_t k = row_[i].first; k < row_[i].last; ++k)
        sum += static_cast<double>(weight_[k]) * image[column_[k]];
      rays[ray_[i]] = static_cast<float>(sum);
    }
    for (std::size_t i = short_rows_; i < row_.size(); ++i)
      rays[ray_[i]] = static_cast<float>(matrix_kernels().dot(
          weight_.data() + row_[i].first, column_.data() + row_[i].first, row_[i].count(), image));
  }

  void add_transposed(const float* rays, double* sums) const override {
    for (std::size_t i = 0; i < row_.size(); ++i)
      matrix_kernels().spread(weight_.data() + row_[i].first, column_.data() + row_[i].first,
                              row_[i].count(), rays[ray_[i]], 0, sums);
  }

  void add_to(MatrixStorage& all) const override {
    add_entries(all, weight_.size(), weight_, column_);
    add_part(all, "rows in new order", bytes_of(row_));
    add_part(all, "rays of the rows", bytes_of(ray_));
  }

 private:
  std::vector<float> weight_;
  std::vector<std::uint32_t> column_;
  std::vector<Row> row_;            // ptr_new
  std::vector<std::uint32_t> ray_;  // ptr_old
  std::size_t short_rows_ = 0;
};

class BlockCsrFormat final : public MatrixFormat {
 public:
  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    return static_cast<std::size_t>(8 * estimate.nonzeros) + 12 * estimate.rows +
           row_block_workspace(estimate);
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return build_row_blocks(weights, block_rows);
  }
};

}  // namespace

std::unique_ptr<RowBlock> block_rows(ViewCsr rows) {
  return std::make_unique<BlockRows>(std::move(rows));
}

std::unique_ptr<MatrixFormat> make_block_csr(const Params&) {
  return std::make_unique<BlockCsrFormat>();
}

}  // namespace gantry
