#pragma once

#include "studies/study.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// How a value here stands to a printed one.
enum class Outcome {
  reached,   ///< like for like, within verdict_tolerance
  beaten,    ///< like for like, and better by more than that
  missed,    ///< like for like, and neither
  misprint,  ///< print is wrong
  fitted,    ///< like for like, of a scan that is not in print and chosen here to fit
  unlike,    ///< not of the same quantity, method or size
  open,      ///< one of the two is no number
};

struct Verdict {
  Outcome outcome = Outcome::open;
  std::string text;  ///< "reached", "print is wrong: 16.16.16 takes 0.06; 0.07 meant: beaten"
};

/// The relative difference up to which a value counts as the printed one. Printed numbers have two
/// to four digits.
constexpr double verdict_tolerance = 0.05;

/// A row of a comparing table, taken apart.
struct Comparison {
  std::string part;  ///< of the study; otherwise the key of the table
  std::string what, unit;
  StudyCell printed, here;
  std::optional<double> ratio;  ///< here / what print means, of like for like alone
  Verdict verdict;
};

/// Takes a row of a comparing table apart.
Comparison comparison_of(const StudyTable& table, const std::vector<StudyCell>& row);

/// Returns all rows with a printed number or word: of the table "summary" if the result has one,
/// since it repeats those of the other tables, otherwise of every comparing table.
std::vector<Comparison> comparisons(const StudyResult& result);

}  // namespace gantry
