#include "studies/study.hpp"

#include "core/base/csv.hpp"
#include "core/base/params.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace gantry {

namespace {

/// Returns the width in a terminal: the number of characters, not of bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string heading(const StudyColumn& column) {
  return column.unit.empty() ? column.name : column.name + " [" + column.unit + "]";
}

std::string shown(const StudyCell& cell) {
  if (!cell.words.empty()) return cell.words;
  if (!cell.number) return "-";
  const double number = *cell.number;
  if (!std::isfinite(number)) return "not finite";
  if (cell.all_digits) return format_param(number);
  // Whole numbers are shown with all digits, others with four.
  char text[32];
  const bool whole = std::abs(number) < 1e15 && number == std::round(number);
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.4g", number);
  return text;
}

std::string misprint_words(const StudyCell& printed) {
  return "misprint, " + shown(printed.meant) + " meant";
}

StudyTable StudyTable::comparing(std::string key, std::string title, std::vector<StudyColumn> what,
                                 const std::string& unit) {
  what.push_back({"printed", unit});
  what.push_back({"here", unit});
  what.push_back({"deviation", "%"});
  return {std::move(key), std::move(title), std::move(what), {}, true};
}

StudyTable StudyTable::comparing_misprints(std::string key, std::string title,
                                           std::vector<StudyColumn> what,
                                           const std::string& printed_unit,
                                           const std::string& unit) {
  StudyTable table = comparing(std::move(key), std::move(title), std::move(what), unit);
  const auto here = table.columns.end() - 2;
  (here - 1)->unit = printed_unit;
  table.columns.insert(here, {"meant", unit});
  table.shows_meant = true;
  return table;
}

void StudyTable::compare(std::vector<StudyCell> what, StudyCell printed, const StudyCell& here,
                         const std::string& unlike, Better better) {
  if (better != Better::none) printed.better = better;
  printed.all_digits = true;
  const std::optional<double> meant = printed.meant ? printed.meant : printed.number;
  StudyCell deviation;
  if (meant && here.number) {
    if (!unlike.empty())
      deviation.words = unlike;
    else if (printed.meant && !shows_meant)
      deviation.words = misprint_words(printed);
    else if (*meant != 0 && std::isfinite(*here.number))
      deviation.number = std::round(1e4 * (*here.number / *meant - 1)) / 100;
  }
  what.push_back(printed);
  if (shows_meant) what.emplace_back(printed.meant);
  what.push_back(here);
  what.push_back(deviation);
  rows.push_back(std::move(what));
}

std::string misprint_note(const std::string& where, const PrintedNumber& number) {
  return where + ": " + shown(number.as_printed) + " as printed, " + shown(number.meant) +
         " meant: " + number.why + ".";
}

std::string table_text(const StudyTable& table) {
  std::vector<std::vector<std::string>> lines(1);
  for (const StudyColumn& column : table.columns) lines[0].push_back(heading(column));
  for (const auto& row : table.rows) {
    lines.emplace_back();
    for (const StudyCell& cell : row) lines.back().push_back(shown(cell));
  }
  std::vector<std::size_t> width(table.columns.size());
  for (const auto& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c) width[c] = std::max(width[c], width_of(line[c]));
  std::string text = table.title + "\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line;
    for (std::size_t c = 0; c < lines[i].size(); ++c) {
      const std::string pad(width[c] - width_of(lines[i][c]), ' ');
      const std::size_t like = i == 0 ? 0 : i - 1;  // headings are aligned like the first row
      const bool left = !table.rows.empty() && !table.rows[like][c].words.empty();
      line += "  " + (left ? lines[i][c] + pad : pad + lines[i][c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string table_csv(const StudyTable& table, const std::vector<std::string>& comments) {
  std::string csv;
  for (const std::string& line : comments) csv += csv_comment(line);
  csv += csv_comment(table.title);
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    csv += (c > 0 ? "," : "") + csv_field(heading(table.columns[c]));
  csv += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) csv += ",";
      csv += row[c].words.empty() && row[c].number ? csv_number(*row[c].number)
                                                   : csv_field(row[c].words);
    }
    csv += "\n";
  }
  return csv;
}

std::string chart_csv(const StudyChart& chart, const std::vector<std::string>& comments) {
  std::string csv;
  for (const std::string& line : comments) csv += csv_comment(line);
  csv += csv_comment(chart.title);
  csv += "curve," + csv_field(chart.x_label) + "," + csv_field(chart.y_label) + "\n";
  for (const StudyCurve& curve : chart.curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      csv += csv_field(curve.name) + "," + csv_number(curve.x[i]) + "," + csv_number(curve.y[i]) +
             "\n";
  return csv;
}

}  // namespace gantry
