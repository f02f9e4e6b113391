#include "core/io/imports/tables/angle_table.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/tables/frame_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <set>

namespace gantry {

namespace {

/// Returns where the field of a line that begins at `at` ends: at a separator that is not between
/// quotes around the field.
std::size_t end_of_field(std::string_view line, std::size_t at, std::string_view separators) {
  const std::size_t first = line.find_first_not_of(" \t", at);
  if (first != std::string_view::npos && line[first] == '"' &&
      line.find_first_of(separators, at) > first)
    if (const std::size_t quote = line.find('"', first + 1); quote != std::string_view::npos)
      at = quote;
  return std::min(line.find_first_of(separators, at), line.size());
}

/// Returns the fields of a line, without blanks and quotes around them. Separators are the
/// character, each of which ends a field; or blanks, without one (0) commas, semicolons and braces
/// too, of which several are one separator.
std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  const bool is_blank = separator == 0 || separator == ' ';
  const std::string_view separators = separator == 0     ? std::string_view(" \t\r,;{}")
                                      : separator == ' ' ? std::string_view(" \t\r")
                                                         : std::string_view(&separator, 1);
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = end_of_field(line, at, separators);
    std::string_view field = trimmed_blanks(line.substr(at, end - at));
    at = end + 1;
    if (is_blank && field.empty()) continue;
    if (field.size() > 1 && field.front() == '"' && field.back() == '"')
      field = trimmed_blanks(field.substr(1, field.size() - 2));
    fields.push_back(field);
  }
  return fields;
}

/// Divides each field such as "angle:9.0" or "theta=9.0" behind its colon or equals sign: a letter,
/// a quote or a bracket stands before it, unlike in times, and a number behind.
std::vector<std::string_view> with_names_apart(const std::vector<std::string_view>& fields) {
  const auto ends_name = [](std::string_view field, std::size_t at) {
    const char before = field[at - 1];
    const bool is_name = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
                         before == '"' || before == ')' || before == ']';
    return is_name && number_of_word(field.substr(at + 1));
  };
  std::vector<std::string_view> apart;
  for (const std::string_view field : fields) {
    std::size_t at = field.find_first_of(":=", 1);
    while (at != std::string_view::npos && !ends_name(field, at))
      at = field.find_first_of(":=", at + 1);
    if (at == std::string_view::npos) {
      apart.push_back(field);
      continue;
    }
    apart.push_back(field.substr(0, at + 1));
    apart.push_back(field.substr(at + 1));
  }
  return apart;
}

/// Whether each comma in a line stands between two digits, and there is one.
bool has_commas_in_numbers(std::string_view line) {
  bool has_any = false;
  for (std::size_t at = line.find(','); at != std::string_view::npos; at = line.find(',', at + 1)) {
    if (at == 0 || at + 1 == line.size() || !is_digit(line[at - 1]) || !is_digit(line[at + 1]))
      return false;
    has_any = true;
  }
  return has_any;
}

/// Whether a field holds a number with a comma before its decimals.
bool has_decimal_comma(std::string_view field) {
  return has_commas_in_numbers(field) && std::ranges::count(field, ',') == 1 &&
         field.find_first_not_of("+-0123456789,eE") == std::string_view::npos;
}

/// Returns the character that divides every line of a table into as many columns, a blank where
/// commas can only be those of decimals; 0: none does.
char separator_of(const AngleTable& table) {
  const auto divides = [&](char separator) {
    const std::size_t count = fields_of(table.lines.front().text, separator).size();
    return count > 1 && std::ranges::all_of(table.lines, [&](const TableLine& line) {
             return fields_of(line.text, separator).size() == count;
           });
  };
  // Whole numbers have none: "1 0", "2 4,5".
  const auto has_comma = [](std::string_view text) {
    return text.find(',') != std::string_view::npos;
  };
  const bool has_decimals =
      std::ranges::any_of(table.lines,
                          [&](const TableLine& line) { return has_comma(line.text); }) &&
      std::ranges::all_of(table.lines, [&](const TableLine& line) {
        return line.text.find(';') == std::string_view::npos &&
               std::ranges::all_of(fields_of(line.text, ' '), [&](std::string_view field) {
                 return !has_comma(field) || has_decimal_comma(field);
               });
      });
  for (const char separator : {'\t', ';', ' ', ','})
    if ((separator != ' ' || has_decimals) && divides(separator)) return separator;
  return 0;
}

/// A slash may begin a comment, or the path of a file in a table of names.
bool is_comment(const TableLine& line) {
  if (std::string_view("#%!/").find(line.text.front()) == std::string_view::npos) return false;
  const std::string_view word = line.words().front();
  const bool is_path = word.size() > 2 && word.front() == '/' && word[1] != '/' && word[1] != '*' &&
                       word.find('/', 1) != std::string_view::npos;
  return !is_path;
}

/// Whether the words of a column are 0, 1, 2 and so on, or 1, 2, 3.
bool counts_lines(const AngleTable& table, std::size_t column) {
  int expected = table.lines.front().value(column) == 0 ? 0 : 1;
  return std::ranges::all_of(table.lines, [&](const TableLine& line) {
    return line.value(column) == expected++ &&
           line.words()[column].find('.') == std::string_view::npos;
  });
}

/// Whether all lines have numbers in a column, not all the same.
bool varies(const AngleTable& table, std::size_t column) {
  const std::optional<double> first = table.lines.front().value(column);
  bool is_varied = false;
  for (const TableLine& line : table.lines) {
    const std::optional<double> value = line.value(column);
    if (!value) return false;
    is_varied = is_varied || value != first;
  }
  return is_varied;
}

bool varies_any(const AngleTable& table) {
  if (table.lines.size() < 2) return false;
  for (std::size_t column = 0; column < table.columns(); ++column)
    if (varies(table, column)) return true;
  return false;
}

/// Whether a column that is called an angle has numbers that are not all the same.
bool varies_named(const AngleTable& table) {
  for (std::size_t column = 0; column < table.columns(); ++column)
    if (table.names_angle(column) && varies(table, column)) return true;
  return false;
}

/// Has the lines of a table divided by the character that does so for all of them.
void divide_into_columns(AngleTable& table) {
  // Names of columns and files may have blanks: "angle [deg]".
  const char separator = separator_of(table);
  if (separator == 0) return;
  const auto divide_by = [&](char character) {
    for (TableLine& line : table.lines) line.separator = character;
  };
  divide_by(separator);
  if (has_decimal_commas(table)) return;
  const bool has_columns =
      !table.header.empty() && fields_of(table.header, separator).size() == table.columns();
  // Without a field that is a number, words stand before these: "Projection: 3,angle: 9.0".
  const bool has_numbers = std::ranges::any_of(table.lines, &TableLine::has_number);
  if (!has_numbers || (!has_columns && !column_of_file_names(table))) divide_by(0);
}

/// Returns what the word before each column calls it, in lower case: "angle" of lines that say
/// "angle: 2.0", as the logs of IMAT do. A name is the same on all lines and ends in a colon or an
/// equals sign.
std::vector<std::string> labels_of(const AngleTable& table) {
  std::vector<std::string_view> words = table.lines.front().words();
  for (const TableLine& line : table.lines) {
    const std::vector<std::string_view> here = line.words();
    words.resize(std::min(words.size(), here.size()));
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i] != here[i]) words[i] = {};
  }
  std::vector<std::string> labels(table.columns());
  for (std::size_t i = 0; i + 1 < labels.size() && i < words.size(); ++i) {
    if (words[i].size() < 2 || !(words[i].ends_with(':') || words[i].ends_with('='))) continue;
    std::string_view name = words[i].substr(0, words[i].size() - 1);
    // As the members of an object in JSON.
    if (name.size() > 2 && name.front() == '"' && name.back() == '"')
      name = name.substr(1, name.size() - 2);
    labels[i + 1] = lower_case(std::string(name));
  }
  return labels;
}

}  // namespace

std::vector<std::string_view> TableLine::words() const {
  std::vector<std::string_view> fields = fields_of(text, separator);
  return has_joined_names ? with_names_apart(fields) : fields;
}

std::optional<double> TableLine::value(std::size_t column) const {
  const std::vector<std::string_view> all = words();
  if (column >= all.size()) return std::nullopt;
  std::string word(all[column]);
  if (has_decimal_comma(word)) word[word.find(',')] = '.';
  std::string_view rest = word;
  const std::optional<double> found = take_number(rest);
  rest = trimmed_blanks(rest);
  return rest.empty() || angle_unit(rest) ? found : std::nullopt;
}

bool TableLine::has_number() const {
  for (std::size_t column = 0; column < columns(); ++column)
    if (value(column)) return true;
  return false;
}

std::string AngleTable::name_of(std::size_t column) const {
  if (!labels.empty() && !labels[column].empty()) return labels[column];
  const char separator = lines.front().separator;
  const std::vector<std::string_view> names = TableLine{0, header, separator}.words();
  if (names.size() == columns()) return lower_case(std::string(names[column]));
  if (separator != 0 && separator != ' ') return {};
  const std::vector<std::string> longer = names_with_blanks(header, columns());
  return longer.empty() ? std::string() : lower_case(longer[column]);
}

bool AngleTable::names_angle(std::size_t column) const {
  if (chosen) return column == *chosen;
  const AngleName sureness = angle_name(name_of(column));
  if (sureness <= AngleName::unknown) return false;
  for (std::size_t other = 0; other < columns(); ++other)
    if (angle_name(name_of(other)) > sureness) return false;
  return true;
}

bool AngleTable::names_any_angle() const {
  for (std::size_t column = 0; column < columns(); ++column)
    if (names_angle(column)) return true;
  return false;
}

namespace {

AngleTable table_of(std::string_view text, bool has_joined_names) {
  AngleTable table;
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const TableLine line{number, trimmed_blanks(text.substr(at, end - at)), 0, has_joined_names};
    at = end + 1;
    if (line.columns() == 0) continue;
    if (!is_comment(line) && (!table.lines.empty() || line.has_number()))
      table.lines.push_back(line);
    else if (table.lines.empty())
      table.header = line.text.substr(is_comment(line) ? 1 : 0);
  }
  // Text before the numbers may have some too: numbers begin lines, where they do at all.
  const auto begins_with_number = [](const TableLine& line) { return line.value(0).has_value(); };
  const auto first = std::ranges::find_if(table.lines, begins_with_number);
  if (first != table.lines.end() && first != table.lines.begin()) {
    table.header = first[-1].text;
    table.lines.erase(table.lines.begin(), first);
  }
  if (!table.header.empty())
    table.before = text.substr(0, static_cast<std::size_t>(table.header.data() - text.data()));
  if (table.lines.empty()) return table;
  divide_into_columns(table);
  table.labels = labels_of(table);
  return table;
}

}  // namespace

AngleTable angle_table_of(std::string_view text) {
  AngleTable table = table_of(text, false);
  // A single line may have many columns, each of them an angle.
  if (table.lines.size() == 1 || (varies_any(table) && table.names_any_angle())) return table;
  // Beside a number with a name, as in "image 12 angle=24.27", those without one are counts.
  AngleTable apart = table_of(text, true);
  const bool is_better = varies_any(table) ? varies_named(apart) : varies_any(apart);
  return is_better ? apart : table;
}

namespace {

/// How surely the name of a column calls it the number of a frame.
enum class NumberName { no, perhaps, surely };

NumberName numbers_frames(const AngleTable& table, std::size_t column) {
  constexpr std::array<std::string_view, 9> frames = {
      "image", "frame", "file", "view", "projection", "picture", "proj", "img", "page"};
  constexpr std::array<std::string_view, 14> counts = {"",    "index",  "idx",    "nr",     "no",
                                                       "num", "number", "nummer", "id",     "i",
                                                       "n",   "k",      "of",     "counter"};
  const std::string name = table.name_of(column);
  if (angle_name(name) > AngleName::unknown || table.chosen == column) return NumberName::no;
  const auto is_any = [](std::string_view word, const auto& words) {
    return std::ranges::find(words, word) != words.end();
  };
  // "i0" is what a monitor of the beam shows.
  const bool is_beam = name.size() > 1 && name.size() < 4 && (name[0] == 'i' || name[0] == 'n') &&
                       is_digit(name.back());
  if (is_beam) return NumberName::no;
  const std::vector<std::string> words = letter_words(name);
  if (std::ranges::all_of(words, [&](const std::string& word) {
        return is_any(word, counts) || is_any(word, frames) ||
               (word.ends_with('s') && is_any(word.substr(0, word.size() - 1), frames));
      }))
    return NumberName::surely;
  return std::ranges::any_of(
             frames, [&](std::string_view word) { return name.find(word) != std::string::npos; })
             ? NumberName::perhaps
             : NumberName::no;
}

/// Whether the line before the numbers calls a column the number of a frame and nothing else.
bool is_called_number(const AngleTable& table, std::size_t column) {
  return !table.name_of(column).empty() && numbers_frames(table, column) == NumberName::surely;
}

}  // namespace

bool has_doubtful_commas(const AngleTable& table) {
  if (has_decimal_commas(table)) return false;
  const auto is_doubtful = [&](const TableLine& line) {
    const std::size_t at = line.text.find(',');
    if (at == std::string_view::npos || at == 0 || at + 1 == line.text.size()) return false;
    // Behind the time in "10:00:00,5" the comma is one between columns.
    const bool is_alone = line.text.find(',', at + 1) == std::string_view::npos &&
                          std::ranges::any_of(fields_of(line.text, ' '), has_decimal_comma);
    return is_digit(line.text[at - 1]) && is_digit(line.text[at + 1]) &&
           line.text.find('.') == std::string_view::npos &&
           (is_alone || line.text.find(';') != std::string_view::npos);
  };
  // "1, 4,5": some commas have blanks behind them, others are within numbers.
  const auto is_mixed = [](const TableLine& line) {
    const std::size_t blank = line.text.find(", ");
    const auto fields = fields_of(line.text.substr(std::min(blank, line.text.size())), ' ');
    return blank != std::string_view::npos && std::ranges::any_of(fields, has_decimal_comma) &&
           line.text.find('.') == std::string_view::npos;
  };
  if (std::ranges::all_of(table.lines, is_mixed)) return true;
  if (!std::ranges::all_of(table.lines, is_doubtful)) return false;
  if (table.lines.front().text.find(';') != std::string_view::npos) return true;
  for (const std::size_t column : {std::size_t{0}, std::size_t{1}})
    if (table.names_angle(column) || angle_name(table.name_of(column)) == AngleName::never ||
        is_called_number(table, column) || counts_lines(table, column))
      return false;
  return true;
}

std::vector<std::size_t> angle_columns(const AngleTable& table, std::optional<std::size_t> other) {
  const auto is_number = [&](std::size_t column) {
    return numbers_frames(table, column) == NumberName::perhaps ||
           is_called_number(table, column) ||
           (counts_lines(table, column) && table.lines.size() > 2);
  };
  if (table.chosen) return {*table.chosen};
  std::vector<std::size_t> named, possible;
  for (std::size_t column = 0; column < table.columns(); ++column) {
    if (column == other) continue;
    if (table.names_angle(column)) named.push_back(column);
    if (table.lines.front().value(column) && angle_name(table.name_of(column)) != AngleName::never)
      possible.push_back(column);
  }
  std::vector<std::size_t> likely;
  for (const std::size_t column : named.empty() ? possible : named)
    if (varies(table, column) && (!named.empty() || !is_number(column))) likely.push_back(column);
  if (!likely.empty()) return likely;
  if (!named.empty()) return {named.front()};
  // Beside times and the like, the numbers of the frames are no angles either.
  if (possible.empty() || (table.columns() > 1 && is_called_number(table, possible.front())))
    return {};
  return {possible.front()};
}

namespace {

/// Returns the whole numbers in a column in the order of the lines, if they are distinct; else
/// none.
std::vector<double> numbers_in(const AngleTable& table, std::size_t column) {
  std::vector<double> numbers;
  for (const TableLine& line : table.lines)
    if (const auto value = line.value(column); value && *value >= 0 && *value == std::trunc(*value))
      numbers.push_back(*value);
  if (numbers.size() != table.lines.size()) return {};
  const std::set<double> distinct(numbers.begin(), numbers.end());
  return distinct.size() == numbers.size() ? numbers : std::vector<double>{};
}

/// Returns such numbers sorted, if they are not in their order; else none.
std::vector<double> unordered_in(const AngleTable& table, std::size_t column) {
  std::vector<double> numbers = numbers_in(table, column);
  if (std::ranges::is_sorted(numbers)) return {};
  std::ranges::sort(numbers);
  return numbers;
}

/// Returns the step of rising numbers; 0 where they have several.
double step_of(const std::vector<double>& numbers) {
  if (numbers.size() < 2) return 0;
  const double step = numbers[1] - numbers[0];
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] - numbers[i - 1] != step) return 0;
  return step;
}

}  // namespace

std::optional<std::size_t> unordered_numbers(const AngleTable& table) {
  if (table.columns() < 2) return std::nullopt;
  const bool has_names = !table.name_of(0).empty() || table.names_any_angle();
  if (has_names)
    for (const NumberName sureness : {NumberName::surely, NumberName::perhaps})
      for (std::size_t column = 0; column < table.columns(); ++column) {
        if (numbers_frames(table, column) != sureness) continue;
        const std::vector<double> numbers = unordered_in(table, column);
        const bool is_count = sureness == NumberName::surely || step_of(numbers) > 0;
        if (!numbers.empty() && is_count) return column;
      }
  if (table.names_angle(0)) return std::nullopt;
  // Without names of the columns, frames are numbered from 0 or 1 before their angles.
  const std::vector<double> numbers = unordered_in(table, 0);
  return step_of(numbers) == 1 && numbers.front() <= 1 && varies(table, 1)
             ? std::optional<std::size_t>(0)
             : std::nullopt;
}

std::vector<AngleUnit> units_on_lines(const AngleTable& table, std::size_t column) {
  std::vector<AngleUnit> units;
  for (const TableLine& line : table.lines) {
    const auto words = line.words();
    if (column >= words.size()) continue;
    std::string_view rest = words[column];
    take_number(rest);
    rest = trimmed_blanks(rest);
    if (rest.empty() && column + 1 < words.size()) rest = words[column + 1];
    if (const auto unit = angle_unit(rest); unit && std::ranges::count(units, *unit) == 0)
      units.push_back(*unit);
  }
  return units;
}

std::optional<AngleUnit> unit_in_header(const AngleTable& table, std::size_t column) {
  const std::string name = table.columns() == 1 ? std::string() : table.name_of(column);
  const auto unit = angle_unit_in(name.empty() ? lower_case(std::string(table.header)) : name);
  return unit ? unit : angle_unit_in(lower_case(std::string(table.before)));
}

bool has_decimal_commas(const AngleTable& table) {
  return std::ranges::any_of(table.lines, [](const TableLine& line) {
    return std::ranges::any_of(line.words(), has_decimal_comma);
  });
}

std::optional<std::size_t> numbers_with_gaps(const AngleTable& table) {
  if (table.columns() < 2) return std::nullopt;
  for (std::size_t column = 0; column < table.columns(); ++column) {
    if (!is_called_number(table, column)) continue;
    std::vector<double> numbers = numbers_in(table, column);
    std::ranges::sort(numbers);
    if (numbers.size() > 1 && step_of(numbers) == 0) return column;
  }
  return std::nullopt;
}

}  // namespace gantry
