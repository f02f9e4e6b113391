#include "core/matrix/symmetric/column_permutation.hpp"

#include "core/base/parallel_errors.hpp"

#include <algorithm>
#include <span>

namespace gantry {

namespace {

constexpr std::size_t warp_rows = 32;

/// The pixels that the rows of a warp have in each slot so far.
class TakenPixels {
 public:
  explicit TakenPixels(std::size_t width) : count_(width), pixel_(width * warp_rows) {}

  bool has(std::size_t place, std::uint32_t pixel) const {
    const auto* first = pixel_.data() + place * warp_rows;
    return std::find(first, first + count_[place], pixel) != first + count_[place];
  }
  void add(std::size_t place, std::uint32_t pixel) {
    pixel_[place * warp_rows + count_[place]++] = pixel;
  }

 private:
  std::vector<std::uint8_t> count_;
  std::vector<std::uint32_t> pixel_;
};

/// A piece of a row of a sub-matrix: entry order[j] of the piece goes to slot j of the piece.
struct Arrangement {
  std::span<const std::uint32_t> pixel;
  std::vector<std::uint32_t> order;
};

void rotate(Arrangement& a, std::size_t by) {
  for (std::size_t j = 0; j < a.order.size(); ++j)
    a.order[j] = static_cast<std::uint32_t>((j + by) % a.order.size());
}

/// Arranges a piece greedily: slot j takes the first remaining entry whose pixel no earlier row of
/// the warp has in that slot. If there is no such entry, the slot takes the next remaining entry,
/// which is exchanged with an earlier entry of the piece if both pixels are free after the
/// exchange.
void keep_apart(Arrangement& a, std::size_t first, const TakenPixels& taken) {
  const std::size_t count = a.order.size();
  std::vector<std::uint32_t> left(count);
  for (std::size_t i = 0; i < count; ++i) left[i] = static_cast<std::uint32_t>(i);
  const auto is_free = [&](std::size_t place, std::uint32_t entry) {
    return !taken.has(first + place, a.pixel[entry]);
  };
  std::size_t begin = 0;  // left[begin ..] are the remaining entries
  for (std::size_t j = 0; j < count; ++j, ++begin) {
    const auto found = std::find_if(left.begin() + static_cast<std::ptrdiff_t>(begin), left.end(),
                                    [&](std::uint32_t entry) { return is_free(j, entry); });
    // The entries that are passed over keep their order.
    if (found != left.end())
      std::rotate(left.begin() + static_cast<std::ptrdiff_t>(begin), found, found + 1);
    a.order[j] = left[begin];
    if (found != left.end()) continue;
    for (std::size_t i = 0; i < j; ++i)
      if (is_free(i, a.order[j]) && is_free(j, a.order[i])) {
        std::swap(a.order[i], a.order[j]);
        break;
      }
  }
}

/// Returns the index of the first piece of each warp, followed by the number of pieces. `pieces`
/// must be listed row by row.
std::vector<std::size_t> warps_of(const std::vector<DensePiece>& pieces, std::size_t rows) {
  std::vector<std::size_t> start;
  std::size_t p = 0;
  for (std::size_t first = 0; first < rows; first += warp_rows) {
    start.push_back(p);
    while (p < pieces.size() && pieces[p].row < first + warp_rows) ++p;
  }
  start.push_back(p);
  return start;
}

/// Reorders the pieces of a warp.
void permute_warp(DenseBlock& block, std::span<const DensePiece> pieces, ColumnOrder order) {
  TakenPixels taken(block.width());
  std::vector<std::uint32_t> pixels;
  for (const DensePiece& piece : pieces) {
    pixels.resize(piece.count);
    for (std::uint32_t j = 0; j < piece.count; ++j)
      pixels[j] = block.columns()[(piece.first + j) * block.rows() + piece.row];
    Arrangement a{pixels, std::vector<std::uint32_t>(piece.count)};
    if (order == ColumnOrder::shifted)
      rotate(a, piece.row % warp_rows);
    else
      keep_apart(a, piece.first, taken);
    for (std::uint32_t j = 0; j < piece.count; ++j) taken.add(piece.first + j, pixels[a.order[j]]);
    block.reorder(piece.row, piece.first, a.order);
  }
}

}  // namespace

ColumnOrder parse_column_order(const std::string& name) {
  return name == "shift"      ? ColumnOrder::shifted
         : name == "distinct" ? ColumnOrder::distinct
                              : ColumnOrder::ascending;
}

void permute_columns(DenseBlock& block, const std::vector<DensePiece>& pieces, ColumnOrder order,
                     const CheckInterrupt& check_interrupt) {
  if (order == ColumnOrder::ascending) return;
  const std::vector<std::size_t> start = warps_of(pieces, block.rows());
  constexpr std::size_t portion = 64;
  for (std::size_t first = 0; first + 1 < start.size(); first += portion) {
    const std::size_t last = std::min(first + portion, start.size() - 1);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t warp = first; warp < last; ++warp)
      errors.run([&] {
        permute_warp(block, std::span(pieces).subspan(start[warp], start[warp + 1] - start[warp]),
                     order);
      });
    errors.rethrow();
    check_interrupt();
  }
}

std::uint64_t colliding_writes(const DensePieces& all) {
  const std::vector<std::size_t> start = warps_of(all.pieces, all.block->rows());
  std::uint64_t count = 0;
  for (std::size_t warp = 0; warp + 1 < start.size(); ++warp) {
    TakenPixels taken(all.block->width());
    for (std::size_t p = start[warp]; p < start[warp + 1]; ++p) {
      const DensePiece& piece = all.pieces[p];
      for (std::uint32_t j = piece.first; j < piece.first + piece.count; ++j) {
        const std::uint32_t pixel = all.block->columns()[j * all.block->rows() + piece.row];
        if (taken.has(j, pixel))
          ++count;
        else
          taken.add(j, pixel);
      }
    }
  }
  return count;
}

}  // namespace gantry
