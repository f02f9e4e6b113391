#pragma once

#include "core/operator/projector.hpp"
#include "tests/support/scans.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gantry::test {

/// Larger than a block, and no multiple of one; one of everything; anisotropic; off the axis.
inline std::vector<ScanCase> odd_sizes() {
  std::vector<ScanCase> cases;
  const auto add = [&](std::string name, const ScanSpec& spec, const VolumeGrid& grid) {
    cases.push_back({std::move(name), share(spec), grid});
  };
  ScanSpec fan = fan_spec(37, 203, 1.1);
  const VolumeGrid plane = VolumeGrid::centered(129, 67, 1, {1, 1.7, 1});
  add("129 x 67 pixels, 37 views of 203 cells", fan, plane);
  fan.central_column = 61.3;
  add("the same, detector to one side", fan, plane);
  fan.beam = Beam::parallel;
  add("the same, parallel", fan, plane);
  add("one view of 203 cells", fan_spec(1, 203, 1.1), plane);
  add("one column, 131 views", fan_spec(131, 1, 1.1), plane);
  add("a row of 257 pixels", fan_spec(19, 150, 2.1), VolumeGrid::centered(257, 1, 1, {0.9, 5, 1}));
  add("a column of 257 pixels", fan_spec(19, 150, 2.1),
      VolumeGrid::centered(1, 257, 1, {5, 0.9, 1}));
  ScanSpec stack = fan_spec(23, 71, 3);
  stack.detector_rows = 33;
  stack.central_row = 16;
  stack.row_pitch_mm = 2;
  add("33 slices that share their weights", stack, VolumeGrid::centered(45, 51, 33, {2, 2, 2}));
  ScanSpec cone = stack;
  cone.beam = Beam::cone;
  cone.central_row = 13.7;
  VolumeGrid block = VolumeGrid::centered(45, 35, 37, {2.5, 3, 1.3});
  add("cone, 45 x 35 x 37 voxels", cone, block);
  block.origin_mm = block.origin_mm + Vec3{7, -11, 5};
  add("cone, off the axis", cone, block);
  cone.detector = DetectorShape::arc;
  add("cone on an arc, off the axis", cone, block);
  ScanSpec square = stack;
  square.beam = Beam::cone;
  add("voxels nearly three rows high, some beyond the detector", square,
      VolumeGrid::centered(45, 35, 37, {2.5, 3, 2.4}));
  add("rows nearly three voxels high, some beyond the volume", square,
      VolumeGrid::centered(45, 35, 37, {2.5, 3, 0.63}));
  ScanSpec flat_row = cone;
  flat_row.detector_rows = 1;
  flat_row.central_row = 0;
  add("cone of one row", flat_row, block);
  ScanSpec beside = cone;
  beside.central_column = -40;
  add("half of the rays miss", beside, block);
  return cases;
}

/// Those of one slice in these lists.
inline std::vector<ScanCase> planar_of(const std::vector<std::vector<ScanCase>>& lists) {
  std::vector<ScanCase> cases;
  for (const auto& list : lists)
    for (const ScanCase& c : list)
      if (is_planar(*c.geometry, c.grid)) cases.push_back(c);
  return cases;
}

}  // namespace gantry::test
