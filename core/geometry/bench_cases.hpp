#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// A named scan and grid for timings; other programs have been timed on the same ones.
struct BenchCase {
  std::string name;
  std::shared_ptr<const ScanGeometry> geometry;
  VolumeGrid grid;
};

/// Returns the cases named in a comma-separated list ("A,C"). Throws UsageError, listing all names,
/// for an unknown one.
std::vector<BenchCase> bench_cases(const std::string& names);

}  // namespace gantry
