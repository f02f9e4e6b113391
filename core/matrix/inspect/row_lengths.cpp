#include "core/matrix/inspect/row_lengths.hpp"

#include "core/operator/row_norms.hpp"

#include <algorithm>

namespace gantry {

namespace {

/// Number of views, detector columns and detector rows to sample.
struct Sample {
  int views, columns, rows;
};

/// Chooses the sample. The detector columns tell most about the row lengths: detector rows and
/// views are thinned out first, to no fewer than 4 rows and 8 views.
Sample sample_of(const ScanGeometry& scan, std::size_t most_rays) {
  constexpr int fewest_rows = 4, fewest_views = 8;
  Sample sample{scan.views(), scan.columns(), scan.rows()};
  if (scan.rays() <= most_rays) return sample;
  const auto part = [&](int of, int fewest, double others) {
    const double room = static_cast<double>(most_rays) / others;
    return std::clamp(static_cast<int>(room), std::min(fewest, of), of);
  };
  sample.rows = part(scan.rows(), fewest_rows, 1.0 * scan.columns() * scan.views());
  sample.views = part(scan.views(), fewest_views, 1.0 * scan.columns() * sample.rows);
  sample.columns = part(scan.columns(), 1, 1.0 * sample.views * sample.rows);
  return sample;
}

/// Returns the index in the middle of part i, if `count` indices are cut into `parts` equal parts.
int place(int i, int parts, int count) {
  return static_cast<int>((2 * static_cast<std::int64_t>(i) + 1) * count / (2 * parts));
}

/// Returns the least 1, 2 or 5 x 10^n that is at least `width`.
std::uint32_t round_width_above(double width) {
  for (std::uint32_t decade = 1;; decade *= 10)
    for (const std::uint32_t step : {1U, 2U, 5U})
      if (step * decade >= width) return step * decade;
}

}  // namespace

RowLengths row_lengths(const Projector& weights, std::size_t most_rays, int most_bins,
                       const Interrupt* interrupt) {
  const ScanGeometry& scan = weights.geometry();
  const Sample sample = sample_of(scan, most_rays);
  RowLengths result;
  result.rays = scan.rays();
  std::vector<std::uint32_t> lengths;
  RowWeights row;
  for (int v = 0; v < sample.views; ++v) {
    const auto rows = require_row_source(weights).view_rows(place(v, sample.views, scan.views()));
    for (int r = 0; r < sample.rows; ++r)
      for (int c = 0; c < sample.columns; ++c) {
        if (interrupt != nullptr) interrupt->check();
        rows->weights(place(c, sample.columns, scan.columns()), place(r, sample.rows, scan.rows()),
                      row);
        lengths.push_back(static_cast<std::uint32_t>(row.size()));
      }
  }
  result.sampled = lengths.size();
  double sum = 0;
  for (const std::uint32_t length : lengths) {
    result.longest = std::max(result.longest, length);
    result.empty += length == 0 ? 1 : 0;
    sum += length;
  }
  result.mean = sum / static_cast<double>(lengths.size());
  result.bin_width = round_width_above((result.longest + 1.0) / most_bins);
  result.histogram.assign(result.longest / result.bin_width + 1, 0);
  for (const std::uint32_t length : lengths) ++result.histogram[length / result.bin_width];
  return result;
}

}  // namespace gantry
