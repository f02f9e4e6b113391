// The scans of the contract of matrix formats.
#pragma once

#include "tests/support/scans.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gantry::test {

/// Returns the special scans of the projectors, and scans with symmetries, because some formats
/// require symmetries.
inline std::vector<ScanCase> matrix_cases() {
  std::vector<ScanCase> cases = scan_cases();
  const auto add = [&](const std::string& name, Beam beam, int views, double first, double span,
                       int columns, VolumeGrid grid) {
    ScanSpec spec = fan_spec(views, columns, 3);
    spec.beam = beam;
    spec.detector = beam == Beam::fan ? DetectorShape::arc : DetectorShape::flat;
    spec.view_angles_rad = angles_from_degrees(first * span / views, span / views, views);
    cases.push_back({"symmetric, " + name, share(std::move(spec)), grid});
  };
  const VolumeGrid even = VolumeGrid::centered(20, 20, 1, {2, 2, 2}),
                   odd = VolumeGrid::centered(17, 17, 1, {2, 2, 2});
  add("8 views off the axes", Beam::fan, 8, 0.5, 360, 24, even);
  add("16 views from the axis", Beam::fan, 16, 0, 360, 25, odd);
  add("12 views off the axes", Beam::fan, 12, 0.5, 360, 23, odd);
  add("20 views from the axis", Beam::fan, 20, 0, 360, 24, even);
  add("parallel, half a turn", Beam::parallel, 8, 0.5, 180, 22, even);
  add("not square", Beam::fan, 8, 0.5, 360, 24, VolumeGrid::centered(20, 14, 1, {2, 2, 2}));
  ScanSpec cone = fan_spec(12, 15, 5);
  cone.beam = Beam::cone;
  cone.detector_rows = 7;
  cone.central_row = 3;
  cone.view_angles_rad = angles_from_degrees(15, 30, 12);
  cases.push_back({"symmetric, in space", share(cone), VolumeGrid::centered(12, 12, 5, {3, 3, 4})});
  return cases;
}

/// Returns scans of matrices with about a million nonzeros.
inline std::vector<ScanCase> large_matrix_cases() {
  ScanSpec plane = fan_spec(96, 160, 1);
  plane.view_angles_rad = angles_from_degrees(0.5 * 3.75, 3.75, 96);
  ScanSpec stack = fan_spec(48, 80, 2);
  stack.beam = Beam::parallel;
  stack.detector_rows = 8;
  stack.central_row = 3.5;
  stack.view_angles_rad = angles_from_degrees(0.5 * 3.75, 3.75, 48);
  ScanSpec cone = fan_spec(24, 48, 2);
  cone.beam = Beam::cone;
  cone.detector_rows = 24;
  cone.central_row = 11.5;
  cone.view_angles_rad = angles_from_degrees(7.5, 15, 24);
  return {{"plane", share(std::move(plane)), VolumeGrid::centered(96, 96, 1, {1, 1, 1})},
          {"stack", share(std::move(stack)), VolumeGrid::centered(64, 64, 8, {2, 2, 2})},
          {"cone", share(std::move(cone)), VolumeGrid::centered(32, 32, 20, {2, 2, 2})}};
}

}  // namespace gantry::test
