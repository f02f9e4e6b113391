#include "app/cli/checks.hpp"

#include "core/base/params.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace gantry::cli {

namespace {

/// Returns the number that the whole text states; NaN for any other text.
double number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : std::nan("");
}

/// Returns a validator with the message "TEXT is not WANTED" for values that do not pass.
template <class Test>
CLI::Validator validator(const Test& passes, const std::string& wanted) {
  return CLI::Validator(
      [=](const std::string& text) {
        return passes(text) ? std::string{} : "\"" + text + "\" is not " + wanted;
      },
      "");
}

}  // namespace

CLI::Validator positive() {
  return validator(
      [](const std::string& text) { return number_in(text) > 0 && std::isfinite(number_in(text)); },
      "a positive number");
}

CLI::Validator not_negative() {
  return validator(
      [](const std::string& text) {
        return number_in(text) >= 0 && std::isfinite(number_in(text));
      },
      "a number from 0");
}

CLI::Validator real(double low, double high) {
  const auto text_of = [](double value) { return format_param(ParamValue(value)); };
  return validator(
      [=](const std::string& text) { return number_in(text) >= low && number_in(text) <= high; },
      "a number from " + text_of(low) + " to " + text_of(high));
}

CLI::Validator whole(long long low, long long high) {
  const auto passes = [=](const std::string& text) {
    long long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number >= low &&
           number <= high;
  };
  return validator(passes,
                   "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "one of " : ", ") + word;
  return validator(
      [=](const std::string& text) { return std::ranges::find(words, text) != words.end(); }, all);
}

CLI::Validator not_empty() {
  return CLI::Validator(
      [](const std::string& text) {
        return text.empty() ? std::string("no name is given") : std::string{};
      },
      "");
}

}  // namespace gantry::cli
