#include "core/io/imports/names/file_numbers.hpp"

#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/names/name_numbers.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace gantry {

namespace fs = std::filesystem;

NumberedName numbered(const fs::path& path, std::size_t prefix) {
  const std::string name = path.filename().string(), stem = path.stem().string();
  std::size_t end = stem.size();
  while (end > 0 && !is_digit(stem[end - 1])) --end;
  std::size_t begin = end;
  while (begin > prefix && is_digit(stem[begin - 1])) --begin;
  const std::size_t first = std::min(stem.find_first_not_of('0', begin), end);
  if (begin == end) return {name, {}, std::nullopt};
  if (end - first > 9) return {stem.substr(0, begin), name.substr(end), std::nullopt, true};
  const int number = first == end ? 0 : std::stoi(stem.substr(first, end - first));
  return {stem.substr(0, begin), name.substr(end), number};
}

int common_step(const std::vector<int>& numbers) {
  int step = 0;
  for (const int number : numbers) step = std::gcd(step, number);
  return step;
}

std::optional<DecimalName> decimal(const fs::path& path, char point) {
  const std::string name = path.filename().string(), stem = path.stem().string();
  std::size_t begin = stem.size();
  const auto to_begin_of_digits = [&] {
    while (begin > 0 && is_digit(stem[begin - 1])) --begin;
  };
  to_begin_of_digits();
  if (begin == stem.size()) return std::nullopt;
  const bool has_point = begin > 1 && stem[begin - 1] == point && is_digit(stem[begin - 2]);
  if (has_point) {
    --begin;
    to_begin_of_digits();
  }
  const bool has_sign = ends_with_sign(std::string_view(stem).substr(0, begin));
  if (!has_point && !has_sign) return std::nullopt;
  if (has_sign) --begin;
  std::string digits = stem.substr(begin);
  std::ranges::replace(digits, point, '.');
  std::string_view text = digits;
  const std::optional<double> number = take_number(text);
  if (!number || !text.empty()) return std::nullopt;
  return DecimalName{stem.substr(0, begin), name.substr(stem.size()), *number, has_sign};
}

}  // namespace gantry
