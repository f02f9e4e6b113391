// Small means use inversion: the probabilities p(k) = p(k-1) mean / k are added up until the sum
// exceeds a uniform number. Other means use PTRS, transformed rejection with squeeze, from Hormann,
// "The transformed rejection method for generating Poisson random variables", Insurance:
// Mathematics and Economics 12 (1993) 39.
#include "core/physics/poisson.hpp"

#include <array>
#include <cmath>

namespace gantry {

namespace {

constexpr double two_pi = 6.28318530717958647692;
constexpr double smallest_ptrs_mean = 10;  // Hormann's constants hold from here on

/// Returns ln k! - [(k + 1/2) ln k - k + ln(2 pi) / 2] for k >= 1: the tail of Stirling's series.
double stirling_tail(double k) {
  static const std::array<double, 10> small = [] {
    std::array<double, 10> tails{};
    double log_factorial = 0;
    for (std::size_t i = 1; i < tails.size(); ++i) {
      const auto x = static_cast<double>(i);
      log_factorial += std::log(x);
      tails[i] = log_factorial - ((x + 0.5) * std::log(x) - x + 0.5 * std::log(two_pi));
    }
    return tails;
  }();
  if (k < 10) return small[static_cast<std::size_t>(k)];
  const double q = 1 / (k * k);
  return (1.0 / 12 - q * (1.0 / 360 - q * (1.0 / 1260 - q * (1.0 / 1680 - q / 1188)))) / k;
}

/// Returns ln(mean^k exp(-mean) / k!). The formula uses the deviation of k from the mean, because
/// the plain terms cancel: at a mean of 1e12 they would leave four digits.
double log_probability(double k, double mean) {
  if (k < 1) return -mean;
  const double e = (k - mean) / mean;
  return -mean * ((1 + e) * std::log1p(e) - e) - 0.5 * std::log(two_pi * k) - stirling_tail(k);
}

double by_inversion(double mean, RandomStream& random) {
  const double u = random.uniform();
  double k = 0, probability = std::exp(-mean), sum = probability;
  // Rounding may keep the sum slightly below 1 and below u; the loop then stops in the tail.
  while (u > sum && probability > 1e-20) {
    k += 1;
    probability *= mean / k;
    sum += probability;
  }
  return k;
}

double by_rejection(double mean, RandomStream& random) {
  const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), squeeze = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = random.uniform() - 0.5, v = random.uniform();
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= squeeze) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v * inverse_alpha / (a / (us * us) + b)) <= log_probability(k, mean)) return k;
  }
}

}  // namespace

double poisson(double mean, RandomStream& random) {
  return mean < smallest_ptrs_mean ? by_inversion(mean, random) : by_rejection(mean, random);
}

double standard_normal(RandomStream& random) {
  const double radius = std::sqrt(-2 * std::log(random.uniform()));
  return radius * std::cos(two_pi * random.uniform());
}

}  // namespace gantry
