#pragma once

#include "core/io/imports/names/angle_names.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// A line of a table of angles.
struct TableLine {
  int number = 0;  ///< in the file, from 1
  std::string_view text;
  /// Between columns; ' ': blanks alone; 0: blanks, commas, semicolons or braces.
  char separator = 0;
  bool has_joined_names = false;  ///< a name and its number are two columns in "angle:9.0", too

  std::vector<std::string_view> words() const;
  std::size_t columns() const { return words().size(); }
  /// Returns the number in a column, which may have a unit, quotes around it and a comma before its
  /// decimals; nothing without one.
  std::optional<double> value(std::size_t column) const;
  bool has_number() const;
};

/// The lines of a table of angles from the first with numbers on, without comments.
struct AngleTable {
  std::string_view header;  ///< the line before
  std::string_view before;  ///< the text before that line
  std::vector<TableLine> lines;
  /// What the same word on all lines, with a colon, calls the column behind it, in lower case:
  /// "angle" of "angle: 2.0"; "" without one.
  std::vector<std::string> labels;
  std::optional<std::size_t> chosen;  ///< the column that the user says is the angle

  std::size_t columns() const { return lines.front().columns(); }
  /// Returns what the lines, or that before the numbers, call a column, in lower case; "" without a
  /// name.
  std::string name_of(std::size_t column) const;
  /// Whether the line before the numbers calls a column the angle, and none so more surely; or the
  /// user does, who decides it.
  bool names_angle(std::size_t column) const;
  bool names_any_angle() const;
};

/// Returns the table in a text, which must outlive it.
AngleTable angle_table_of(std::string_view text);

/// Whether numbers have commas before their decimals: these stand within a column, which
/// semicolons, tabulators, blanks or quotes bound.
bool has_decimal_commas(const AngleTable& table);

/// Whether commas may be those of decimals as well as those between columns: each line has one
/// between two digits and no point, and nothing says that there are columns.
bool has_doubtful_commas(const AngleTable& table);

/// Returns the columns, without `other`, that may be the angles: those that the line before the
/// numbers most surely calls so; else those with numbers that vary and neither count the lines, nor
/// are called the number of a frame or something else. Several are those between which nothing
/// decides; none: all are called something else.
std::vector<std::size_t> angle_columns(const AngleTable& table,
                                       std::optional<std::size_t> other = {});

/// Returns a column of whole numbers that count the frames, in another order than the lines. The
/// line before the numbers calls the column the index, the number of an image or the like; or
/// something else of frames, beside an angle, and its numbers are at equal steps. Where no column
/// is called the angle, the first one may count from 0 or 1.
std::optional<std::size_t> unordered_numbers(const AngleTable& table);

/// Returns a column that the line before the numbers calls the number of a frame, whose whole
/// numbers are distinct and have gaps, so that they do not merely count the lines.
std::optional<std::size_t> numbers_with_gaps(const AngleTable& table);

/// Returns the units that stand behind the numbers of a column, each once.
std::vector<AngleUnit> units_on_lines(const AngleTable& table, std::size_t column);

/// Returns the unit that the lines before the numbers state of a column of angles; nothing where
/// they state none.
std::optional<AngleUnit> unit_in_header(const AngleTable& table, std::size_t column);

}  // namespace gantry
