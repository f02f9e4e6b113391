#include "core/corrections/stripe_change.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/corrections/sliding_median.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

namespace {

constexpr int columns_per_stripe = 48, least_stripe = 3;  // width of a stripe, in columns
constexpr double most_beside = 0.02;

double part_of(double squares, double all) { return all > 0 ? std::sqrt(squares / all) : 0; }

std::string percent_text(double part) { return format_param(to_digits(100 * part, 2)) + " %"; }

}  // namespace

StripeChange::StripeChange(std::span<const float> removed, std::span<const float> values,
                           int columns) {
  const auto width = static_cast<std::size_t>(columns);
  const double views = static_cast<double>(removed.size() / width);
  std::vector<double> sums(width);
  for (std::size_t i = 0; i < removed.size(); ++i) sums[i % width] += removed[i];
  std::vector<float> stripes(sums.begin(), sums.end());
  std::vector<float> wide = stripes;
  SlidingMedian(2 * std::max(least_stripe, columns / columns_per_stripe) + 1).apply(wide);
  for (std::size_t c = 0; c < width; ++c)
    stripes[c] = static_cast<float>((stripes[c] - static_cast<double>(wide[c])) / views);
  for (std::size_t i = 0; i < removed.size(); ++i) {
    const double change = removed[i], beside = change - stripes[i % width], value = values[i];
    all_ += change * change;
    beside_ += beside * beside;
    values_ += value * value;
  }
}

StripeChange& StripeChange::operator+=(const StripeChange& other) {
  all_ += other.all_;
  beside_ += other.beside_;
  values_ += other.values_;
  return *this;
}

double StripeChange::whole() const { return part_of(all_, values_); }

double StripeChange::beside_stripes() const { return part_of(std::min(beside_, all_), values_); }

std::string StripeChange::text() const {
  return "the values changed by " + percent_text(whole()) + " of their root mean square, by " +
         percent_text(beside_stripes()) +
         " beside what is narrow and the same in all views, as rings are";
}

std::string StripeChange::warning(const std::string& remedy) const {
  if (beside_stripes() <= most_beside) return {};
  return "a change of more than " + percent_text(most_beside) +
         " beside rings takes structure of the object as well: compare a slice without this "
         "correction, or " +
         remedy;
}

}  // namespace gantry
