#include "studies/stored_art.hpp"

#include "core/base/timing.hpp"

#include <algorithm>

namespace gantry {

namespace {

/// Returns (p_i - <w_i, f>) / ||w_i||^2 for a matrix row of `count` weights; 0 for a row without
/// weights.
double deviation(const float* weight, const std::uint32_t* column, std::size_t count, double p,
                 const float* f) {
  // Four partial sums, so that additions do not wait for each other.
  double dot[4] = {}, square[4] = {};
  for (std::size_t k = 0; k < count; ++k) {
    dot[k % 4] += 1.0 * weight[k] * f[column[k]];
    square[k % 4] += 1.0 * weight[k] * weight[k];
  }
  const double norm = square[0] + square[1] + square[2] + square[3];
  return norm > 0 ? (p - (dot[0] + dot[1] + dot[2] + dot[3])) / norm : 0;
}

}  // namespace

StoredArt::StoredArt(const Projector& weights, std::vector<int> views)
    : weights_(weights), views_(std::move(views)), rows_(views_.size()) {
  for_each_view_csr(weights, views_,
                    [this](std::size_t i, ViewCsr rows) { rows_[i] = std::move(rows); });
  for (const ViewCsr& rows : rows_) nonzeros_ += static_cast<double>(rows.nonzeros());
}

void StoredArt::sweep(std::span<const float> rays, double relaxation, std::span<float> image,
                      std::span<const int> order) const {
  const std::size_t cells = weights_.cells_per_view();
  for (std::size_t step = 0; step < rows_.size(); ++step) {
    weights_.check_interrupt();
    const std::size_t v = order.empty() ? step : static_cast<std::size_t>(order[step]);
    const ViewCsr& rows = rows_[v];
    const float* data = rays.data() + static_cast<std::size_t>(views_[v]) * cells;
    for (std::size_t i = 0; i < cells; ++i) {
      const std::size_t first = rows.row_start[i], count = rows.row_start[i + 1] - first;
      const float* weight = rows.weight.data() + first;
      const std::uint32_t* column = rows.column.data() + first;
      const auto factor =
          static_cast<float>(relaxation * deviation(weight, column, count, data[i], image.data()));
      for (std::size_t k = 0; k < count; ++k) image[column[k]] += factor * weight[k];
    }
  }
}

double art_iteration_seconds(const Projector& weights, int most_views) {
  const int views = weights.views(), count = std::min(views, most_views);
  std::vector<int> some;
  for (int i = 0; i < count; ++i)
    some.push_back(static_cast<int>(static_cast<std::int64_t>(i) * views / count));
  const StoredArt art(weights, some);
  const std::vector<float> rays(weights.range_size(), 1.0F);
  std::vector<float> image(weights.domain_size(), 0.0F);
  const Timing timing = time_calls([&] { art.sweep(rays, 1.0, image); }, 3);
  return 1e-3 * timing.median_ms * views / count;
}

}  // namespace gantry
