#include "core/alignment/lit_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gantry {

namespace {

/// Returns how many cells of each row are 0 in all views.
std::vector<int> unlit_of_rows(const ScanGeometry& geometry,
                               std::span<const float> line_integrals) {
  const std::size_t cells = geometry.cells(),
                    columns = static_cast<std::size_t>(geometry.columns());
  std::vector<int> unlit(static_cast<std::size_t>(geometry.rows()));
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::size_t at = cell;
    while (at < line_integrals.size() && line_integrals[at] == 0) at += cells;
    if (at >= line_integrals.size()) ++unlit[cell / columns];
  }
  return unlit;
}

/// Returns the longest run of rows, first and behind the last, of which few more cells are unlit
/// than of the best row.
std::pair<int, int> longest_lit(const std::vector<int>& unlit, int columns) {
  constexpr int most_part = 20;
  const int most = *std::ranges::min_element(unlit) + columns / most_part,
            rows = static_cast<int>(unlit.size());
  std::pair<int, int> longest{0, 0};
  for (int first = 0; first < rows; ++first) {
    int behind = first;
    while (behind < rows && unlit[static_cast<std::size_t>(behind)] <= most) ++behind;
    if (behind - first > longest.second - longest.first) longest = {first, behind};
    first = behind;
  }
  return longest;
}

}  // namespace

std::optional<StillViews> lit_rows(const ScanGeometry& geometry,
                                   std::span<const float> line_integrals) {
  constexpr int least_part = 8;
  const int rows = geometry.rows();
  if (rows < least_part) return std::nullopt;
  const auto [first, behind] =
      longest_lit(unlit_of_rows(geometry, line_integrals), geometry.columns());
  if (behind - first == rows || behind - first < rows / least_part) return std::nullopt;
  StillViews lit{geometry.spec(), {}};
  lit.scan.detector_rows = behind - first;
  lit.scan.central_row -= first;
  const auto columns = static_cast<std::size_t>(geometry.columns()),
             from = static_cast<std::size_t>(first) * columns,
             count = static_cast<std::size_t>(behind - first) * columns;
  for (std::size_t at = 0; at < line_integrals.size(); at += geometry.cells()) {
    const auto view = line_integrals.subspan(at + from, count);
    lit.line_integrals.insert(lit.line_integrals.end(), view.begin(), view.end());
  }
  return lit;
}

}  // namespace gantry
