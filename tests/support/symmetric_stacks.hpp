#pragma once

#include "tests/support/scans.hpp"

#include <string>
#include <vector>

namespace gantry::test {

/// Returns a stack of slices that share their weights, on a scan with 8, 4 or 2 symmetry elements.
/// `kind` begins with the beam; further words change the scan. `start` is the first angle in steps
/// between views.
inline ScanCase symmetric_stack(const std::string& kind, int slices, int views = 16,
                                double start = 0.5, int columns = 29, int side = 21) {
  const auto is = [&](const char* what) { return kind.find(what) != std::string::npos; };
  ScanSpec spec = fan_spec(views, columns, 3);
  spec.beam = is("parallel") ? Beam::parallel : Beam::fan;
  spec.detector = is("arc") ? DetectorShape::arc : DetectorShape::flat;
  if (is("parallel")) spec.column_pitch_mm = 2;
  if (is("offset")) spec.central_column -= 0.25;
  spec.detector_rows = slices;
  spec.central_row = 0.5 * (slices - 1);
  spec.row_pitch_mm = 1.5;
  const double step = (is("180") ? 180.0 : 360.0) / views;
  spec.view_angles_rad = angles_from_degrees(start * step, step, views);
  return {kind + ", " + std::to_string(views) + " views, " + std::to_string(slices) + " slices",
          share(spec),
          VolumeGrid::centered(side, is("oblong") ? side - 4 : side, slices, {2, 2, 1.5})};
}

inline std::vector<ScanCase> symmetric_stacks(int slices) {
  return {symmetric_stack("fan", slices),
          symmetric_stack("fan arc", slices, 24, 0.5, 30, 24),
          symmetric_stack("fan from the axis", slices, 16, 0),
          symmetric_stack("fan from the axis", slices, 12, 0, 30, 22),
          symmetric_stack("fan", slices, 20, 0.5, 30, 20),
          symmetric_stack("fan offset", slices, 16, 0.5),
          symmetric_stack("fan any start", slices, 16, 0.3),
          symmetric_stack("fan oblong", slices, 16, 0.5),
          symmetric_stack("fan", slices, 6, 0.5),
          symmetric_stack("parallel", slices, 16, 0.5, 30, 24),
          symmetric_stack("parallel from the axis", slices, 16, 0),
          symmetric_stack("parallel 180", slices, 8, 0.5),
          symmetric_stack("parallel 180", slices, 10, 0.5, 30, 22)};
}

}  // namespace gantry::test
