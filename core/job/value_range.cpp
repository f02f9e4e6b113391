#include "core/job/value_range.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double few_times = 64;     // of the fallback: a range so wide is bounded by purpose
constexpr double steps_aside = 100;  // of a number without bounds
constexpr double digits = 3;         // significant ones

double rounded(double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - (digits - 1));
  // Divided rather than multiplied by a small unit, so that 0.3 is the double nearest to 0.3.
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit)
                  : std::round(value / unit) * unit;
}

}  // namespace

double ValueRange::at(double part) const {
  const double t = std::clamp(part, 0.0, 1.0);
  const double value = logarithmic ? low * std::pow(high / low, t) : low + t * (high - low);
  if (whole) return std::round(value);
  // The ends are given as they are; rounding must not lead beyond them.
  return t == 0 ? low : t == 1 ? high : std::clamp(rounded(value), low, high);
}

double ValueRange::part_of(double value) const {
  if (!(value > low)) return 0;
  if (value >= high) return 1;
  return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

ValueRange ValueRange::with(double value) const {
  ValueRange wide = *this;
  if (logarithmic && !(value > 0)) return wide;
  wide.low = std::min(low, value);
  wide.high = std::max(high, value);
  return wide;
}

std::optional<double> number_of(const ParamValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::nullopt;
}

std::optional<ValueRange> range_worth_trying(const ParamSpec& spec, double middle, double ratio) {
  const auto fallback = number_of(spec.fallback);
  if (!fallback || !(spec.min < spec.max)) return std::nullopt;
  ValueRange range;
  range.whole = std::holds_alternative<std::int64_t>(spec.fallback);
  const bool is_bounded = std::isfinite(spec.min) && std::isfinite(spec.max);
  const double reach = std::max({std::abs(*fallback), spec.step, range.whole ? 1.0 : 0.0});
  if (is_bounded && spec.max - spec.min <= few_times * reach) {
    range.low = spec.min;
    range.high = spec.max;
  } else if (spec.min >= 0 && (middle > 0 || *fallback > 0)) {
    const double about = middle > 0 ? middle : *fallback;
    range.logarithmic = true;
    range.low = std::max(about / ratio, spec.min);
    range.high = std::min(about * ratio, spec.max);
    if (range.whole) range.low = std::max(range.low, 1.0);
  } else {
    const double aside = steps_aside * (spec.step > 0 ? spec.step : 1);
    range.low = std::max(spec.min, middle - aside);
    range.high = std::min(spec.max, middle + aside);
  }
  if (!(range.low < range.high)) return std::nullopt;
  return range;
}

}  // namespace gantry
