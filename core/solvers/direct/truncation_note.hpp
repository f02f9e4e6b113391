#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <span>
#include <string>

namespace gantry {

/// Returns a warning if the rows of line_integrals[view][row][column] do not end in air, as of an
/// object wider than the detector, else an empty text. Of a full turn whose axis lies off the
/// middle of the detector the wider side alone has to. Looks at a sample of the rows. `to_expect`:
/// what follows for rows that will be padded (expected_of_padding()); empty: they stay as they are.
std::string truncation_note(const ScanGeometry& geometry, std::span<const float> line_integrals,
                            const std::string& to_expect = {});

/// Returns the warning for a scan whose rows did not end in air before columns were added to them
/// (LoadedScan::hides_cut_rows).
std::string hidden_truncation_note();

}  // namespace gantry
