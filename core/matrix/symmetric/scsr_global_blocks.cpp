// Global-level blocking of cuART (Yu et al. 2019, section 4.1). All M matrix rows are sorted by
// their number of nonzeros, descending and stable; row i is paired with row M - 1 - i. With N'
// nonzeros in the shortest row and 2 Nbar nonzeros in the longest pair, the sub-matrices are
//   SM1, M rows:   the first N' nonzeros of every row,
//   SM3, M/2 rows: nonzeros N' .. Nbar - 1 of the longer row a of a pair,
//   SM2, M/2 rows: the nonzeros of a from Nbar on, then those of the shorter row b from N' on.
// A bit marks the junction in SM2, the first entry of b. Since b is not longer than a, half of the
// longest pair suffices for Nbar; where a ends before Nbar, SM3 is padded.
#include "core/matrix/symmetric/scsr_blocks.hpp"

#include <algorithm>
#include <numeric>

namespace gantry {

namespace {

constexpr std::size_t rows_at_once = 512;  // rows between two checks for an interrupt

class GlobalBlocks final : public ScsrBlocks {
 public:
  GlobalBlocks(const std::vector<ViewCsr>& views, std::size_t voxels,
               const CheckInterrupt& check_interrupt)
      : ScsrBlocks(views, voxels), cells_(views.front().row_start.size() - 1) {
    const std::size_t count = views.size() * cells_;
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    const auto length = [&](std::size_t row) {
      const auto& start = views[row / cells_].row_start;
      return std::size_t{start[row % cells_ + 1]} - start[row % cells_];
    };
    std::ranges::stable_sort(order, std::ranges::greater(), length);
    pairs_ = (count + 1) / 2;
    shared_ = length(order.back());
    std::size_t longest = 2 * shared_;
    for (std::size_t i = 0; i < pairs_; ++i)
      longest =
          std::max(longest, length(order[i]) +
                                (has_partner(i, count) ? length(order[count - 1 - i]) : shared_));
    half_ = (longest + 1) / 2;
    common_ = DenseBlock(count, shared_);
    rest_ = DenseBlock(pairs_, half_ - shared_);
    pure_ = DenseBlock(pairs_, half_ - shared_);
    junction_.assign((rest_.padded_size() + 63) / 64, 0);
    place_.resize(count);
    for (std::size_t p = 0; p < count; ++p) {
      if (p % rows_at_once == 0) check_interrupt();
      place_[order[p]] = static_cast<std::uint32_t>(p);
      common_.put(p, 0, views[order[p] / cells_], start_of(views, order[p]), shared_);
    }
    for (std::size_t i = 0; i < pairs_; ++i) {
      if (i % rows_at_once == 0) check_interrupt();
      const std::size_t a = order[i], a_start = start_of(views, a), a_length = length(a),
                        middle = std::min(a_length, half_), rest = a_length - middle;
      pure_.put(i, 0, views[a / cells_], a_start + shared_, middle - shared_);
      rest_.put(i, 0, views[a / cells_], a_start + middle, rest);
      if (!has_partner(i, count)) continue;
      const std::size_t b = order[count - 1 - i], b_length = length(b) - shared_;
      if (b_length == 0) continue;
      rest_.put(i, rest, views[b / cells_], start_of(views, b) + shared_, b_length);
      junction_[bit(i, rest) / 64] |= std::uint64_t{1} << bit(i, rest) % 64;
    }
  }

  ViewCsr decode(std::size_t view) const override {
    ViewCsr out;
    out.row_start.push_back(0);
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      const std::size_t p = place_[view * cells_ + cell], count = place_.size();
      common_.append(p, 0, shared_, out);
      const std::size_t i = p < pairs_ ? p : count - 1 - p;
      const Cut cut = cut_of(i);
      if (p < pairs_) {
        pure_.append(i, 0, cut.pure, out);
        rest_.append(i, 0, cut.longer, out);
      } else {
        rest_.append(i, cut.junction, cut.shorter, out);
      }
      out.row_start.push_back(static_cast<std::uint32_t>(out.column.size()));
    }
    return out;
  }

  std::vector<DensePieces> pieces() const override {
    const std::size_t count = place_.size();
    std::vector<std::uint32_t> order(count);
    for (std::size_t row = 0; row < count; ++row)
      order[place_[row]] = static_cast<std::uint32_t>(row);
    DensePieces common{&common_, {}}, rest{&rest_, {}}, pure{&pure_, {}};
    const auto add = [](DensePieces& to, std::size_t row, std::size_t first, std::size_t size,
                        std::uint32_t owner) {
      if (size > 0)
        to.pieces.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(first),
                             static_cast<std::uint32_t>(size), owner});
    };
    for (std::size_t p = 0; p < count; ++p) add(common, p, 0, shared_, order[p]);
    for (std::size_t i = 0; i < pairs_; ++i) {
      const Cut cut = cut_of(i);
      add(pure, i, 0, cut.pure, order[i]);
      add(rest, i, 0, cut.longer, order[i]);
      add(rest, i, cut.junction, cut.shorter, order[count - 1 - i]);
    }
    return {std::move(common), std::move(rest), std::move(pure)};
  }

  void describe(MatrixStorage& storage) const override {
    const std::size_t padded = common_.padded_size() + rest_.padded_size() + pure_.padded_size();
    storage.padding = padded - all_nonzeros();
    storage.parts = {{"weights", padded * sizeof(float)},
                     {"columns", padded * sizeof(std::uint32_t)},
                     {"junctions", junction_.size() * sizeof(std::uint64_t)},
                     {"order of the rows", place_.size() * sizeof(std::uint32_t)}};
  }

 private:
  std::vector<DenseBlock*> sub_matrices() override { return {&common_, &rest_, &pure_}; }

  /// Entries of a pair: of row a in SM3 (pure), of row a in SM2 (longer), the slot of the junction
  /// in SM2, and of row b in SM2 from the junction on (shorter).
  struct Cut {
    std::size_t pure = 0, longer = 0, junction = 0, shorter = 0;
  };
  Cut cut_of(std::size_t i) const {
    Cut cut;
    cut.junction = rest_.width();
    for (std::size_t j = rest_.width(); j-- > 0;)
      if (marked(i, j)) cut.junction = j;
    while (cut.pure < pure_.width() && pure_.filled(i, cut.pure)) ++cut.pure;
    while (cut.longer < cut.junction && rest_.filled(i, cut.longer)) ++cut.longer;
    for (std::size_t j = cut.junction; j < rest_.width() && rest_.filled(i, j); ++j) ++cut.shorter;
    return cut;
  }
  static bool has_partner(std::size_t i, std::size_t count) { return count - 1 - i != i; }
  std::size_t start_of(const std::vector<ViewCsr>& views, std::size_t row) const {
    return views[row / cells_].row_start[row % cells_];
  }
  std::size_t bit(std::size_t i, std::size_t j) const { return j * pairs_ + i; }
  bool marked(std::size_t i, std::size_t j) const {
    return (junction_[bit(i, j) / 64] >> bit(i, j) % 64 & 1U) != 0;
  }

  std::size_t cells_, pairs_ = 0, shared_ = 0, half_ = 0;  ///< N', Nbar
  DenseBlock common_, rest_, pure_;                        ///< SM1, SM2, SM3
  std::vector<std::uint64_t> junction_;
  std::vector<std::uint32_t> place_;  ///< [row]: position of the row in the sorted order
};

}  // namespace

std::unique_ptr<ScsrBlocks> make_scsr_global_blocks(const std::vector<ViewCsr>& views,
                                                    std::size_t voxels,
                                                    const CheckInterrupt& check_interrupt) {
  return std::make_unique<GlobalBlocks>(views, voxels, check_interrupt);
}

}  // namespace gantry
