#include "core/io/files/ini_text.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/files/text_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace gantry {

namespace {

constexpr std::size_t largest_settings = std::size_t{1} << 24;
constexpr std::size_t most_quoted = 40, most_named = 4;

/// Returns a number of digits with a single comma between them, and nothing but a unit behind it,
/// with a point in the place of the comma; nothing of other texts.
std::optional<std::string> with_decimal_point(const std::string& value) {
  const std::size_t comma = value.find(','), end = std::min(value.find(' '), value.size());
  const auto is_digit_at = [&](std::size_t at) { return at < end && is_digit(value[at]); };
  if (comma == std::string::npos || comma == 0 || !is_digit_at(comma - 1) ||
      !is_digit_at(comma + 1))
    return std::nullopt;
  std::string pointed = value;
  pointed[comma] = '.';
  return number_of_word(std::string_view(pointed).substr(0, end)) ? std::optional(pointed)
                                                                  : std::nullopt;
}

/// Returns up to a few texts after each other, and how many more there are.
std::string named_texts(const std::vector<std::string>& texts) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_named, texts.size()); ++i)
    text += (i > 0 ? ", " : "") + texts[i];
  if (texts.size() > most_named)
    text += " and " + std::to_string(texts.size() - most_named) + " more";
  return text;
}

}  // namespace

IniText::IniText(const std::string& text, std::string where) : where_(std::move(where)) {
  std::string section;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed_blanks(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (line.size() >= 2 && line.front() == '[' && line.back() == ']') {
      section = lower_case(std::string(line.substr(1, line.size() - 2)));
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string key(trimmed_blanks(line.substr(0, equals))),
        value(trimmed_blanks(line.substr(equals + 1)));
    if (with_decimal_point(value))
      commas_.push_back(key.substr(0, most_quoted) + " (" + value.substr(0, most_quoted) + ")");
    const auto& [first, is_new] = values_.emplace(std::pair(section, lower_case(key)), value);
    if (!is_new && first->second != value)
      contradictions_.push_back(key.substr(0, most_quoted) + " (" +
                                first->second.substr(0, most_quoted) + ", then " +
                                value.substr(0, most_quoted) + ")");
  }
}

bool IniText::has(const std::string& section, const std::string& key) const {
  return text(section, key).has_value();
}

std::optional<std::string> IniText::text(const std::string& section, const std::string& key) const {
  const auto found = values_.find({lower_case(section), lower_case(key)});
  if (found == values_.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

std::optional<double> IniText::number_if_stated(const std::string& section,
                                                const std::string& key) const {
  const std::optional<std::string> value = text(section, key);
  if (!value) return std::nullopt;
  const std::string pointed = with_decimal_point(*value).value_or(*value);
  std::string_view rest = pointed;
  const std::optional<double> number = take_number(rest);
  if (!number || !std::isfinite(*number) || !(rest.empty() || rest.front() == ' '))
    fail(section, key, "\"" + value->substr(0, 40) + "\" is no number", "give a number");
  return number;
}

double IniText::number(const std::string& section, const std::string& key) const {
  require(section, {key});
  return *number_if_stated(section, key);
}

void IniText::require(const std::string& section, const std::vector<std::string>& keys) const {
  std::vector<std::string> missing;
  for (const std::string& key : keys)
    if (!has(section, key)) missing.push_back(key);
  if (missing.empty()) return;
  fail(section, joined(missing), missing.size() == 1 ? "is missing" : "are missing",
       "copy the file again from where it came");
}

double IniText::positive(const std::string& section, const std::string& key) const {
  const double value = number(section, key);
  if (!(value > 0)) fail(section, key, "is not positive", "correct it");
  return value;
}

int IniText::whole(const std::string& section, const std::string& key, int low, int high) const {
  const double value = number(section, key);
  if (!(value >= low && value <= high) || value != std::floor(value))
    fail(section, key, "is " + *text(section, key),
         "give a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return static_cast<int>(value);
}

std::optional<std::string> IniText::contradictions() const {
  if (contradictions_.empty()) return std::nullopt;
  return "states twice, with different values, of which the first was taken: " +
         named_texts(contradictions_);
}

std::optional<std::string> IniText::decimal_commas() const {
  if (commas_.empty()) return std::nullopt;
  return "the comma in numbers was taken to stand before decimals: " + named_texts(commas_);
}

void IniText::fail(const std::string& section, const std::string& key, const std::string& what,
                   const std::string& remedy) const {
  const std::string in = section.empty() ? std::string() : "[" + section + "] ";
  throw InputError(what, where_ + ": " + in + key, remedy);
}

IniText read_ini(const std::string& path) {
  const std::string text = utf8_of(read_text_file(path, largest_settings));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError("is empty", path, "copy the file again from where it came");
  return {text, path};
}

}  // namespace gantry
