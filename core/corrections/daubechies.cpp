#include "core/corrections/daubechies.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>

namespace gantry {

namespace {

using Complex = std::complex<double>;

/// Returns the roots of a polynomial without multiple roots, from its coefficients, the constant
/// one first, by Durand and Kerner's iteration.
std::vector<Complex> roots_of(const std::vector<double>& coefficients) {
  const std::size_t degree = coefficients.size() - 1;
  std::vector<Complex> roots;
  for (std::size_t k = 0; k < degree; ++k)
    roots.push_back(std::polar(
        0.3, 0.4 + 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(degree)));
  constexpr int rounds = 100;  // 10 to 30 suffice
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < degree; ++k) {
      Complex value = 0, product = coefficients.back();
      for (std::size_t i = degree + 1; i-- > 0;) value = value * roots[k] + coefficients[i];
      for (std::size_t other = 0; other < degree; ++other)
        if (other != k) product *= roots[k] - roots[other];
      roots[k] -= value / product;
    }
  return roots;
}

/// Multiplies a polynomial in x by 1 - root x.
void multiply(std::vector<Complex>& polynomial, Complex root) {
  polynomial.emplace_back(0);
  for (std::size_t i = polynomial.size() - 1; i > 0; --i) polynomial[i] -= root * polynomial[i - 1];
}

}  // namespace

std::vector<double> daubechies_lowpass(int vanishing_moments) {
  const auto moments = static_cast<std::size_t>(vanishing_moments);
  std::vector<double> binomials = {1};
  for (std::size_t k = 1; k < moments; ++k)
    binomials.push_back(binomials.back() * static_cast<double>(moments - 1 + k) /
                        static_cast<double>(k));
  std::vector<Complex> product = {1};
  for (const Complex y : roots_of(binomials)) {
    const Complex middle = 1.0 - 2.0 * y, away = std::sqrt(middle * middle - 1.0);
    multiply(product, std::abs(middle + away) < 1 ? middle + away : middle - away);
  }
  for (std::size_t k = 0; k < moments; ++k) multiply(product, -1);
  double sum = 0;
  for (const Complex one : product) sum += one.real();
  std::vector<double> lowpass(product.size());
  std::ranges::transform(product, lowpass.begin(),
                         [sum](Complex one) { return one.real() / sum * std::numbers::sqrt2; });
  return lowpass;
}

}  // namespace gantry
