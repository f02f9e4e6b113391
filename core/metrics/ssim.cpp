// The Gaussian window is separable: with the normalised 1D Gaussian g, w * a = g_y * (g_x * a).
// Four fields are filtered: x, r, x^2 + r^2 and x r (the variances occur only as their sum). A task
// computes a band of lines of the SSIM map. The task keeps the last 11 lines of each field,
// filtered along x, in a ring buffer; all are doubles, because variances are differences of
// squares.
#include "core/metrics/ssim.hpp"

#include "core/base/parallel_errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t taps = 11, half = taps / 2, fields = 4;
constexpr std::size_t band_rows = 64;  // lines of the map per task

using Window = std::array<double, half + 1>;  // g[0] is the middle weight

Window gaussian(double sigma) {
  Window g{};
  double sum = 0;
  for (std::size_t i = 0; i <= half; ++i) {
    g[i] = std::exp(-0.5 * static_cast<double>(i * i) / (sigma * sigma));
    sum += i == 0 ? g[i] : 2 * g[i];
  }
  for (double& weight : g) weight /= sum;
  return g;
}

/// out[i] = sum_k g_k in[i + k], k = 0 .. 10, for i < count.
void filter_row(const Window& g, const double* in, std::size_t count, double* out) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const double* middle = in + i + half;
    out[i] = g[0] * middle[0] + g[1] * (middle[-1] + middle[1]) + g[2] * (middle[-2] + middle[2]) +
             g[3] * (middle[-3] + middle[3]) + g[4] * (middle[-4] + middle[4]) +
             g[5] * (middle[-5] + middle[5]);
  }
}

/// Filters along y: out[i] = sum_k g_k r[k][i] over 11 lines.
void filter_column(const Window& g, const std::array<const double*, taps>& r, std::size_t count,
                   double* out) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i)
    out[i] = g[0] * r[5][i] + g[1] * (r[4][i] + r[6][i]) + g[2] * (r[3][i] + r[7][i]) +
             g[3] * (r[2][i] + r[8][i]) + g[4] * (r[1][i] + r[9][i]) + g[5] * (r[0][i] + r[10][i]);
}

/// Sum of the map and number of positions in one line. Sums per line make the result independent of
/// the threads' order.
struct RowSum {
  double sum = 0, count = 0;
};

/// Computes a band of lines of the SSIM map of one slice.
class Band {
 public:
  Band(const ImagePair& pair, const Window& window, std::size_t slice)
      : pair_(pair),
        window_(window),
        width_(static_cast<std::size_t>(pair.grid.nx)),
        out_width_(width_ - 2 * half),
        start_(slice * width_ * static_cast<std::size_t>(pair.grid.ny)),
        products_(fields * width_),
        ring_(fields * taps * out_width_),
        means_(fields * out_width_) {}

  /// Computes lines first .. last - 1 of the map; line 0 is centred on image line 5.
  void run(std::size_t first, std::size_t last, RowSum* sums) {
    for (std::size_t row = first; row < first + 2 * half; ++row) take(row);
    for (std::size_t row = first; row < last; ++row) {
      take(row + 2 * half);
      for (std::size_t f = 0; f < fields; ++f) {
        std::array<const double*, taps> rows{};
        for (std::size_t k = 0; k < taps; ++k) rows[k] = ring_row(f, row + k);
        filter_column(window_, rows, out_width_, means_.data() + f * out_width_);
      }
      sums[row] = map_row(row);
    }
  }

 private:
  double* ring_row(std::size_t field, std::size_t row) {
    return ring_.data() + (field * taps + row % taps) * out_width_;
  }

  /// Filters image line `row` of the four fields along x into the ring buffer.
  void take(std::size_t row) {
    const float* x = pair_.x.data() + start_ + row * width_;
    const float* r = pair_.reference.data() + start_ + row * width_;
    double* p = products_.data();
    for (std::size_t i = 0; i < width_; ++i) {
      const double a = x[i], b = r[i];
      p[i] = a;
      p[width_ + i] = b;
      p[2 * width_ + i] = a * a + b * b;
      p[3 * width_ + i] = a * b;
    }
    for (std::size_t f = 0; f < fields; ++f)
      filter_row(window_, p + f * width_, out_width_, ring_row(f, row));
  }

  /// Computes the similarities from the means of a line, in place, and returns their sum over the
  /// mask.
  RowSum map_row(std::size_t row) {
    const double c1 = std::pow(0.01 * pair_.range, 2), c2 = std::pow(0.03 * pair_.range, 2);
    double* a = means_.data();
    const double *b = a + out_width_, *squares = b + out_width_, *product = squares + out_width_;
#pragma omp simd
    for (std::size_t i = 0; i < out_width_; ++i) {
      const double ab = a[i] * b[i], aa_bb = a[i] * a[i] + b[i] * b[i];
      const double covariance = product[i] - ab, variances = squares[i] - aa_bb;
      a[i] = (2 * ab + c1) * (2 * covariance + c2) / ((aa_bb + c1) * (variances + c2));
    }
    const std::size_t first = start_ + (row + half) * width_ + half;
    RowSum total;
    for (std::size_t i = 0; i < out_width_; ++i) {
      if (!pair_.mask.empty() && pair_.mask[first + i] == 0) continue;
      if (std::isnan(a[i])) continue;  // the window holds a NaN or infinity outside the mask
      total.sum += a[i];
      total.count += 1;
    }
    return total;
  }

  const ImagePair& pair_;
  const Window& window_;
  std::size_t width_, out_width_, start_;
  std::vector<double> products_, ring_, means_;
};

/// Returns whether a value selected by the mask is not finite.
bool counts_unknown(const ImagePair& pair) {
  for (std::size_t i = 0; i < pair.x.size(); ++i)
    if ((pair.mask.empty() || pair.mask[i] != 0) &&
        !(std::isfinite(pair.x[i]) && std::isfinite(pair.reference[i])))
      return true;
  return false;
}

}  // namespace

double ssim(const ImagePair& pair) {
  require_shapes(pair);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr int smallest = taps;
  if (pair.grid.nx < smallest || pair.grid.ny < smallest || !(pair.range > 0)) return nan;
  if (counts_unknown(pair)) return nan;
  const Window window = gaussian(1.5);
  const std::size_t rows = static_cast<std::size_t>(pair.grid.ny) - 2 * half;
  const std::size_t bands = (rows + band_rows - 1) / band_rows;
  const std::size_t slices = static_cast<std::size_t>(pair.grid.nz);
  std::vector<RowSum> sums(slices * rows);
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (std::ptrdiff_t task = 0; task < static_cast<std::ptrdiff_t>(slices * bands); ++task)
    errors.run([&] {
      const std::size_t slice = static_cast<std::size_t>(task) / bands;
      const std::size_t first = static_cast<std::size_t>(task) % bands * band_rows;
      Band band(pair, window, slice);
      band.run(first, std::min(rows, first + band_rows), sums.data() + slice * rows);
    });
  errors.rethrow();
  RowSum total;
  for (const RowSum& row : sums) {
    total.sum += row.sum;
    total.count += row.count;
  }
  return total.count > 0 ? total.sum / total.count : nan;
}

std::unique_ptr<Metric> make_ssim(const Params&) {
  return std::make_unique<Metric>("SSIM", "", false, ssim);
}

}  // namespace gantry
