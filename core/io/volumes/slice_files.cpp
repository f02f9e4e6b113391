#include "core/io/volumes/slice_files.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/file_parts.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

namespace gantry {

namespace {

constexpr std::size_t most_files = 65536, longest_name = 4096;

[[noreturn]] void refuse_pattern(const std::string& text, const std::string& where) {
  throw InputError("is \"" + text + "\"", where,
                   "give a pattern with one %d and the first number, the last and the step");
}

/// A name around its number: "slice", at least 3 digits, ".raw".
struct Pattern {
  std::string before, after;
  std::size_t digits = 0;
  bool has_zeros = false;

  std::string name(int number) const {
    std::string text = std::to_string(number);
    if (text.size() < digits) text.insert(0, digits - text.size(), has_zeros ? '0' : ' ');
    return before + text + after;
  }
};

Pattern pattern_in(const std::string& name, const std::string& text, const std::string& where) {
  const std::size_t percent = name.find('%');
  if (percent == std::string::npos) refuse_pattern(text, where);
  std::size_t end = percent + 1;
  while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
  Pattern pattern{name.substr(0, percent), {}, 0, name[percent + 1] == '0'};
  std::from_chars(name.data() + percent + 1, name.data() + end, pattern.digits);
  if (end == name.size() || (name[end] != 'd' && name[end] != 'i' && name[end] != 'u') ||
      pattern.digits > 20)
    refuse_pattern(text, where);
  pattern.after = name.substr(end + 1);
  if (pattern.after.find('%') != std::string::npos) refuse_pattern(text, where);
  return pattern;
}

/// Returns the lines from a byte of a file on that are not blank.
std::vector<std::string> lines_from(const std::string& path, std::uintmax_t start,
                                    const std::string& where) {
  const FilePart rest = rest_of_file(path, start);
  if (rest.bytes > most_files * longest_name)
    throw InputError("lists " + format_bytes(rest.bytes) + " of names", where,
                     "list a file for each slice below it, and nothing else");
  std::string bytes(static_cast<std::size_t>(rest.bytes), '\0');
  bytes.resize(bytes_in({rest})(std::as_writable_bytes(std::span(bytes))));
  std::string_view text = bytes;
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (const std::string_view name = trimmed_blanks(line); !name.empty()) lines.emplace_back(name);
  }
  return lines;
}

std::vector<std::string> listed_files(const std::string& header, std::uintmax_t start,
                                      const std::string& where) {
  const std::vector<std::string> names = lines_from(header, start, where);
  if (names.empty() || names.size() > most_files)
    throw InputError("lists " + std::to_string(names.size()) + " files", where,
                     "list a file for each slice below it");
  std::vector<std::string> files;
  for (const std::string& name : names) {
    if (has_control_characters(name))
      throw InputError("lists a name with control characters", where, "correct the list");
    files.push_back(beside(header, name));
  }
  return files;
}

std::vector<std::string> pattern_files(const std::string& text, const std::string& header,
                                       const std::string& where) {
  // Blanks before the number belong to the name.
  const std::size_t percent = text.find('%');
  if (percent == std::string::npos) refuse_pattern(text, where);
  const std::size_t blank = text.find_first_of(" \t", percent);
  const Pattern pattern = pattern_in(text.substr(0, blank), text, where);
  std::vector<int> numbers;
  for (const char *at = text.data() + std::min(blank, text.size()),
                  *end = text.data() + text.size();
       at != end;) {
    if (*at == ' ' || *at == '\t') {
      ++at;
      continue;
    }
    int number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc{}) refuse_pattern(text, where);
    numbers.push_back(number);
    at = next;
  }
  if (numbers.size() < 2 || numbers.size() > 4) refuse_pattern(text, where);
  const int first = numbers[0], last = numbers[1], step = numbers.size() > 2 ? numbers[2] : 1;
  const bool is_forward = step > 0 && last >= first, is_back = step < 0 && last <= first;
  const std::int64_t span = std::int64_t{last} - first;
  if ((!is_forward && !is_back) || span / step >= static_cast<std::int64_t>(most_files))
    refuse_pattern(text, where);
  std::vector<std::string> files;
  for (std::int64_t k = 0; k <= span / step; ++k)
    files.push_back(beside(header, pattern.name(static_cast<int>(first + k * step))));
  return files;
}

}  // namespace

std::string beside(const std::string& header, const std::string& name) {
  return (std::filesystem::path(header).parent_path() / name).string();
}

bool names_slice_files(const std::string& field) {
  return field.starts_with("LIST") || field.find('%') != std::string::npos;
}

std::vector<std::string> slice_files(const std::string& field, const std::string& header,
                                     std::uintmax_t list_start, int slices,
                                     const std::string& where, std::vector<std::string>& notes) {
  std::vector<std::string> files = field.starts_with("LIST")
                                       ? listed_files(header, list_start, where)
                                       : pattern_files(field, header, where);
  if (static_cast<std::size_t>(slices) % files.size() != 0)
    throw InputError("names " + std::to_string(files.size()) + " files for " +
                         std::to_string(slices) + " slices",
                     where, "name a file for each slice");
  for (const std::string& file : files) require_named_file(file, where);
  std::vector<std::string> sorted = files;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    notes.push_back("the header names " + std::filesystem::path(*twice).filename().string() +
                    " more than once: its slices were taken as often as it is named");
  return files;
}

void require_named_file(const std::string& file, const std::string& where) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw InputError("names " + file + ": there is no such file", where,
                     "put the file there, or correct its name");
}

}  // namespace gantry
