// View-level blocking of cuART (Yu et al. 2019, algorithm 1), without sorting. Over the rays of a
// view the number of nonzeros rises, stays constant and falls. The break points come from the
// geometry, as rays through the corners of the image; the paper has constants of its scanner
// instead (b, c, c').
//   SM1: the first a nonzeros of every matrix row, a being the fewest of any row of the view; the
//   rest of a row is its tail. (In line 5 of the algorithm a is the same for all views, in the text
//   each view has an a of its own: the text is followed, as the rows at the ends differ by view.)
//   Neighbouring views (i, i + 1), i even, with ramps of K rays on a side: row j of view i takes
//   the tail of row K - 1 - j of view i + 1 behind its own tail, and so on the other side, counted
//   from the end. View i becomes a rectangle ("full"), of view i + 1 the plateau is left ("cut").
//   Pairs of views p and P - 1 - p, from both ends of the P pairs, average their lengths row by
//   row: the end of the longer row moves behind the shorter row. SM2 has the full views of both
//   pairs, SM3 the cut views.
// Lines 30-33 of the algorithm name view nv-1-i+1, which does not exist for i = 0. The SM2 with 2
// M' rows of four owners each and the SM3 with fewer rows of two owners each result if full views
// are averaged with full views and cut views with cut views, that is views i with nv-2-i and i+1
// with nv-1-i. Instead of the paper's flags the lengths of the owners' parts are stored.
#include "core/geometry/scan_geometry.hpp"
#include "core/matrix/symmetric/scsr_blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// The cells whose tails a dense row holds: `first` of the row's view, then `second` of the
/// neighbouring view.
struct Owners {
  std::size_t first = none, second = none;
};

/// A pair of neighbouring views, or the last view alone.
struct ViewPair {
  std::size_t full_view = none, cut_view = none;
  std::vector<Owners> full, cut;
};

ViewPair pair_of(std::size_t view, bool alone, std::size_t cells, ProfileRamps ramps) {
  ViewPair pair{view, alone ? none : view + 1, {}, {}};
  const std::size_t left = std::min(ramps.left, cells), right = std::min(ramps.right, cells - left);
  for (std::size_t j = 0; j < cells; ++j) {
    Owners owners{j, none};
    if (!alone && j < left) owners.second = left - 1 - j;
    if (!alone && j >= cells - right) owners.second = cells - right + (cells - 1 - j);
    pair.full.push_back(owners);
    if (!alone && j >= left && j < cells - right) pair.cut.push_back({j, none});
  }
  return pair;
}

class ViewBlocks final : public ScsrBlocks {
 public:
  ViewBlocks(const std::vector<ViewCsr>& views, std::size_t voxels,
             const std::vector<ProfileRamps>& ramps, const CheckInterrupt& check_interrupt)
      : ScsrBlocks(views, voxels), cells_(views.front().row_start.size() - 1) {
    for (const ViewCsr& view : views) {
      check_interrupt();
      std::size_t fewest = none;
      for (std::size_t cell = 0; cell < cells_; ++cell)
        fewest = std::min(fewest, length(view, cell));
      DenseBlock& common = common_.emplace_back(cells_, fewest);
      for (std::size_t cell = 0; cell < cells_; ++cell)
        common.put(cell, 0, view, view.row_start[cell], fewest);
    }
    places_.resize(views.size() * cells_);
    std::vector<ViewPair> pairs;
    for (std::size_t v = 0; v < views.size(); v += 2)
      pairs.push_back(pair_of(v, v + 1 == views.size(), cells_, ramps[v]));
    for (std::size_t p = 0; 2 * p < pairs.size(); ++p) {
      check_interrupt();
      const ViewPair& a = pairs[p];
      const ViewPair* b = pairs.size() - 1 - p > p ? &pairs[pairs.size() - 1 - p] : nullptr;
      add_block(views, a.full, a.full_view, a.cut_view,
                b != nullptr ? b->full : std::vector<Owners>(), b != nullptr ? b->full_view : none,
                b != nullptr ? b->cut_view : none);
      add_block(views, a.cut, a.cut_view, none, b != nullptr ? b->cut : std::vector<Owners>(),
                b != nullptr ? b->cut_view : none, none);
    }
  }

  ViewCsr decode(std::size_t view) const override {
    ViewCsr out;
    out.row_start.push_back(0);
    for (std::size_t row = view * cells_; row < (view + 1) * cells_; ++row) {
      common_[view].append(row - view * cells_, 0, common_[view].width(), out);
      for (const Part& part : places_[row])
        if (part.count > 0) blocks_[part.block].append(part.row, part.first, part.count, out);
      out.row_start.push_back(static_cast<std::uint32_t>(out.column.size()));
    }
    return out;
  }

  std::vector<DensePieces> pieces() const override {
    std::vector<DensePieces> all, tails;
    for (const DenseBlock& block : blocks_) tails.push_back({&block, {}});
    for (std::size_t row = 0; row < places_.size(); ++row) {
      const auto owner = static_cast<std::uint32_t>(row);
      const std::size_t cell = row % cells_;
      if (cell == 0) all.push_back({&common_[row / cells_], {}});
      if (const std::size_t width = all.back().block->width(); width > 0)
        all.back().pieces.push_back(
            {static_cast<std::uint32_t>(cell), 0, static_cast<std::uint32_t>(width), owner});
      for (const Part& part : places_[row])
        if (part.count > 0)
          tails[part.block].pieces.push_back({part.row, part.first, part.count, owner});
    }
    for (DensePieces& tail : tails) {
      std::ranges::sort(tail.pieces, {},
                        [](const DensePiece& piece) { return std::pair(piece.row, piece.first); });
      all.push_back(std::move(tail));
    }
    return all;
  }

  void describe(MatrixStorage& storage) const override {
    std::size_t padded = 0;
    for (const DenseBlock& block : common_) padded += block.padded_size();
    for (const DenseBlock& block : blocks_) padded += block.padded_size();
    storage.padding = padded - all_nonzeros();
    storage.parts = {{"weights", padded * sizeof(float)},
                     {"columns", padded * sizeof(std::uint32_t)},
                     {"index of the rows", places_.size() * sizeof(places_[0])}};
  }

 private:
  std::vector<DenseBlock*> sub_matrices() override {
    std::vector<DenseBlock*> all;
    for (std::vector<DenseBlock>* list : {&common_, &blocks_})
      for (DenseBlock& block : *list) all.push_back(&block);
    return all;
  }

  /// Block, row and slots of a piece of a matrix row's tail.
  struct Part {
    std::uint32_t block = 0, row = 0, first = 0, count = 0;
  };
  /// Nonzeros first .. first + count - 1 of the tail of a cell of a view; `moved` by average(). A
  /// row of a block is a list of pieces.
  struct Piece {
    std::size_t view, cell, first, count;
    bool moved;
  };
  using Pieces = std::vector<Piece>;

  static std::size_t length(const ViewCsr& view, std::size_t cell) {
    return view.row_start[cell + 1] - view.row_start[cell];
  }
  static std::size_t length(const Pieces& pieces) {
    std::size_t sum = 0;
    for (const Piece& piece : pieces) sum += piece.count;
    return sum;
  }

  Pieces tails(const std::vector<ViewCsr>& views, const Owners& owners, std::size_t first_view,
               std::size_t second_view) const {
    Pieces pieces;
    pieces.push_back({first_view, owners.first, 0,
                      length(views[first_view], owners.first) - common_[first_view].width(),
                      false});
    if (owners.second != none)
      pieces.push_back({second_view, owners.second, 0,
                        length(views[second_view], owners.second) - common_[second_view].width(),
                        false});
    return pieces;
  }

  /// Moves the end of the longer row behind the shorter row: their lengths then differ by one at
  /// most.
  static void average(Pieces& a, Pieces& b) {
    Pieces &longer = length(a) >= length(b) ? a : b, &shorter = &longer == &a ? b : a;
    std::size_t excess = (length(longer) - length(shorter)) / 2;
    for (std::size_t i = longer.size(); i-- > 0 && excess > 0;) {
      Piece& piece = longer[i];
      const std::size_t count = std::min(excess, piece.count);
      piece.count -= count;
      excess -= count;
      shorter.push_back({piece.view, piece.cell, piece.first + piece.count, count, true});
    }
  }

  /// Adds a dense block of the rows of two views, `a` and `b`, with the tails that the rows take
  /// from the neighbouring views.
  void add_block(const std::vector<ViewCsr>& views, const std::vector<Owners>& a,
                 std::size_t a_view, std::size_t a_neighbour, const std::vector<Owners>& b,
                 std::size_t b_view, std::size_t b_neighbour) {
    std::vector<Pieces> rows;
    for (const Owners& owners : a) rows.push_back(tails(views, owners, a_view, a_neighbour));
    for (const Owners& owners : b) rows.push_back(tails(views, owners, b_view, b_neighbour));
    std::size_t width = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      average(rows[i], rows[a.size() + i]);
    for (const Pieces& row : rows) width = std::max(width, length(row));
    DenseBlock block(rows.size(), width);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::size_t at = 0;
      for (const Piece& piece : rows[i]) {
        const ViewCsr& view = views[piece.view];
        block.put(i, at, view,
                  view.row_start[piece.cell] + common_[piece.view].width() + piece.first,
                  piece.count);
        places_[piece.view * cells_ + piece.cell][piece.moved ? 1 : 0] = {
            static_cast<std::uint32_t>(blocks_.size()), static_cast<std::uint32_t>(i),
            static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(piece.count)};
        at += piece.count;
      }
    }
    blocks_.push_back(std::move(block));
  }

  std::size_t cells_;
  std::vector<DenseBlock> common_;  ///< [view]: SM1
  std::vector<DenseBlock> blocks_;  ///< SM2 and SM3, alternating, of each two pairs of views
  std::vector<std::array<Part, 2>> places_;  ///< [matrix row]: the tail, and its moved end
};

}  // namespace

std::unique_ptr<ScsrBlocks> make_scsr_view_blocks(const std::vector<ViewCsr>& views,
                                                  std::size_t voxels,
                                                  const std::vector<ProfileRamps>& ramps,
                                                  const CheckInterrupt& check_interrupt) {
  return std::make_unique<ViewBlocks>(views, voxels, ramps, check_interrupt);
}

ProfileRamps profile_ramps(const ScanGeometry& geometry, const VolumeGrid& grid, int view) {
  const Vec3 low = grid.lower_corner_mm(), high = grid.upper_corner_mm();
  const int columns = geometry.columns();
  // Rays are ordered along the detector: bisection, by the side of a ray on which the corner lies,
  // finds the column of the ray through the corner.
  const auto place = [&](double x, double y) {
    int first = 0, last = columns;  // the corner lies beyond all rays of cells below `first`
    const auto beyond = [&](int column) {
      const Ray ray = geometry.ray(view, column, 0), other = geometry.ray(view, column + 1.0, 0);
      const auto side = [&](double px, double py) {
        return ray.direction.x * (py - ray.origin_mm.y) - ray.direction.y * (px - ray.origin_mm.x);
      };
      const Vec3 next = other.origin_mm + 1e3 * other.direction;
      return side(x, y) * side(next.x, next.y) > 0;
    };
    while (first < last) {
      const int middle = (first + last) / 2;
      if (beyond(middle))
        first = middle + 1;
      else
        last = middle;
    }
    return static_cast<std::size_t>(first);
  };
  std::array<std::size_t, 4> corners = {place(low.x, low.y), place(high.x, low.y),
                                        place(low.x, high.y), place(high.x, high.y)};
  std::ranges::sort(corners);
  return {corners[1], static_cast<std::size_t>(columns) - corners[2]};
}

}  // namespace gantry
