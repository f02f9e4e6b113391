#include "studies/view_art.hpp"

#include "core/base/parallel_errors.hpp"

#include <algorithm>

namespace gantry {

namespace {

/// Returns <w_i, w_k> of two matrix rows with ascending voxels.
double product_of(const ViewCsr& rows, std::size_t i, std::size_t k) {
  std::size_t a = rows.row_start[i], b = rows.row_start[k];
  const std::size_t a_end = rows.row_start[i + 1], b_end = rows.row_start[k + 1];
  double sum = 0;
  while (a < a_end && b < b_end) {
    const std::uint32_t of_a = rows.column[a], of_b = rows.column[b];
    if (of_a == of_b) sum += 1.0 * rows.weight[a] * rows.weight[b];
    a += of_a <= of_b ? 1 : 0;
    b += of_b <= of_a ? 1 : 0;
  }
  return sum;
}

}  // namespace

ViewArt::ViewArt(const StoredArt& art) : art_(art), bands_(art.rows().size()) {
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t v = 0; v < bands_.size(); ++v)
    errors.run([&] {
      if (!art_.weights().interrupted()) bands_[v] = band_of(art_.rows()[v]);
    });
  errors.rethrow();
  art_.weights().check_interrupt();
  z_.resize(art_.weights().cells_per_view());
}

/// Computes the products of the matrix rows of a view. A ray between two rays that meet a pixel
/// meets it too, because pixels are convex; so the products end at the first that is zero.
ViewArt::Band ViewArt::band_of(const ViewCsr& rows) {
  const std::size_t count = rows.row_start.size() - 1;
  std::vector<std::vector<double>> lines(count);
  Band band;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const double product = product_of(rows, i, i - k);
      if (k > 0 && product == 0) break;
      lines[i].push_back(product);
    }
    band.reach = std::max(band.reach, static_cast<int>(lines[i].size()) - 1);
  }
  const auto width = static_cast<std::size_t>(band.reach) + 1;
  band.product.assign(count * width, 0.0);
  for (std::size_t i = 0; i < count; ++i)
    std::ranges::copy(lines[i], band.product.begin() + static_cast<std::ptrdiff_t>(i * width));
  return band;
}

void ViewArt::sweep(std::span<const float> rays, double relaxation, std::span<const int> order,
                    std::span<float> image) const {
  for (const int view : order) {
    const auto v = static_cast<std::size_t>(view);
    art_.weights().check_interrupt();
    const ViewCsr& rows = art_.rows()[v];
    residuals(rows, rays.data() + static_cast<std::size_t>(art_.views()[v]) * z_.size(), image);
    solve(bands_[v], relaxation);
    add(rows, bands_[v], image);
  }
}

void ViewArt::residuals(const ViewCsr& rows, const float* data,
                        std::span<const float> image) const {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < z_.size(); ++i) {
    double sum = 0;
    for (std::size_t e = rows.row_start[i]; e < rows.row_start[i + 1]; ++e)
      sum += 1.0 * rows.weight[e] * image[rows.column[e]];
    z_[i] = data[i] - sum;
  }
}

void ViewArt::solve(const Band& band, double relaxation) const {
  const auto reach = static_cast<std::size_t>(band.reach);
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double* product = band.product.data() + i * (reach + 1);
    for (std::size_t k = 1; k <= std::min(reach, i); ++k) z_[i] -= product[k] * z_[i - k];
    z_[i] = product[0] > 0 ? relaxation * z_[i] / product[0] : 0;
  }
}

/// Adds W_v^T z. Threads work on rays that have no pixel in common, so that no two threads write
/// the same pixel.
void ViewArt::add(const ViewCsr& rows, const Band& band, std::span<float> image) const {
  const std::size_t apart = static_cast<std::size_t>(band.reach) + 1;
#pragma omp parallel
  for (std::size_t first = 0; first < apart; ++first) {
#pragma omp for schedule(static)
    for (std::size_t i = first; i < z_.size(); i += apart) {
      const auto factor = static_cast<float>(z_[i]);
      for (std::size_t e = rows.row_start[i]; e < rows.row_start[i + 1]; ++e)
        image[rows.column[e]] += factor * rows.weight[e];
    }
  }
}

}  // namespace gantry
