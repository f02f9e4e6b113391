// All steps are linear, and the transform is inverted exactly. Therefore only the damped part, the
// stripes, is transformed back and subtracted from the sinogram; the other coefficients need not be
// kept.
#include "core/corrections/wavelet_stripes.hpp"

#include "core/corrections/daubechies.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

namespace gantry {

namespace {

using Filter = std::vector<float>;

/// Coefficients or values, [view][column].
struct Plane {
  std::size_t views, columns;
  std::vector<float> values;

  Plane(std::size_t view_count, std::size_t column_count)
      : views(view_count), columns(column_count), values(view_count * column_count) {}
  std::span<float> line(std::size_t view) {
    return std::span(values).subspan(view * columns, columns);
  }
  std::span<const float> line(std::size_t view) const {
    return std::span(values).subspan(view * columns, columns);
  }
};

/// Returns the index at which the filter of coefficient k begins; negative before the line.
std::ptrdiff_t begin_of(std::size_t k, const Filter& filter) {
  return 2 * static_cast<std::ptrdiff_t>(k) + 2 - static_cast<std::ptrdiff_t>(filter.size());
}
std::size_t coefficients_of(std::size_t count, const Filter& filter) {
  return (count + filter.size() - 1) / 2;
}
/// Returns the index, in a line of `count` values, of the value at an index of the extended line.
std::size_t mirrored(std::ptrdiff_t at, std::size_t count) {
  const auto period = 2 * static_cast<std::ptrdiff_t>(count);
  const auto within = static_cast<std::size_t>(((at % period) + period) % period);
  return std::min(within, 2 * count - 1 - within);
}

void add(std::span<float> sum, float factor, std::span<const float> values) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * values[i];
}

Plane analysed_along_views(const Plane& plane, const Filter& filter) {
  Plane result(coefficients_of(plane.views, filter), plane.columns);
  for (std::size_t k = 0; k < result.views; ++k)
    for (std::size_t i = 0; i < filter.size(); ++i)
      add(result.line(k), filter[i],
          plane.line(mirrored(begin_of(k, filter) + static_cast<std::ptrdiff_t>(i), plane.views)));
  return result;
}

Plane analysed_along_columns(const Plane& plane, const Filter& filter) {
  Plane result(plane.views, coefficients_of(plane.columns, filter));
  const std::size_t before = filter.size() - 2;
  std::vector<float> continued(plane.columns + 2 * before + 2);
  for (std::size_t v = 0; v < plane.views; ++v) {
    const auto line = plane.line(v);
    for (std::size_t c = 0; c < continued.size(); ++c)
      continued[c] = line[mirrored(
          static_cast<std::ptrdiff_t>(c) - static_cast<std::ptrdiff_t>(before), plane.columns)];
    for (std::size_t k = 0; k < result.columns; ++k) {
      float sum = 0;
      for (std::size_t i = 0; i < filter.size(); ++i) sum += filter[i] * continued[2 * k + i];
      result.line(v)[k] = sum;
    }
  }
  return result;
}

/// Calls visit(k, i, at) for each element i of a filter by which coefficient k adds to value `at`.
template <class Visit>
void for_synthesis(std::size_t coefficients, std::size_t count, const Filter& filter,
                   const Visit& visit) {
  for (std::size_t k = 0; k < coefficients; ++k)
    for (std::size_t i = 0; i < filter.size(); ++i) {
      const std::ptrdiff_t at = begin_of(k, filter) + static_cast<std::ptrdiff_t>(i);
      if (at >= 0 && at < static_cast<std::ptrdiff_t>(count))
        visit(k, i, static_cast<std::size_t>(at));
    }
}

void add_along_columns(const Plane& coefficients, const Filter& filter, Plane& sum) {
  for (std::size_t v = 0; v < sum.views; ++v) {
    const auto from = coefficients.line(v);
    const auto to = sum.line(v);
    for_synthesis(
        coefficients.columns, sum.columns, filter,
        [&](std::size_t k, std::size_t i, std::size_t at) { to[at] += filter[i] * from[k]; });
  }
}

void add_along_views(const Plane& coefficients, const Filter& filter, Plane& sum) {
  for_synthesis(coefficients.views, sum.views, filter,
                [&](std::size_t k, std::size_t i, std::size_t at) {
                  add(sum.line(at), filter[i], coefficients.line(k));
                });
}

/// Returns the low frequencies along the views: the wave of k periods is multiplied by
/// exp(-k^2 / (2 sigma^2)).
Plane slow_waves(const Plane& plane, double sigma) {
  constexpr double negligible = 1e-8;
  const std::size_t count = plane.views;
  std::vector<float> cosine, sine;
  for (std::size_t i = 0; i < count; ++i) {
    const double phase = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
    cosine.push_back(static_cast<float>(std::cos(phase)));
    sine.push_back(static_cast<float>(std::sin(phase)));
  }
  Plane slow(count, plane.columns), parts(2, plane.columns);
  for (std::size_t k = 0; 2 * k <= count; ++k) {
    const double width = static_cast<double>(k) / sigma, weight = std::exp(-0.5 * width * width);
    if (weight < negligible) break;
    // Waves k and count - k are the same one, unless k is 0 or half of count.
    const double same = k == 0 || 2 * k == count ? 1 : 2;
    const auto share = static_cast<float>(same * weight / static_cast<double>(count));
    std::ranges::fill(parts.values, 0.0F);
    for (std::size_t v = 0; v < count; ++v) {
      add(parts.line(0), cosine[k * v % count], plane.line(v));
      add(parts.line(1), sine[k * v % count], plane.line(v));
    }
    for (std::size_t v = 0; v < count; ++v) {
      add(slow.line(v), share * cosine[k * v % count], parts.line(0));
      add(slow.line(v), share * sine[k * v % count], parts.line(1));
    }
  }
  return slow;
}

/// The lowpass and the highpass filter of an orthonormal wavelet.
struct Wavelet {
  Filter low, high;

  explicit Wavelet(int vanishing_moments) {
    const std::vector<double> lowpass = daubechies_lowpass(vanishing_moments);
    for (std::size_t i = 0; i < lowpass.size(); ++i) {
      const double mirror = lowpass[lowpass.size() - 1 - i];
      low.push_back(static_cast<float>(lowpass[i]));
      high.push_back(static_cast<float>(i % 2 == 0 ? mirror : -mirror));
    }
  }
};

Plane stripes_of(std::span<const float> sinogram, std::size_t views, std::size_t columns,
                 const WaveletSettings& settings) {
  const Wavelet wavelet(settings.vanishing_moments);
  struct Level {
    std::size_t views, columns;  // before its analysis
    Plane stripes;
  };
  std::vector<Level> levels;
  Plane smooth(views, columns);
  std::ranges::copy(sinogram, smooth.values.begin());
  for (int level = 0; level < settings.levels; ++level) {
    const Plane half = analysed_along_views(smooth, wavelet.low);
    levels.push_back({smooth.views, smooth.columns,
                      slow_waves(analysed_along_columns(half, wavelet.high), settings.sigma)});
    smooth = analysed_along_columns(half, wavelet.low);
  }
  std::ranges::fill(smooth.values, 0.0F);
  for (; !levels.empty(); levels.pop_back()) {
    const Level& level = levels.back();
    Plane half(level.stripes.views, level.columns);
    add_along_columns(smooth, wavelet.low, half);
    add_along_columns(level.stripes, wavelet.high, half);
    smooth = Plane(level.views, level.columns);
    add_along_views(half, wavelet.low, smooth);
  }
  return smooth;
}

}  // namespace

int suitable_levels(int views, int columns) {
  constexpr int wavelets_across = 24, least_coefficients = 8, fewest_for_rings = 3;
  const auto halvings = [](int times) {
    int levels = 0;
    for (; times > 1; times /= 2) ++levels;
    return levels;
  };
  return std::max(1, std::min(std::max(fewest_for_rings, halvings(columns / wavelets_across)),
                              halvings(views / least_coefficients)));
}

RemovedStripes remove_wavelet_stripes(std::span<float> sinogram, int views, int columns,
                                      const WaveletSettings& settings) {
  const Plane stripes = stripes_of(sinogram, static_cast<std::size_t>(views),
                                   static_cast<std::size_t>(columns), settings);
  add(sinogram, -1, stripes.values);
  RemovedStripes removed;
  removed.change = StripeChange(stripes.values, sinogram, columns);
  for (const float value : stripes.values) {
    removed.sum_of_squares += static_cast<double>(value) * value;
    removed.largest = std::max(removed.largest, std::abs(value));
  }
  return removed;
}

std::size_t wavelet_workspace_bytes(int views, int columns, const WaveletSettings& settings) {
  // The sizes halve from level to level; each is larger by at most the length of the filter.
  const auto more = 2 * static_cast<std::size_t>(settings.vanishing_moments);
  return 3 * (static_cast<std::size_t>(views) + more) * (static_cast<std::size_t>(columns) + more) *
         sizeof(float);
}

}  // namespace gantry
