#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// A text with the same count of numbers in each line, between blanks, commas or semicolons. Commas
/// in numbers between blanks or semicolons are decimal commas, where this gives the count. Lines
/// "# key = number" state something about the table; other lines that begin with # are comments.
struct NumberTable {
  std::size_t columns = 0;
  std::vector<double> values;            ///< [line][column]
  std::map<std::string, double> stated;  ///< by key, in lower case

  std::size_t lines() const { return columns == 0 ? 0 : values.size() / columns; }
  std::span<const double> line(std::size_t index) const {
    return std::span(values).subspan(index * columns, columns);
  }
};

/// Returns the words of a line between blanks, commas and semicolons.
std::vector<std::string_view> words_of_line(std::string_view line);

/// Returns whether the first line of a text that is neither empty nor a comment has `columns`
/// numbers, as read_number_table() takes them, and nothing else.
bool begins_number_table(const std::string& path, std::size_t columns);

/// Reads a table with `columns` numbers in a line. With `piece`, a divisor of `columns`, a row may
/// also take several lines of so many numbers each; each row whose numbers go on is whole before
/// the next one begins. Throws InputError that names the line: another count, something that is no
/// finite number; also for a table without lines or with a last row that is not whole.
NumberTable read_number_table(const std::string& path, std::size_t columns, std::size_t piece = 0);

}  // namespace gantry
