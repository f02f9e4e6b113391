#include "core/io/imports/checks/unlit_cells.hpp"

#include "core/base/median.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/corrections/cell_repair.hpp"
#include "core/corrections/correction.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace gantry {

namespace {

constexpr float dim_part = 0.05F;      // of the beam in bright cells
constexpr float bright_part = 0.9F;    // of all cells are darker than bright ones
constexpr int region_radius = 2;       // rows and columns
constexpr int gap_radius = 8;          // cells, as far as CellRepair looks
constexpr double clipped_part = 0.01;  // of the values of a cell that shows no more than noise

float beam_of_bright_cells(std::span<const float> beam) {
  std::vector<float> known;
  std::ranges::copy_if(beam, std::back_inserter(known), [](float one) { return one > 0; });
  if (known.empty()) return 0;
  const auto at = known.begin() +
                  static_cast<std::ptrdiff_t>(bright_part * static_cast<float>(known.size() - 1));
  std::ranges::nth_element(known, at);
  return *at;
}

/// Which cells of a detector are dim.
class DimMap {
 public:
  DimMap(std::span<const float> beam, int rows, int columns)
      : rows_(rows), columns_(columns), is_dim_(beam.size()) {
    const float least = dim_part * beam_of_bright_cells(beam);
    std::ranges::transform(beam, is_dim_.begin(),
                           [least](float one) { return one >= least ? 0 : 1; });
  }

  bool is_any() const { return std::ranges::count(is_dim_, 1) > 0; }
  bool is_dim(int row, int column) const {
    return is_dim_[static_cast<std::size_t>(std::ptrdiff_t{row} * columns_ + column)] != 0;
  }
  bool is_in_margin(int row, int column) const {
    return is_among_dim(row, column) && !is_between(row, column, 1, 0) &&
           !is_between(row, column, 0, 1);
  }

 private:
  bool is_inside(int row, int column) const {
    return row >= 0 && row < rows_ && column >= 0 && column < columns_;
  }
  /// Whether most cells within the radius of a cell, and within the detector, are dim.
  bool is_among_dim(int row, int column) const {
    int dim = 0, all = 0;
    for (int r = row - region_radius; r <= row + region_radius; ++r)
      for (int c = column - region_radius; c <= column + region_radius; ++c) {
        if (!is_inside(r, c)) continue;
        ++all;
        dim += is_dim(r, c) ? 1 : 0;
      }
    return 2 * dim > all;
  }
  /// Whether bright cells are near at both sides of a cell, along rows or columns.
  bool is_between(int row, int column, int row_step, int column_step) const {
    const auto is_bright = [&](int sign) {
      for (int k = 1; k <= gap_radius; ++k) {
        const int r = row + sign * k * row_step, c = column + sign * k * column_step;
        if (is_inside(r, c) && !is_dim(r, c)) return true;
      }
      return false;
    };
    return is_bright(-1) && is_bright(1);
  }

  int rows_, columns_;
  std::vector<char> is_dim_;
};

}  // namespace

DimCells dim_cells(std::span<const float> beam, int rows, int columns) {
  const DimMap map(beam, rows, columns);
  DimCells found;
  if (!map.is_any()) return found;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      if (!map.is_dim(row, column)) continue;
      const auto cell = static_cast<std::size_t>(std::ptrdiff_t{row} * columns + column);
      DimCells::Kind& kind = map.is_in_margin(row, column) ? found.margin : found.inner;
      (beam[cell] > 0 ? kind.weak : kind.dead).push_back(cell);
    }
  return found;
}

double noise_in(const DimCells& cells, std::span<const float> one, std::span<const float> other) {
  constexpr double quartile = 0.6745;  // half of normal numbers are within, in standard deviations
  std::vector<float> differences;
  for (const DimCells::Kind* kind : {&cells.margin, &cells.inner})
    for (const auto* some : {&kind->weak, &kind->dead})
      for (const std::size_t cell : *some)
        if (const float off = std::abs(one[cell] - other[cell]); std::isfinite(off))
          differences.push_back(off);
  return differences.empty() ? 0 : median_of(differences) / (quartile * std::sqrt(2.0));
}

void leave_out_measured(std::span<const float> beam, double noise, DimCells& cells) {
  constexpr double least = 6;  // standard deviations
  for (DimCells::Kind* kind : {&cells.margin, &cells.inner})
    std::erase_if(kind->weak, [&](std::size_t cell) { return beam[cell] >= least * noise; });
}

DimCells turned_over(DimCells cells, int rows, int columns) {
  const auto width = static_cast<std::size_t>(columns), last = static_cast<std::size_t>(rows) - 1;
  for (DimCells::Kind* kind : {&cells.margin, &cells.inner})
    for (auto* some : {&kind->weak, &kind->dead})
      for (std::size_t& cell : *some) cell = (last - cell / width) * width + cell % width;
  return cells;
}

UnlitCells mend_unlit(const DimCells& dim, const FrameSizes& sizes, std::span<const int> left_out,
                      float clipped, std::span<float> values) {
  const std::size_t cells =
      static_cast<std::size_t>(sizes.rows) * static_cast<std::size_t>(sizes.columns);
  const std::size_t kept = static_cast<std::size_t>(sizes.views) - left_out.size();
  UnlitCells unlit;
  const auto unlit_among = [&](const std::vector<std::size_t>& weak) {
    std::vector<std::size_t> counts(weak.size()), found;
    for (int view = 0; view < sizes.views && !weak.empty(); ++view) {
      if (std::ranges::binary_search(left_out, view)) continue;
      const auto frame = values.subspan(cells * static_cast<std::size_t>(view), cells);
      for (std::size_t i = 0; i < weak.size(); ++i) counts[i] += frame[weak[i]] >= clipped ? 1 : 0;
    }
    for (std::size_t i = 0; i < weak.size(); ++i) {
      if (static_cast<double>(counts[i]) < clipped_part * static_cast<double>(kept)) continue;
      found.push_back(weak[i]);
      unlit.clipped += counts[i];
    }
    return found;
  };
  std::vector<std::size_t> margin = unlit_among(dim.margin.weak),
                           inner = unlit_among(dim.inner.weak);
  margin.insert(margin.end(), dim.margin.dead.begin(), dim.margin.dead.end());
  unlit.of_margin = margin.size();
  unlit.inner = inner.size();
  if (margin.empty() && inner.empty()) return unlit;
  // Dead cells among those that show noise got the mean of noise.
  if (!inner.empty()) inner.insert(inner.end(), dim.inner.dead.begin(), dim.inner.dead.end());
  const CellRepair repair(sizes.rows, sizes.columns, inner);
  for (int view = 0; view < sizes.views; ++view) {
    const auto frame = values.subspan(cells * static_cast<std::size_t>(view), cells);
    for (const std::size_t cell : margin) frame[cell] = 0;
    repair.apply(frame);
  }
  return unlit;
}

std::vector<std::string> unlit_notes(const UnlitCells& unlit, const FrameSizes& sizes) {
  std::vector<std::string> notes;
  if (unlit.of_margin > 0) {
    const double cells = static_cast<double>(sizes.rows) * sizes.columns;
    notes.push_back(
        "the beam does not reach " +
        format_param(to_digits(100 * static_cast<double>(unlit.of_margin) / cells, 3)) +
        " % of the detector, where the flats are hardly above the darks: the line integrals there, "
        "which would be noise, are 0; --rows and --columns leave the margin out");
  }
  if (unlit.inner > 0)
    notes.push_back(counted(unlit.inner, "cell") +
                    " with no more than noise, since the flats are hardly above the darks, got the "
                    "mean of the neighbours");
  return notes;
}

}  // namespace gantry
