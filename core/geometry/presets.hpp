#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// A scanner from the literature, with the grid used there.
struct ScanPreset {
  std::string key;        ///< name on the command line: "ge_ct750"
  std::string label;      ///< name on screen
  std::string reference;  ///< source of the numbers, and which of them are assumed
  ScanSpec scan;
  VolumeGrid grid;
};

/// Returns all presets, in the order of lists.
const std::vector<ScanPreset>& scan_presets();

/// Returns the preset of this key. Throws UsageError, listing all keys, if there is none.
const ScanPreset& scan_preset(std::string_view key);

/// Returns the preset with this scan and this grid, or null if there is none.
const ScanPreset* find_preset(const ScanSpec& scan, const VolumeGrid& grid);

}  // namespace gantry
