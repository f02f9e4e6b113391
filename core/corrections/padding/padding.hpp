#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// What columns show that are added to a detector: the value of the outermost measured cell of the
/// row, faded to 0 or repeated; or 0.
enum class PadValues { fade, edge, zero };

/// Columns that are added at both ends of a detector, so that filters see rows that do not break
/// off where the object is wider than the detector. Added after the corrections, which look at
/// measured cells alone.
struct Padding {
  int columns = 0;  ///< at each end; 0: none
  PadValues values = PadValues::fade;

  friend bool operator==(const Padding&, const Padding&) = default;
};

/// Returns the geometry of a scan with the columns that are added; the measured cells stay where
/// they are. Throws UsageError for a detector that becomes too wide.
std::shared_ptr<const ScanGeometry> padded(std::shared_ptr<const ScanGeometry> measured,
                                           const Padding& padding);
/// Returns the geometry that padded() would turn into this one.
ScanSpec without_padding(ScanSpec spec, const Padding& padding);

/// Adds columns to line integrals, [view][row][column] of so many columns. The value d columns
/// beyond an end fades as (1 + cos(pi d / (n + 1))) / 2, where n columns are added, but at most
/// over a third of the measured columns.
void pad(std::vector<float>& line_integrals, int columns, const Padding& padding);

/// Returns ", padded by 9 columns at each end" for the description of the data; nothing without.
std::string named_padding(const Padding& padding);

/// Returns what is to be expected of rows that do not end in air, where columns are added to them;
/// nothing without.
std::string expected_of_padding(const Padding& padding);

/// Returns the note on what was added, of the measured geometry; nothing without columns.
std::string padding_note(const ScanGeometry& measured, const Padding& padding);

}  // namespace gantry
