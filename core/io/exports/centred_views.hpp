#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Returns the views of a scan with a flat detector, with `detector_mm` in the middle of the
/// detector, between its cells (columns - 1) / 2 and (rows - 1) / 2: other programs place a
/// detector by its middle. Of a parallel beam, source_mm is 1 mm before the middle, against the
/// rays.
std::vector<View> centred_views(const ScanGeometry& geometry);

/// Throws UsageError unless columns and rows of all detectors are at right angles, and as far from
/// each other in every view, as programs demand whose detectors have one size of cells.
void require_equal_square_detectors(const std::vector<View>& views, const std::string& program);

/// Throws UsageError unless the rays of a parallel beam meet the detectors at right angles.
void require_upright_rays(const std::vector<View>& views, const std::string& program);

/// Throws UsageError: the program cannot take the scan, for `what` it has.
[[noreturn]] void refuse_export(const std::string& program, const std::string& what,
                                const std::string& remedy);

}  // namespace gantry
