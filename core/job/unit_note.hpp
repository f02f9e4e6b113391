#pragma once

#include <string>

namespace gantry {

/// Returns the note about a file without a unit whose values, taken as 1/mm, reach `value`, which
/// no material has: the file probably holds HU (SourceSpec::values_are_hu).
std::string doubtful_unit_note(const std::string& file, double value);

/// Returns whether a note is one of these. A window offers to take the values as HU instead.
bool doubts_unit(const std::string& note);

/// Returns the line about files that are made of a scan whose cells are of unknown size: readers
/// take their lengths and values for those of a patient.
std::string unknown_lengths_note();

}  // namespace gantry
