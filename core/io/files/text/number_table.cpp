#include "core/io/files/text/number_table.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_format.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/files/text_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

namespace gantry {

namespace {

constexpr std::size_t largest_table = std::size_t{1} << 30;
constexpr std::string_view separators = " \t\r,;";

std::optional<double> number_in(std::string_view word) {
  const std::optional<double> value = number_of_word(word);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// Keeps what a comment "# key = number" states.
void keep_stated(std::string_view comment, NumberTable& table) {
  const std::size_t equals = comment.find('=');
  if (equals == std::string_view::npos) return;
  if (const auto value = number_in(trimmed_blanks(comment.substr(equals + 1))))
    table.stated[lower_case(std::string(trimmed_blanks(comment.substr(0, equals))))] = *value;
}

/// Returns a line whose numbers have points for decimal commas: where semicolons or blanks, without
/// the commas, separate as many numbers as there may be. Else returns the line as it is.
std::string with_decimal_points(std::string_view line, std::size_t columns, std::size_t piece) {
  std::string text(line);
  const auto fits = [&](std::size_t count) { return count == columns || count == piece; };
  if (text.find(',') == std::string::npos || text.find('.') != std::string::npos ||
      fits(words_of_line(line).size()))
    return text;
  std::string pointed = text;
  std::ranges::replace(pointed, ',', '.');
  const auto words = words_of_line(pointed);
  return fits(words.size()) &&
                 std::ranges::all_of(words, [](auto word) { return number_in(word).has_value(); })
             ? pointed
             : text;
}

/// Appends the numbers of a line. Returns their count; throws InputError for anything else in it.
std::size_t append_numbers(std::string_view line, std::vector<double>& values,
                           const std::function<std::string()>& place) {
  const std::vector<std::string_view> words = words_of_line(line);
  for (const std::string_view word : words) {
    const std::optional<double> value = number_in(word);
    if (!value)
      throw InputError("\"" + std::string(word.substr(0, 40)) + "\" is no number", place(),
                       "begin lines that hold no numbers with #");
    values.push_back(*value);
  }
  return words.size();
}

}  // namespace

std::vector<std::string_view> words_of_line(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(separators, end);
  }
  return words;
}

bool begins_number_table(const std::string& path, std::size_t columns) {
  const std::string start = without_byte_order_mark(file_start(path));
  for (std::size_t at = 0; at < start.size();) {
    const std::size_t end = std::min(start.find('\n', at), start.size());
    const std::string_view line = trimmed_blanks(std::string_view(start).substr(at, end - at));
    at = end + 1;
    if (line.empty() || line.starts_with('#')) continue;
    const std::string pointed = with_decimal_points(line, columns, 0);
    const auto words = words_of_line(pointed);
    return words.size() == columns &&
           std::ranges::all_of(words, [](auto word) { return number_in(word).has_value(); });
  }
  return false;
}

NumberTable read_number_table(const std::string& path, std::size_t columns, std::size_t piece) {
  const std::string text = read_text_file(path, largest_table);
  const std::string pieces = piece == 0 ? std::string()
                                        : ", or " + std::to_string(piece) + " in each of " +
                                              std::to_string(columns / piece) + " lines",
                    remedy = "give " + std::to_string(columns) + " numbers in each line" + pieces;
  NumberTable table;
  table.columns = columns;
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed_blanks(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (line.starts_with('#')) {
      keep_stated(line.substr(1), table);
      continue;
    }
    const auto place = [&] { return path + ", line " + std::to_string(number); };
    const std::size_t count =
        append_numbers(with_decimal_points(line, columns, piece), table.values, place);
    if (count != 0 && count != columns && count != piece)
      throw InputError("has " + std::to_string(count) + " numbers", place(), remedy);
    if (count == columns && table.values.size() % columns != 0)
      throw InputError("begins a row before the one above is whole", place(), remedy);
  }
  if (table.values.empty()) throw InputError("holds no numbers", path, remedy);
  if (const std::size_t rest = table.values.size() % columns; rest != 0)
    throw InputError("ends within a row, behind " + std::to_string(rest) + " of its " +
                         std::to_string(columns) + " numbers",
                     path, remedy);
  return table;
}

}  // namespace gantry
