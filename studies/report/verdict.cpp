#include "studies/report/verdict.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

Verdict verdict_of_numbers(double here, double printed, const StudyCell& of) {
  const Better better = of.better;
  const double slack = of.exact ? 0 : verdict_tolerance * std::abs(printed);
  if (of.fitted)
    return {Outcome::fitted, std::string("the scan is not in print; chosen to fit, it ") +
                                 (std::abs(here - printed) <= slack ? "does" : "does not")};
  if (std::abs(here - printed) <= slack) return {Outcome::reached, "reached"};
  const bool is_better =
      (better == Better::smaller && here < printed) || (better == Better::larger && here > printed);
  return is_better ? Verdict{Outcome::beaten, "beaten"} : Verdict{Outcome::missed, "not reached"};
}

/// `unlike` is what stands in place of a deviation.
Verdict verdict_of(const StudyCell& printed, const StudyCell& here, const std::string& unlike) {
  if (!printed.number) return {Outcome::open, "print has no number"};
  Verdict verdict;
  if (!here.number)
    verdict.text = here.words.empty() ? "not computed here" : "no number here: " + here.words;
  else if (!unlike.empty())
    verdict = {Outcome::unlike, unlike};
  else
    verdict = verdict_of_numbers(*here.number, printed.meant.value_or(*printed.number), printed);
  if (!printed.meant) return verdict;
  return {Outcome::misprint, "print is wrong: " + printed.why_misprint + "; " +
                                 shown(*printed.meant) + " meant: " + verdict.text};
}

}  // namespace

Comparison comparison_of(const StudyTable& table, const std::vector<StudyCell>& row) {
  const std::size_t end = row.size(), what_end = end - (table.shows_meant ? 4 : 3);
  Comparison found{table.key, {}, table.columns[end - 2].unit, row[what_end], row[end - 2], {}, {}};
  for (std::size_t c = 0; c < what_end; ++c) {
    const StudyColumn& column = table.columns[c];
    if (column.name == "part") {
      found.part = row[c].words;
    } else if (column.name == "in") {
      found.unit = row[c].words;
    } else if (row[c].number || !row[c].words.empty()) {
      found.what += found.what.empty() ? "" : ", ";
      if (row[c].number) found.what += column.name + " ";
      found.what += shown(row[c]);
      if (row[c].number && !column.unit.empty()) found.what += " " + column.unit;
    }
  }
  // A misprint stands in place of a deviation where the table has no column for its meaning.
  const std::string& in_place = row.back().words;
  const bool of_misprint = found.printed.meant && in_place == misprint_words(found.printed);
  const std::string unlike = of_misprint ? "" : in_place;
  found.verdict = verdict_of(found.printed, found.here, unlike);
  if (found.printed.number && found.here.number && unlike.empty())
    if (const double meant = found.printed.meant.value_or(*found.printed.number);
        meant != 0 && std::isfinite(*found.here.number))
      found.ratio = *found.here.number / meant;
  return found;
}

std::vector<Comparison> comparisons(const StudyResult& result) {
  const auto summary = std::ranges::find(result.tables, "summary", &StudyTable::key);
  std::vector<Comparison> all;
  for (auto table = result.tables.begin(); table != result.tables.end(); ++table) {
    if (!table->compares || (summary != result.tables.end() && table != summary)) continue;
    for (const auto& row : table->rows) {
      Comparison one = comparison_of(*table, row);
      if (one.printed.number || !one.printed.words.empty()) all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace gantry
