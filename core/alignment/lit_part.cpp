#include "core/alignment/lit_part.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gantry {

namespace {

/// Rows or columns, the last one not included.
struct Run {
  int first = 0, behind = 0;

  int count() const { return behind - first; }
};

/// Which cells of a detector are 0 in all views, [row][column].
std::vector<char> unlit_cells(const ScanGeometry& geometry, std::span<const float> line_integrals) {
  const std::size_t cells = geometry.cells();
  std::vector<char> is_unlit(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::size_t at = cell;
    while (at < line_integrals.size() && line_integrals[at] == 0) at += cells;
    is_unlit[cell] = at >= line_integrals.size() ? 1 : 0;
  }
  return is_unlit;
}

/// Whether air may be 0, as in a simulation without noise, so that nothing tells it from cells that
/// the beam does not reach: others are often 0, too, or come near it from above alone.
bool has_exact_air(std::span<const float> line_integrals, const std::vector<char>& is_unlit) {
  constexpr std::size_t most_part = 20;
  const std::size_t cells = is_unlit.size(), views = line_integrals.size() / cells;
  std::size_t zeros = 0, all = 0;
  float smallest = 0, largest = 0;
  for (const std::size_t view : {std::size_t{0}, views / 3, views / 2})
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (is_unlit[cell] != 0) continue;
      const float value = line_integrals[view * cells + cell];
      zeros += value == 0 ? 1 : 0;
      smallest = all == 0 ? value : std::min(smallest, value);
      largest = std::max(largest, value);
      ++all;
    }
  return most_part * zeros > all ||
         (smallest >= 0 && smallest * static_cast<float>(most_part) < largest);
}

/// Returns the longest run of counts of unlit cells that are no more than `most`.
Run longest_run(const std::vector<int>& unlit, int most) {
  const int all = static_cast<int>(unlit.size());
  Run longest;
  for (int first = 0; first < all; ++first) {
    Run run{first, first};
    while (run.behind < all && unlit[static_cast<std::size_t>(run.behind)] <= most) ++run.behind;
    if (run.count() > longest.count()) longest = run;
    first = run.behind;
  }
  return longest;
}

}  // namespace

std::optional<LitPart> lit_part(const ScanGeometry& geometry,
                                std::span<const float> line_integrals) {
  constexpr int least_part = 8, most_part_unlit = 20;
  const int rows = geometry.rows(), columns = geometry.columns();
  const std::vector<char> is_unlit = unlit_cells(geometry, line_integrals);
  if (std::ranges::count(is_unlit, 1) == 0 || has_exact_air(line_integrals, is_unlit))
    return std::nullopt;
  const auto unlit_at = [&](int row, int column) {
    return int{is_unlit[static_cast<std::size_t>(std::ptrdiff_t{row} * columns + column)]};
  };
  std::vector<int> of_rows(static_cast<std::size_t>(rows)),
      of_columns(static_cast<std::size_t>(columns));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      of_rows[static_cast<std::size_t>(row)] += unlit_at(row, column);
  const Run lit_rows =
      longest_run(of_rows, *std::ranges::min_element(of_rows) + columns / most_part_unlit);
  for (int row = lit_rows.first; row < lit_rows.behind; ++row)
    for (int column = 0; column < columns; ++column)
      of_columns[static_cast<std::size_t>(column)] += unlit_at(row, column);
  const Run lit_columns = longest_run(of_columns, lit_rows.count() / most_part_unlit);
  if (lit_rows.count() * least_part < rows || lit_columns.count() * least_part < columns ||
      (lit_rows.count() == rows && lit_columns.count() == columns))
    return std::nullopt;
  LitPart part{{geometry.spec(), {}}, lit_columns.first};
  part.views.scan.detector_rows = lit_rows.count();
  part.views.scan.detector_columns = lit_columns.count();
  part.views.scan.central_row -= lit_rows.first;
  part.views.scan.central_column -= lit_columns.first;
  std::vector<float>& values = part.views.line_integrals;
  for (std::size_t view = 0; view < line_integrals.size(); view += geometry.cells())
    for (int row = lit_rows.first; row < lit_rows.behind; ++row) {
      const auto line = line_integrals.subspan(
          view + static_cast<std::size_t>(std::ptrdiff_t{row} * columns + lit_columns.first),
          static_cast<std::size_t>(lit_columns.count()));
      values.insert(values.end(), line.begin(), line.end());
    }
  return part;
}

}  // namespace gantry
