#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// A scanner of the literature, with the grid that goes with it.
struct ScanPreset {
  std::string key;        ///< as on the command line: "ge_ct750"
  std::string label;      ///< as on screen
  std::string reference;  ///< where the numbers are from, and which of them are assumed
  ScanSpec scan;
  VolumeGrid grid;
};

const std::vector<ScanPreset>& scan_presets();

/// Throws UsageError naming those that there are.
const ScanPreset& scan_preset(std::string_view key);

/// The preset with this scan and this grid; null when it is none of them.
const ScanPreset* find_preset(const ScanSpec& scan, const VolumeGrid& grid);

}  // namespace gantry
