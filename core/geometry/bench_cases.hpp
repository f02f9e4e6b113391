#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// A scan and grid on which other programs have been timed as well.
struct BenchCase {
  std::string name;
  std::shared_ptr<const ScanGeometry> geometry;
  VolumeGrid grid;
};

/// "A,C": the cases of these names. Throws UsageError naming what there is.
std::vector<BenchCase> bench_cases(const std::string& names);

}  // namespace gantry
