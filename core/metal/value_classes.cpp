#include "core/metal/value_classes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

constexpr std::size_t bin_count = std::size_t{1} << 16;

/// Least separation of two classes. Normal noise alone has 0.64, a uniform distribution 0.75.
constexpr double well_apart = 0.8;
/// Least part of the values above air that the upper class has; voxels at edges, which are neither
/// air nor object, are fewer.
constexpr double least_soft_part = 0.25;
/// Part of the values at each end that a split leaves out: streaks beside metal reach far beyond
/// the classes of air and soft material and would hide both.
constexpr double streaks_part = 0.01;

}  // namespace

ValueHistogram::ValueHistogram(float low, float high)
    : low_(low),
      width_(std::max((high - low) / static_cast<float>(bin_count), 1e-30F)),
      counts_(bin_count) {}

std::size_t ValueHistogram::bin_of(float value) const {
  const float place = (value - low_) / width_;
  return static_cast<std::size_t>(std::clamp(place, 0.0F, static_cast<float>(bin_count - 1)));
}

std::size_t ValueHistogram::count(std::size_t first, std::size_t last) const {
  const auto begin = counts_.begin();
  return std::accumulate(begin + static_cast<std::ptrdiff_t>(first),
                         begin + static_cast<std::ptrdiff_t>(last), std::size_t{0});
}

float ValueHistogram::mean(std::size_t first, std::size_t last) const {
  double number = 0, sum = 0;
  for (std::size_t bin = first; bin < last; ++bin) {
    number += static_cast<double>(counts_[bin]);
    sum += static_cast<double>(counts_[bin]) * (static_cast<double>(bin) + 0.5);
  }
  const double middle = number > 0 ? sum / number : static_cast<double>(first);
  return low_ + static_cast<float>(middle) * width_;
}

float ValueHistogram::median(std::size_t first, std::size_t last) const {
  return value_at(quantile(first, last, 0.5)) + 0.5F * width_;
}

std::size_t ValueHistogram::quantile(std::size_t first, std::size_t last, double part) const {
  const double below = part * static_cast<double>(count(first, last));
  std::size_t passed = 0;
  for (std::size_t bin = first; bin < last; ++bin) {
    passed += counts_[bin];
    if (static_cast<double>(passed) >= below && passed > 0) return bin;
  }
  return last;
}

ValueHistogram::Split ValueHistogram::split(std::size_t first, std::size_t last) const {
  double number = 0, sum = 0, squares = 0;
  for (std::size_t bin = first; bin < last; ++bin) {
    const auto n = static_cast<double>(counts_[bin]), place = static_cast<double>(bin - first);
    number += n;
    sum += n * place;
    squares += n * place * place;
  }
  const double variance = number > 0 ? squares / number - (sum / number) * (sum / number) : 0;
  Split best{last, 0};
  if (!(variance > 0)) return best;
  std::size_t last_above = last;  // splits within empty bins are equal: the middle one is taken
  double below = 0, sum_below = 0;
  for (std::size_t bin = first; bin + 1 < last; ++bin) {
    const auto n = static_cast<double>(counts_[bin]);
    below += n;
    sum_below += n * static_cast<double>(bin - first);
    if (below == 0 || below == number) continue;
    const double apart = (sum - sum_below) / (number - below) - sum_below / below,
                 between = below / number * (1 - below / number) * apart * apart / variance;
    if (between > best.separation) best = {bin + 1, between};
    if (between == best.separation) last_above = bin + 1;
  }
  best.first_above = (best.first_above + last_above) / 2;
  return best;
}

ValueClasses classes_of(const ValueHistogram& values) {
  std::size_t upper_end = values.bins(), cut = values.split(0, upper_end).first_above;
  while (cut > 0) {
    const auto lower = values.split(values.quantile(0, cut, streaks_part),
                                    values.quantile(0, cut, 1 - streaks_part) + 1);
    if (lower.separation < well_apart) break;
    const auto soft = static_cast<double>(values.count(lower.first_above, cut)),
               object = static_cast<double>(values.count(lower.first_above, values.bins()));
    if (soft < least_soft_part * object) break;
    upper_end = cut;
    cut = lower.first_above;
  }
  return {values.value_at(cut), values.median(cut, upper_end),
          values.value_at(values.split(cut, values.bins()).first_above)};
}

}  // namespace gantry
