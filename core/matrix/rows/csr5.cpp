// CSR5. Entry i of lane l of tile t is nonzero t omega sigma + l sigma + i of the view and lies at
// index t omega sigma + i omega + l. Unless its first entry begins a matrix row, lane l continues
// the row that began last before the lane.
#include "core/matrix/rows/csr5.hpp"

#include "core/matrix/rows/row_block.hpp"

namespace gantry {

namespace {

constexpr std::size_t omega = 32;

class Csr5Rows final : public RowBlock {
 public:
  Csr5Rows(const ViewCsr& rows, std::size_t sigma)
      : sigma_(sigma), cells_(rows.row_start.size() - 1), nonzeros_(rows.nonzeros()) {
    const std::size_t entries = omega * sigma, tiles = (nonzeros_ + entries - 1) / entries;
    weight_.assign(tiles * entries, 0.0F);
    column_.assign(tiles * entries, nonzeros_ > 0 ? rows.column.back() : 0U);
    begins_.assign(tiles * sigma, 0U);
    for (std::size_t k = 0; k < nonzeros_; ++k) {
      weight_[place(k)] = rows.weight[k];
      column_[place(k)] = rows.column[k];
    }
    for (std::uint32_t cell = 0; cell < cells_; ++cell) {
      if (rows.row_start[cell] == rows.row_start[cell + 1]) continue;
      const std::size_t at = place(rows.row_start[cell]);
      begins_[at / omega] |= 1U << (at % omega);
      row_.push_back(cell);
    }
    row_.shrink_to_fit();
    count_beginnings(tiles);
  }

  void multiply(const float* image, float* rays) const override {
    std::vector<double> sums(cells_, 0.0);
    for_each_lane([&](std::size_t at, std::uint32_t begun) {
      double sum = 0;
      for (std::size_t i = 0; i < sigma_; ++i) {
        if (begins(at + i * omega)) {
          if (begun > 0) sums[row_[begun - 1]] += sum;
          sum = 0;
          ++begun;
        }
        sum += static_cast<double>(weight_[at + i * omega]) * image[column_[at + i * omega]];
      }
      sums[row_[begun - 1]] += sum;
    });
    for (std::size_t cell = 0; cell < cells_; ++cell) rays[cell] = static_cast<float>(sums[cell]);
  }

  void add_transposed(const float* rays, double* sums) const override {
    for_each_lane([&](std::size_t at, std::uint32_t begun) {
      double ray = begun > 0 ? rays[row_[begun - 1]] : 0;
      for (std::size_t i = 0; i < sigma_; ++i) {
        if (begins(at + i * omega)) ray = rays[row_[begun++]];
        sums[column_[at + i * omega]] += weight_[at + i * omega] * ray;
      }
    });
  }

  void add_to(MatrixStorage& all) const override {
    add_entries(all, nonzeros_, weight_, column_);
    add_part(all, "row bits", bytes_of(begins_));
    add_part(all, "lane offsets", bytes_of(lane_));
    add_part(all, "tile starts", bytes_of(tile_));
    add_part(all, "rows", bytes_of(row_));
  }

 private:
  /// Returns the index at which nonzero k lies.
  std::size_t place(std::size_t k) const {
    const std::size_t entries = omega * sigma_, inside = k % entries;
    return k - inside + inside % sigma_ * omega + inside / sigma_;
  }
  bool begins(std::size_t at) const { return (begins_[at / omega] >> (at % omega) & 1U) != 0; }

  void count_beginnings(std::size_t tiles) {
    tile_.reserve(tiles);
    lane_.reserve(tiles * omega);
    std::uint32_t begun = 0;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      tile_.push_back(begun);
      for (std::size_t l = 0; l < omega; ++l) {
        lane_.push_back(static_cast<std::uint16_t>(begun - tile_.back()));
        for (std::size_t i = 0; i < sigma_; ++i)
          begun += begins((tile * sigma_ + i) * omega + l) ? 1 : 0;
      }
    }
  }

  /// Calls visit(index of the lane's first entry, number of rows that began before the lane).
  template <class Visit>
  void for_each_lane(const Visit& visit) const {
    for (std::size_t tile = 0; tile < tile_.size(); ++tile)
      for (std::size_t l = 0; l < omega; ++l)
        visit(tile * sigma_ * omega + l, tile_[tile] + lane_[tile * omega + l]);
  }

  std::size_t sigma_, cells_, nonzeros_;
  std::vector<float> weight_;
  std::vector<std::uint32_t> column_;
  std::vector<std::uint32_t> begins_;  // [tile][entry], a bit for each lane
  std::vector<std::uint16_t> lane_;    // [tile][lane] rows that begin before the lane in its tile
  std::vector<std::uint32_t> tile_;    // [tile] rows that begin before the tile
  std::vector<std::uint32_t> row_;     // cells of the rows that are not empty
};

class Csr5Format final : public MatrixFormat {
 public:
  explicit Csr5Format(std::size_t sigma) : sigma_(sigma) {}

  std::size_t estimate_bytes(const NonzeroEstimate& estimate, const Projector&) const override {
    const std::size_t entries = omega * sigma_, cells = estimate.of_views.rows,
                      tile_bytes = 8 * entries + 4 * sigma_ + 2 * omega + 4;
    const double bytes = estimate.of_views.sum([&](const auto& length) {
      std::size_t nonzeros = 0, rows = 0;
      for (std::size_t i = 0; i < cells && length(i) > 0; ++i) {
        nonzeros += length(i);
        ++rows;
      }
      return static_cast<double>((nonzeros + entries - 1) / entries * tile_bytes + 4 * rows);
    });
    return static_cast<std::size_t>(bytes) + row_block_workspace(estimate);
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const override {
    return build_row_blocks(
        weights, [this](const ViewCsr& rows) { return std::make_unique<Csr5Rows>(rows, sigma_); });
  }

 private:
  std::size_t sigma_;
};

}  // namespace

std::vector<ParamSpec> csr5_params() {
  return {{.key = "sigma",
           .label = "Entries a lane σ",
           .unit = "",
           .fallback = std::string("16"),
           .choices = {"4", "8", "16", "32"},
           .help = "Consecutive nonzeros per lane; a tile has 32 lanes."}};
}

std::unique_ptr<MatrixFormat> make_csr5(const Params& params) {
  return std::make_unique<Csr5Format>(std::stoul(params.text("sigma")));
}

}  // namespace gantry
