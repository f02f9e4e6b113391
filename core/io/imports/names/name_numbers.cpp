#include "core/io/imports/names/name_numbers.hpp"

#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/names/name_times.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace gantry {

namespace {

namespace fs = std::filesystem;

/// A name as its pattern, "tomo_#_%.tif", and the numbers in it: # whole ones, % decimal ones.
struct Pattern {
  std::string text;
  std::vector<double> numbers;
  std::vector<bool> are_decimal;
};

/// Removes the sign of a number from the end of the text before it. Returns -1 or 1.
double take_sign(std::string& before) {
  if (!ends_with_sign(before)) return 1;
  const double sign = before.back() == '-' ? -1 : 1;
  before.pop_back();
  return sign;
}

Pattern pattern_of(const std::string& path, char point) {
  const std::string name = fs::path(path).filename().string(),
                    stem = fs::path(path).stem().string();
  Pattern pattern;
  for (std::size_t at = 0; at < stem.size();) {
    if (!is_digit(stem[at])) {
      pattern.text += stem[at++];
      continue;
    }
    const auto end_of_digits = [&](std::size_t from) {
      while (from < stem.size() && is_digit(stem[from])) ++from;
      return from;
    };
    std::size_t end = end_of_digits(at);
    const bool is_decimal = end + 1 < stem.size() && stem[end] == point && is_digit(stem[end + 1]);
    if (is_decimal) end = end_of_digits(end + 1);
    constexpr std::size_t most_digits = 15;  // which a double holds
    if (end - at > most_digits) {
      pattern.text += stem.substr(at, end - at);
    } else {
      const double sign = is_decimal ? take_sign(pattern.text) : 1;
      pattern.text += is_decimal ? '%' : '#';
      std::string number = stem.substr(at, end - at);
      std::ranges::replace(number, point, '.');
      pattern.numbers.push_back(sign * std::stod(number));
      pattern.are_decimal.push_back(is_decimal);
    }
    at = end;
  }
  pattern.text = (fs::path(path).parent_path() / pattern.text).string() + name.substr(stem.size());
  return pattern;
}

/// The files of one pattern, and a column of numbers for each number in it.
struct Group {
  std::vector<std::string> paths;
  std::vector<std::vector<double>> columns;
  std::vector<bool> are_decimal;

  std::size_t values_of(std::size_t column) const {
    return std::set<double>(columns[column].begin(), columns[column].end()).size();
  }
  /// Returns the whole number that differs between all files and has the fewest gaps: times of
  /// frames do not count them. Of several, the last.
  std::optional<std::size_t> counter() const {
    constexpr double most = 1e9;
    std::optional<std::size_t> found;
    double least_range = most;
    for (std::size_t column = columns.size(); column-- > 0;) {
      const auto [low, high] = std::ranges::minmax(columns[column]);
      if (are_decimal[column] || values_of(column) < paths.size() || high >= most) continue;
      if (high - low >= least_range) continue;
      found = column;
      least_range = high - low;
    }
    return found;
  }
  /// Returns the only decimal number that differs.
  std::optional<std::size_t> decimal() const {
    std::optional<std::size_t> found;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (!are_decimal[column] || values_of(column) < 2) continue;
      if (found) return std::nullopt;
      found = column;
    }
    return found;
  }
};

}  // namespace

bool ends_with_sign(std::string_view text) {
  if (!text.ends_with('-') && !text.ends_with('+')) return false;
  constexpr std::string_view separators = "_ =(";
  return text.size() > 1 && separators.find(text[text.size() - 2]) != std::string_view::npos;
}

NumberedNames numbered_in_several(const std::vector<std::string>& paths, char point) {
  std::map<std::string, Group> groups;
  for (const std::string& path : paths) {
    const Pattern pattern = pattern_of(path, point);
    Group& group = groups[pattern.text];
    group.paths.push_back(path);
    group.columns.resize(pattern.numbers.size());
    group.are_decimal = pattern.are_decimal;
    for (std::size_t i = 0; i < pattern.numbers.size(); ++i)
      group.columns[i].push_back(pattern.numbers[i]);
  }
  if (groups.empty()) return {};
  const Group& group = std::ranges::max_element(groups, {}, [](const auto& one) {
                         return one.second.paths.size();
                       })->second;
  const auto counter = group.counter(), decimal = group.decimal();
  NumberedNames names;
  if (!counter && !decimal) {
    names.uncounted = group.paths;
    return names;
  }
  std::vector<std::size_t> order(group.paths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<double>& keys = group.columns[counter ? *counter : *decimal];
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return keys[i]; });
  for (const std::size_t i : order) {
    names.paths.push_back(group.paths[i]);
    if (counter) names.counters.push_back(static_cast<int>(group.columns[*counter][i]));
    if (decimal) names.decimals.push_back(group.columns[*decimal][i]);
  }
  return names;
}

char decimal_point_of(const std::vector<std::string>& paths) {
  for (const char point : {',', 'p'}) {
    std::vector<double> decimals = numbered_in_several(paths, point).decimals;
    std::ranges::sort(decimals);
    if (std::ranges::adjacent_find(decimals) == decimals.end() && go_on_evenly(decimals, 1))
      return point;
  }
  return '.';
}

}  // namespace gantry
