#include "core/solvers/penalised/one_material.hpp"

#include "core/base/least_value.hpp"
#include "core/base/median.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

constexpr int most_views = 30;
constexpr int curvatures = 8;  // that are tried
constexpr int rounds = 5;      // of attenuation and curvature
constexpr int first_steps = 60, more_steps = 25;
constexpr double admitted_excess = 1.2;  // of a fit's residual over the least

/// The data of the views that are used, and fits to them.
class Fits {
 public:
  Fits(const LinearOperator& A, const Array& b, std::size_t columns, Prior& prior, Array& x)
      : A_(A),
        prior_(prior),
        x_(x),
        columns_(columns),
        views_(ViewSubset::interleaved(0, (A.views() + most_views - 1) / most_views, A.views())),
        engine_(A, views_, &prior),
        data_(A.backend(), A.range_size()) {
    const std::vector<float> all = b.to_host();
    for (int i = 0; i < views_.count; ++i) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(views_.view(i)) * cells();
      measured_.insert(measured_.end(), begin, begin + cells());
    }
  }

  const std::vector<float>& measured() const { return measured_; }
  double noise(const OneMaterialCurve& curve) const {
    return line_integral_noise(curve.linear(measured_), columns_);
  }
  void restart() {
    A_.backend().fill(x_, 0);
    engine_.start(x_);
  }
  void set_data(const OneMaterialCurve& curve) {
    const std::vector<float> linear = curve.linear(measured_);
    std::vector<float> all(A_.range_size());
    for (int i = 0; i < views_.count; ++i)
      std::copy_n(linear.begin() + i * cells(), cells(),
                  all.begin() + static_cast<std::ptrdiff_t>(views_.view(i)) * cells());
    A_.backend().upload(all.data(), data_.data(), all.size());
  }
  /// Makes steps and returns ||data - A x||.
  double fit(double lambda, double high, int steps) {
    A_.backend().clamp(x_, 0, static_cast<float>(high));
    engine_.continue_at(x_);
    for (int i = 0; i < steps; ++i) engine_.step({&data_, lambda, 0, static_cast<float>(high)}, x_);
    return engine_.residual_norm(data_);
  }
  /// Takes the voxels above c / 2 for the object and fits b = offset + c' t - k t^2 to the paths t
  /// of the rays in it. Returns k / c'^2, the curvature over p = c' t, which does not depend on the
  /// scale of the paths.
  double curvature(double offset, double c) {
    std::vector<float> object = x_.to_host();
    for (float& value : object) value = value > 0.5 * c ? 1.0F : 0.0F;
    Array paths = Array::filled(A_.backend(), A_.range_size(), 0);
    A_.forward(Array::from(A_.backend(), object), paths, views_);
    const std::vector<float> lengths = paths.to_host();
    double t2 = 0, t3 = 0, t4 = 0, bt = 0, bt2 = 0;
    for (int i = 0; i < views_.count; ++i)
      for (std::ptrdiff_t cell = 0; cell < cells(); ++cell) {
        const double t = lengths[static_cast<std::size_t>(views_.view(i) * cells() + cell)];
        const double q = measured_[static_cast<std::size_t>(i * cells() + cell)] - offset;
        t2 += t * t;
        t3 += t * t * t;
        t4 += t * t * t * t;
        bt += q * t;
        bt2 += q * t * t;
      }
    const double determinant = t2 * t4 - t3 * t3;
    if (!(determinant > 1e-9 * t2 * t4)) return 0;  // all paths alike
    const double slope = (bt * t4 - bt2 * t3) / determinant,
                 bend = (bt * t3 - bt2 * t2) / determinant;
    return slope > 0 && bend > 0 ? bend / (slope * slope) : 0;
  }
  /// Returns ||b - curve(A x)||.
  double measured_residual(const OneMaterialCurve& curve) const {
    const std::vector<float> product = engine_.product().to_host();
    double square = 0;
    for (int i = 0; i < views_.count; ++i)
      for (std::ptrdiff_t cell = 0; cell < cells(); ++cell) {
        const double p = product[static_cast<std::size_t>(views_.view(i) * cells() + cell)];
        const double r =
            measured_[static_cast<std::size_t>(i * cells() + cell)] - curve.measured(p);
        square += r * r;
      }
    return std::sqrt(square);
  }
  /// Returns sum x^2 / sum x: the object's value if all voxels are that or 0, else a typical one.
  double level() const {
    double sum = 0, square = 0;
    for (const float value : x_.to_host()) {
      sum += value;
      square += static_cast<double>(value) * value;
    }
    return sum > 0 ? square / sum : 0;
  }

 private:
  std::ptrdiff_t cells() const { return static_cast<std::ptrdiff_t>(A_.cells_per_view()); }

  const LinearOperator& A_;
  Prior& prior_;
  Array& x_;
  std::size_t columns_;
  ViewSubset views_;
  PrimalDual engine_;
  Array data_;                   // linearised
  std::vector<float> measured_;  // b of the views that are used
};

/// Returns the curvature, from 0 to `largest`, for which a fit of x >= 0 leaves the least of the
/// measured data. `level` is the value of x by which lambda is chosen.
double find_curvature(Fits& fits, OneMaterialCurve curve, double largest, double lambda_factor,
                      double level) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double step = largest / (curvatures - 1);
  std::vector<double> squares;
  for (int k = 0; k < curvatures; ++k) {
    curve.curvature = k * step;
    fits.set_data(curve);
    fits.restart();
    fits.fit(lambda_of(lambda_factor, fits.noise(curve), level), infinity, first_steps);
    const double residual = fits.measured_residual(curve);
    squares.push_back(residual * residual);
    level = fits.level();
  }
  return step * least_value(squares).refined_index();
}

/// Returns the smallest upper bound c, from `highest` down to `lowest`, for which fits with
/// 0 <= x <= c leave not much more than the least residual. The image ends near the fit with c.
double find_attenuation(Fits& fits, double noise, double lambda_factor, double highest,
                        double lowest) {
  double least = std::numeric_limits<double>::infinity(), found = highest;
  constexpr double ratio = 0.97, hopeless = 1.35;
  for (double c = highest; c > lowest; c *= ratio) {
    const double residual = fits.fit(lambda_of(lambda_factor, noise, c), c, more_steps);
    least = std::min(least, residual);
    if (residual <= admitted_excess * least) found = c;
    if (residual > hopeless * least) break;
  }
  return found;
}

}  // namespace

double OneMaterialCurve::linear(double b) const {
  const double q = b - offset;
  if (!(curvature > 0)) return q;
  return (1 - std::sqrt(std::max(0.0, 1 - 4 * curvature * q))) / (2 * curvature);
}

std::vector<float> OneMaterialCurve::linear(std::span<const float> b) const {
  std::vector<float> p(b.size());
  std::ranges::transform(b, p.begin(),
                         [this](float value) { return static_cast<float>(linear(double{value})); });
  return p;
}

double air_offset(std::span<const float> b, std::size_t columns) {
  const std::size_t outer = std::max<std::size_t>(1, columns / 100);
  std::vector<float> air;
  for (std::size_t row = 0; row + columns <= b.size(); row += columns)
    for (std::size_t i = 0; i < std::min(outer, columns); ++i) {
      air.push_back(b[row + i]);
      air.push_back(b[row + columns - 1 - i]);
    }
  if (air.empty()) return 0;
  constexpr double largest_share = 0.05;  // more is no air
  const double offset = upper_median(air), top = *std::ranges::max_element(b);
  return std::abs(offset) <= largest_share * top ? offset : 0;
}

double line_integral_noise(std::span<const float> data, std::size_t columns) {
  if (data.empty()) return 0;
  constexpr double object = 1.0 / 15, floor = 3e-3;
  const double top = std::max(0.0F, *std::ranges::max_element(data));
  std::vector<float> second;
  for (std::size_t row = 0; row + columns <= data.size(); row += columns)
    for (std::size_t i = row + 1; i + 1 < row + columns; ++i)
      if (data[i] > object * top)
        second.push_back(std::abs(data[i - 1] - 2 * data[i] + data[i + 1]));
  if (second.empty()) return floor * top;
  // The standard deviation of normal noise is its median deviation / 0.6745; that of the second
  // difference is sqrt(1 + 4 + 1) times the noise's.
  return std::max(upper_median(second) / (0.6745 * std::sqrt(6.0)), floor * top);
}

double lambda_of(double factor, double noise, double attenuation) {
  return attenuation > 0 ? factor * noise * noise / attenuation : 0;
}

OneMaterial find_one_material(const LinearOperator& A, const Array& b, std::size_t columns,
                              Prior& prior, double lambda_factor, const OneMaterialOptions& options,
                              Array& x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Fits fits(A, b, columns, prior, x);
  OneMaterial found;
  OneMaterialCurve& curve = found.curve;
  curve.offset = air_offset(fits.measured(), columns);
  const double top = *std::ranges::max_element(fits.measured()) - curve.offset;
  if (!(top > 0)) return found;

  // The first fit says how large x is; lambda of the others depends on it.
  fits.set_data(curve);
  fits.restart();
  fits.fit(0, infinity, first_steps / 4);
  double level = fits.level();
  if (options.beam_hardening)
    curve.curvature = find_curvature(fits, curve, 0.98 / (4 * top), lambda_factor, level);
  // Both estimates of the curvature err upwards where the data say little of the shape. Therefore
  // the second only makes the first smaller.
  for (int round = 0; round < rounds; ++round) {
    fits.set_data(curve);
    fits.restart();
    found.noise = fits.noise(curve);
    fits.fit(lambda_of(lambda_factor, found.noise, level), infinity, first_steps);
    level = fits.level();
    found.attenuation = options.attenuation;
    if (options.attenuation > 0)
      fits.fit(lambda_of(lambda_factor, found.noise, options.attenuation), options.attenuation,
               first_steps);
    else
      found.attenuation =
          find_attenuation(fits, found.noise, lambda_factor, 1.5 * level, 0.3 * level);
    if (!(curve.curvature > 0) || round + 1 == rounds) break;
    const double by_paths = fits.curvature(curve.offset, found.attenuation);
    if (by_paths > 0.95 * curve.curvature) break;
    curve.curvature = by_paths;
  }
  return found;
}

}  // namespace gantry
