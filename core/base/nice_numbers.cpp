#include "core/base/nice_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace gantry {

namespace {

/// Relative to a step: a tick that rounding moved past the end of the axis still counts.
constexpr double slack = 1e-9;

std::string format(const char* pattern, int precision, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, pattern, precision, value);
  return buffer;
}

/// Returns a number without superfluous zeros: 3.20e-05 becomes 3.2e-5.
std::string tidy_exponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::string mantissa = text.substr(0, e), exponent = text.substr(e + 1);
  if (mantissa.find('.') != std::string::npos) {
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    if (mantissa.back() == '.') mantissa.pop_back();
  }
  const bool negative = exponent.front() == '-';
  exponent.erase(0, std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
  return mantissa + "e" + (negative ? "-" : "") + exponent;
}

/// Returns the smallest of 1, 2, 5 x 10^n that is not below `x`.
double round_step_above(double x) {
  const double below = round_length_below(x);
  if (below >= x * (1 - slack)) return below;
  const double mantissa = below / std::pow(10.0, std::floor(std::log10(below) + slack));
  return mantissa < 1.5 ? 2 * below : mantissa < 3 ? 2.5 * below : 2 * below;
}

std::string tick_label(double value, double step, double largest) {
  if (std::abs(value) < slack * step) return "0";
  const int step_exponent = static_cast<int>(std::floor(std::log10(step) + slack));
  // With an exponent, 0.24623 would become 2.4623e-1.
  constexpr int most_decimals = 7;
  const bool has_short_decimals = largest > 0.9e-2 && -step_exponent <= most_decimals;
  if (largest < 1e5 && (step > 0.9e-3 || has_short_decimals))
    return format("%.*f", std::max(0, -step_exponent), value);
  const int digits =
      static_cast<int>(std::floor(std::log10(std::abs(value)) + slack)) - step_exponent;
  return tidy_exponent(format("%.*e", std::clamp(digits, 0, 12), value));
}

std::string decade_label(double value) {
  if (value > 0.99e-3 && value < 0.99e5) return format("%.*g", 6, value);
  return tidy_exponent(format("%.*e", 0, value));
}

std::vector<Tick> decades(double low, double high, int stride,
                          const std::vector<double>& mantissas) {
  std::vector<Tick> ticks;
  const int first = static_cast<int>(std::floor(low)) - 1, last = static_cast<int>(std::ceil(high));
  for (int exponent = first; exponent <= last; ++exponent) {
    if (stride > 1 && exponent % stride != 0) continue;
    for (const double mantissa : mantissas) {
      const double place = exponent + std::log10(mantissa);
      if (place >= low - slack && place <= high + slack)
        ticks.push_back({place, decade_label(mantissa * std::pow(10.0, exponent))});
    }
  }
  return ticks;
}

double smallest_gap(const std::vector<Tick>& ticks) {
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < ticks.size(); ++i)
    gap = std::min(gap, ticks[i].value - ticks[i - 1].value);
  return gap;
}

}  // namespace

double round_length_below(double x) {
  if (!(x > 0) || !std::isfinite(x)) return 0;
  const double decade = std::pow(10.0, std::floor(std::log10(x) + slack));
  const double mantissa = x / decade * (1 + slack);
  return decade * (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1);
}

std::vector<Tick> linear_ticks(double low, double high, int most) {
  std::vector<Tick> ticks;
  if (!std::isfinite(low) || !std::isfinite(high) || !(high > low)) return ticks;
  const double largest = std::max(std::abs(low), std::abs(high));
  if (high - low < 1e-12 * largest) return ticks;  // below the precision of the values
  const double step = round_step_above((high - low) / std::max(most - 1, 1));
  const double first = std::ceil(low / step - slack);
  const int count = static_cast<int>(std::floor(high / step + slack) - first) + 1;
  for (int i = 0; i < count; ++i) {
    const double value = (first + i) * step;
    ticks.push_back({value, tick_label(value, step, largest)});
  }
  return ticks;
}

std::vector<Tick> log_ticks(double low, double high, int most) {
  if (!std::isfinite(low) || !std::isfinite(high) || !(high > low) || high - low > 600) return {};
  most = std::max(most, 2);
  const double label = (high - low) / most;  // part of the axis that one label takes, in decades
  for (const auto& mantissas :
       {std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 5}, {1, 2, 5}, {1}}) {
    std::vector<Tick> ticks = decades(low, high, 1, mantissas);
    if (ticks.size() >= 2 && smallest_gap(ticks) >= 0.75 * label) return ticks;
  }
  if (high - low >= 1) {
    const int stride = static_cast<int>(std::ceil((high - low) / (most - 1)));
    return decades(low, high, std::max(stride, 1), {1});
  }
  std::vector<Tick> ticks;  // the axis has less than a decade
  for (const Tick& tick : linear_ticks(std::pow(10.0, low), std::pow(10.0, high), most))
    if (tick.value > 0) ticks.push_back({std::log10(tick.value), tick.label});
  return ticks;
}

std::string short_number(double value, int digits) {
  if (std::isnan(value)) return "no value";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1e5 || size < 1e-3) return tidy_exponent(format("%.*e", digits - 1, value));
  const int exponent = static_cast<int>(std::floor(std::log10(size) + slack));
  return format("%.*f", std::max(0, digits - 1 - exponent), value);
}

double to_digits(double value, int digits) {
  return std::strtod(format("%.*e", digits - 1, value).c_str(), nullptr);
}

std::string length_text(double length_mm, bool lengths_are_known) {
  if (!lengths_are_known) return format("%.*g", 6, length_mm) + " cells";
  // \u00b5: micro sign
  return length_mm < 0.0999 ? format("%.*g", 3, 1000 * length_mm) + " \u00b5m"
                            : format("%.*g", 6, length_mm) + " mm";
}

}  // namespace gantry
