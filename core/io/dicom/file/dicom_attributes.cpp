#include "core/io/dicom/file/dicom_attributes.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace gantry {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks(" \t\r\n\0", 5);
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Returns the number that `text` holds, nullopt when `text` is not a finite number. The result is
/// independent of the locale, unlike that of strtod.
std::optional<double> parse_finite(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

}  // namespace

std::string describe(DicomTag tag) {
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), " (%04x,%04x)", static_cast<unsigned>(tag.group),
                static_cast<unsigned>(tag.element));
  return tag.keyword + std::string(number.data());
}

std::string DicomAttributes::text(DicomTag tag) const {
  const auto found = values.find(tag.number());
  return found == values.end() ? std::string() : std::string(trimmed(found->second));
}

std::vector<double> DicomAttributes::numbers(DicomTag tag, const std::string& where) const {
  const std::string all = text(tag);
  std::vector<double> result;
  for (std::size_t begin = 0; !all.empty() && begin <= all.size();) {
    const std::size_t end = std::min(all.find('\\', begin), all.size());
    const auto value = parse_finite(std::string_view(all).substr(begin, end - begin));
    if (!value)
      throw InputError(describe(tag) + " is \"" + all.substr(0, 80) + "\", not a finite number",
                       where, "export the image again");
    result.push_back(*value);
    begin = end + 1;
  }
  return result;
}

std::optional<double> DicomAttributes::number(DicomTag tag, const std::string& where) const {
  const std::vector<double> all = numbers(tag, where);
  if (all.empty()) return {};
  return all.front();
}

std::optional<int> DicomAttributes::integer(DicomTag tag, const std::string& where, int smallest,
                                            int largest) const {
  const std::optional<double> value = number(tag, where);
  if (!value) return {};
  if (*value != std::floor(*value) || *value < smallest || *value > largest)
    throw InputError(describe(tag) + " is " + text(tag).substr(0, 80) + ", outside " +
                         std::to_string(smallest) + " to " + std::to_string(largest),
                     where, "export the image again");
  return static_cast<int>(*value);
}

const DicomAttributes* DicomAttributes::item(DicomTag sequence, std::size_t index) const {
  const auto found = sequences.find(sequence.number());
  if (found == sequences.end() || index >= found->second.size()) return nullptr;
  return &found->second[index];
}

}  // namespace gantry
