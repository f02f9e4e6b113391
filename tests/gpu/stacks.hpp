// Scans of several slices that share their weights, of sizes that are no multiple of a block.
#pragma once

#include "tests/support/scans.hpp"

namespace gantry::test {

/// A fan or parallel beam; images of 37 x 43 pixels unless told.
inline ScanCase stack_of(int slices, Beam beam = Beam::fan, int views = 24, int columns = 50,
                         int nx = 37, int ny = 43) {
  ScanSpec spec = fan_spec(views, columns, 3);
  spec.beam = beam;
  if (beam == Beam::parallel) spec.column_pitch_mm = 2;
  spec.detector_rows = slices;
  spec.central_row = 0.5 * (slices - 1);
  spec.row_pitch_mm = 1.5;
  return {std::to_string(slices) + " slices", share(spec),
          VolumeGrid::centered(nx, ny, slices, {2, 2, 1.5})};
}

}  // namespace gantry::test
