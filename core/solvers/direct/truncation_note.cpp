// A row is truncated if the median of its outermost cells at an end is more than a quarter of
// its largest value: that of a disc is where it reaches past the detector by 3 % of its radius. A
// scan that just holds its object has less. The median passes over a few defective cells. Rows of
// little more than air do not count. Noise raises the limit by its standard deviation.
#include "core/solvers/direct/truncation_note.hpp"

#include "core/base/median.hpp"
#include "core/geometry/scan_coverage.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t outermost = 3, most_views = 90, most_rows = 15;
constexpr std::size_t fewest_columns = 32;  // of fewer, the outermost are much of the object
constexpr float air = 0.25F;                // of the largest value of the row
constexpr float substance = 0.3F;           // of the largest value of all rows
constexpr double truncated_rows = 0.05;     // an elongated object is cut off in few views

struct RowEnds {
  float largest, first, last;
  float change;  ///< of the two outermost cells of either end, the mean
};

RowEnds ends_of(std::span<const float> row) {
  const std::size_t n = row.size();
  const float change = 0.5F * (std::abs(row[0] - row[1]) + std::abs(row[n - 1] - row[n - 2]));
  std::vector<float> first(row.begin(), row.begin() + outermost),
      last(row.end() - outermost, row.end());
  return {std::ranges::max(row), upper_median(first), upper_median(last), change};
}

/// Returns the standard deviation of the noise at the ends of rows, from how neighbours differ.
float noise_at_ends(std::span<const RowEnds> rows) {
  std::vector<float> changes;
  for (const RowEnds& row : rows) changes.push_back(row.change);
  constexpr float of_mean_change = 0.886F;  // of |a - b| of normal numbers: sqrt(pi) / 2
  return changes.empty() ? 0 : of_mean_change * upper_median(changes);
}

std::size_t stride(std::size_t count, std::size_t most) { return (count + most - 1) / most; }

}  // namespace

std::string truncation_note(const ScanGeometry& geometry, std::span<const float> line_integrals,
                            const std::string& to_expect) {
  const auto views = static_cast<std::size_t>(geometry.views()),
             rows = static_cast<std::size_t>(geometry.rows()),
             columns = static_cast<std::size_t>(geometry.columns());
  if (columns < fewest_columns) return {};
  std::vector<RowEnds> sample;
  for (std::size_t v = 0; v < views; v += stride(views, most_views))
    for (std::size_t r = 0; r < rows; r += stride(rows, most_rows)) {
      const std::span<const float> row = line_integrals.subspan((v * rows + r) * columns, columns);
      if (std::ranges::all_of(row, [](float value) { return std::isfinite(value); }))
        sample.push_back(ends_of(row));
    }
  float largest = 0;
  for (const RowEnds& row : sample) largest = std::max(largest, row.largest);
  std::erase_if(sample, [=](const RowEnds& row) { return !(row.largest > substance * largest); });

  const double central = geometry.spec().central_column,
               middle = 0.5 * static_cast<double>(columns - 1);
  const bool one_side =
      geometry.rotates() && std::abs(central - middle) > 0.5 && covers_full_turn(geometry);
  const bool look_first = !one_side || central > middle, look_last = !one_side || central < middle;
  const float noise = noise_at_ends(sample);
  const auto truncated = std::ranges::count_if(sample, [=](const RowEnds& row) {
    const float limit = air * row.largest + std::min(noise, air * row.largest);
    return (look_first && row.first > limit) || (look_last && row.last > limit);
  });
  if (!(static_cast<double>(truncated) > truncated_rows * static_cast<double>(sample.size())))
    return {};
  return "detector rows do not end in air: the object is wider than the detector, or the flats are "
         "brighter than the air beside the object (columns of air mend that): expect " +
         (to_expect.empty() ? "a bright rim and wrong values, which FBP and FDK lessen by "
                              "\"extrapolation\" (0.25 to 0.5), iterative solvers by a grid as "
                              "wide as the object"
                            : to_expect);
}

std::string hidden_truncation_note() {
  return "columns were added to detector rows that do not end in air, as the file of the scan "
         "says: "
         "expect wrong values near the rim, and a bright rim where these columns show 0";
}

}  // namespace gantry
