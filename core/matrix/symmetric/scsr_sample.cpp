#include "core/matrix/symmetric/scsr_sample.hpp"

#include "core/base/even_samples.hpp"
#include "core/operator/row_norms.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr std::size_t most_rays = 4096;  // of a scan that is taken whole
constexpr int most_views = 32, most_of_line = 128, most_of_side = 16;

/// Returns the places of the views of the sample among `count` stored views, ascending: from the
/// first to the last at equal steps, or as pairs of neighbours, with the pair p from one end also
/// the pair p from the other.
std::vector<int> places_of_views(int count, bool in_pairs) {
  if (!in_pairs) return samples_to_the_ends(count, most_views);
  std::vector<int> places;
  constexpr int parts = 4;
  const int pairs = count / 2;
  std::vector<int> of_pairs;
  for (int i = 0; i < parts; ++i) {
    const int pair = (2 * i + 1) * pairs / (4 * parts);
    of_pairs.insert(of_pairs.end(), {pair, pairs - 1 - pair});
  }
  std::ranges::sort(of_pairs);
  of_pairs.erase(std::unique(of_pairs.begin(), of_pairs.end()), of_pairs.end());
  for (const int pair : of_pairs) places.insert(places.end(), {2 * pair, 2 * pair + 1});
  return places;
}

}  // namespace

ScsrSample sample_stored_views(const Projector& weights, const std::vector<int>& stored_views,
                               int most_rows, bool in_pairs) {
  const ScanGeometry& scan = weights.geometry();
  const int rows = std::min(most_rows, scan.rows()), columns = scan.columns();
  const double cells = 1.0 * rows * columns, all = cells * static_cast<double>(stored_views.size());
  const auto stride = [](int count, int most) { return (count + most - 1) / most; };
  ScsrSample sample;
  int row_stride = 1;
  if (all <= most_rays) {
    sample.numbers = stored_views;
  } else {
    for (const int place : places_of_views(static_cast<int>(stored_views.size()), in_pairs))
      sample.numbers.push_back(stored_views[static_cast<std::size_t>(place)]);
    sample.column_stride = stride(columns, rows == 1 ? most_of_line : most_of_side);
    row_stride = stride(rows, most_of_side);
  }
  RowWeights row;
  std::vector<std::size_t> order;
  std::size_t taken = 0;
  for (const int number : sample.numbers) {
    const auto of_view = require_row_source(weights).view_rows(number);
    ViewCsr& view = sample.views.emplace_back();
    view.row_start.push_back(0);
    for (int v = row_stride / 2; v < rows; v += row_stride)
      for (int u = sample.column_stride / 2; u < columns; u += sample.column_stride, ++taken) {
        of_view->weights(u, v, row);
        append_sorted(row, order, view);
      }
  }
  sample.scale = all / static_cast<double>(taken);
  return sample;
}

}  // namespace gantry
