#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <vector>

namespace gantry {

/// The share of the turn that each view stands for, radians: half the gaps to its neighbours, where
/// a gap much wider than the usual step counts as a pause and not as a step. Angles are taken
/// modulo pi for a parallel beam, else modulo 2 pi.
std::vector<double> view_shares_rad(const ScanGeometry& geometry);

/// How often each ray of a fan scan was measured, over the whole scan: 1, or 2 where the opposite
/// ray lies within the scan as well. [view][column]. For a full turn every entry is 2; for a
/// parallel beam 1.
std::vector<float> ray_multiplicity(const ScanGeometry& geometry);

}  // namespace gantry
