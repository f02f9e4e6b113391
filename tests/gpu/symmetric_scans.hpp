#pragma once

#include "tests/support/scans.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gantry::test {

inline ScanSpec turning(int views, double start_steps, int columns, double pitch_mm,
                        double turn_degrees = 360) {
  ScanSpec spec = fan_spec(views, columns, pitch_mm);
  const double step = turn_degrees / views;
  spec.view_angles_rad = angles_from_degrees(start_steps * step, step, views);
  return spec;
}

/// Scans with symmetries: of both starts, views that are no multiple of 8, odd and even sizes.
inline std::vector<ScanCase> symmetric_cases() {
  std::vector<ScanCase> cases;
  const auto add = [&](std::string name, const ScanSpec& spec, int pixels, double mm) {
    cases.push_back(
        {std::move(name), share(spec), VolumeGrid::centered(pixels, pixels, 1, {mm, mm, 1})});
  };
  add("flat fan, half a step, 24 views", turning(24, 0.5, 61, 2.2), 53, 1.3);
  add("flat fan, on the axis, 24 views", turning(24, 0, 60, 2.2), 53, 1.3);
  add("flat fan, on the axis, 20 views", turning(20, 0, 61, 2.2), 40, 1.7);
  add("flat fan, half a step, 12 views", turning(12, 0.5, 61, 2.2), 97, 0.7);
  ScanSpec arc = turning(16, 0.5, 75, 2);
  arc.detector = DetectorShape::arc;
  add("arc fan, 16 views", arc, 131, 0.6);
  arc.central_column += 1.25;
  add("arc fan, detector offset: turns alone", arc, 131, 0.6);
  ScanSpec offset = turning(20, 0.3, 61, 2.2);
  add("flat fan, first view beside the axis: turns alone", offset, 50, 1.3);
  add("flat fan, 10 views: half a turn and mirrors", turning(10, 0, 61, 2.2), 50, 1.3);
  ScanSpec parallel = turning(24, 0.5, 85, 1, 180);
  parallel.beam = Beam::parallel;
  add("parallel over half a turn", parallel, 49, 1.3);
  parallel.column_pitch_mm = 0.4;
  add("parallel, cells narrower than pixels, rays that see a part", parallel, 49, 1.3);
  add("one column", turning(8, 0.5, 1, 2.2), 33, 1.3);
  add("wide fan", turning(8, 0.5, 301, 1), 200, 0.9);
  return cases;
}

}  // namespace gantry::test
