#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace gantry::test {

/// A scan and a grid on which the contract of projectors is tested.
struct ScanCase {
  std::string name;
  std::shared_ptr<const ScanGeometry> geometry;
  VolumeGrid grid;
};

inline ScanSpec fan_spec(int views, int columns, double pitch_mm) {
  ScanSpec spec;
  spec.beam = Beam::fan;
  spec.source_to_isocenter_mm = 200;
  spec.source_to_detector_mm = 300;
  spec.detector_columns = columns;
  spec.column_pitch_mm = spec.row_pitch_mm = pitch_mm;
  spec.central_column = 0.5 * (columns - 1);
  spec.view_angles_rad = angles_from_degrees(0.7, 360.0 / views, views);
  return spec;
}

/// A cone beam of 20 columns and 12 rows, off its centre along z.
inline ScanSpec cone_spec(int views = 7) {
  ScanSpec spec = fan_spec(views, 20, 7);
  spec.beam = Beam::cone;
  spec.detector_rows = 12;
  spec.central_row = 5.25;
  spec.row_pitch_mm = 6;
  return spec;
}

inline std::shared_ptr<const ScanGeometry> share(ScanSpec spec) {
  return std::make_shared<const ScanGeometry>(std::move(spec));
}

/// Returns ordinary scans first, then special ones: views on the axes, a single column, view or
/// voxel, cells much wider and much narrower than voxels, offsets that leave half of the object
/// outside, an off-centre grid, rays that miss the grid.
inline std::vector<ScanCase> scan_cases() {
  std::vector<ScanCase> cases;
  const VolumeGrid square = VolumeGrid::centered(32, 32, 1, {2, 2, 2});
  const auto add = [&](std::string name, ScanSpec spec, VolumeGrid grid) {
    cases.push_back({std::move(name), share(std::move(spec)), grid});
  };

  const ScanSpec fan = fan_spec(20, 48, 3);
  add("fan flat", fan, square);
  ScanSpec arc = fan;
  arc.detector = DetectorShape::arc;
  add("fan arc", arc, square);
  ScanSpec parallel = fan;
  parallel.beam = Beam::parallel;
  parallel.column_pitch_mm = 2;
  add("parallel", parallel, square);
  ScanSpec on_axis = parallel;
  on_axis.view_angles_rad = angles_from_degrees(0, 45, 8);
  add("parallel on the axes and diagonals", on_axis, square);
  ScanSpec fan_axis = fan;
  fan_axis.view_angles_rad = angles_from_degrees(-90, 45, 8);
  add("fan on the axes and diagonals", fan_axis, square);

  add("non-square odd grid, anisotropic pixels", fan,
      VolumeGrid::centered(31, 19, 1, {1.5, 2.5, 1}));
  VolumeGrid off_centre = VolumeGrid::centered(16, 20, 1, {2, 1.5, 1});
  off_centre.origin_mm = off_centre.origin_mm + Vec3{13, -9, 4};
  add("grid off the axis", arc, off_centre);
  ScanSpec offset = fan;
  offset.central_column = 3.25;
  add("detector offset by half its width", offset, square);
  add("one column", fan_spec(7, 1, 5), square);
  add("one view", fan_spec(1, 48, 3), square);
  add("one voxel", fan, VolumeGrid::centered(1, 1, 1, {5, 5, 5}));
  add("cells wider than five voxels", fan_spec(9, 8, 17), square);
  add("cells narrower than a fifth of a voxel", fan_spec(9, 300, 0.4),
      VolumeGrid::centered(13, 12, 1, {4, 4, 4}));
  ScanSpec narrow = fan_spec(6, 10, 1);
  narrow.central_column = 200;
  add("every ray misses", narrow, VolumeGrid::centered(8, 8, 1, {2, 2, 2}));
  ScanSpec far_angles = parallel;
  far_angles.view_angles_rad = angles_from_degrees(16740.45, 9, 20);
  add("angles near 16740 degrees", far_angles, square);

  ScanSpec stack = fan;
  stack.detector_rows = 5;
  stack.central_row = 2;
  stack.row_pitch_mm = 2;
  add("fan stack, rows aligned with slices", stack, VolumeGrid::centered(20, 20, 5, {3, 3, 2}));
  ScanSpec parallel_stack = parallel;
  parallel_stack.detector_rows = 4;
  parallel_stack.central_row = 1.3;
  parallel_stack.row_pitch_mm = 2.7;
  add("parallel stack, rows across slices", parallel_stack,
      VolumeGrid::centered(20, 17, 6, {3, 3, 2}));
  ScanSpec cone = fan_spec(9, 20, 7);
  cone.beam = Beam::cone;
  cone.detector_rows = 12;
  cone.central_row = 5.5;
  cone.row_pitch_mm = 6;
  add("cone flat", cone, VolumeGrid::centered(16, 18, 10, {4, 4, 3}));
  cone.detector = DetectorShape::arc;
  cone.central_row = 4.75;
  cone.central_column = 8.25;
  add("cone arc with offsets", cone, VolumeGrid::centered(16, 18, 10, {4, 4, 3}));
  ScanSpec tall = cone;
  tall.row_pitch_mm = 40;
  tall.detector_rows = 2;
  tall.central_row = 0.5;
  add("cone, rows taller than three voxels", tall, VolumeGrid::centered(16, 18, 30, {4, 4, 3}));
  add("cone, one slice", cone, VolumeGrid::centered(16, 18, 1, {4, 4, 3}));
  ScanSpec helical = cone;
  helical.trajectory = Trajectory::helical;
  helical.helical_feed_mm_per_turn = 16;
  helical.view_angles_rad = angles_from_degrees(-360, 50, 15);
  add("helical arc with offsets", helical, VolumeGrid::centered(16, 18, 14, {4, 4, 3}));
  helical.detector = DetectorShape::flat;
  helical.helical_feed_mm_per_turn = -25;
  add("helical flat, downwards", helical, VolumeGrid::centered(18, 16, 14, {4, 4, 3}));
  return cases;
}

/// Returns the same views as free poses; for flat detectors only.
inline ScanSpec as_poses(const ScanSpec& spec) {
  ScanSpec result = spec;
  result.trajectory = Trajectory::poses;
  const ScanGeometry geometry(spec);
  for (int v = 0; v < geometry.views(); ++v) result.poses.push_back(geometry.view(v));
  return result;
}

/// Returns scans with free poses, which a projector may refuse: a detector that is shifted, tilted
/// and skewed differently in each view, and a parallel beam that is not perpendicular to its
/// detector.
inline std::vector<ScanCase> pose_cases() {
  ScanSpec cone = fan_spec(9, 20, 7);
  cone.beam = Beam::cone;
  cone.detector_rows = 12;
  cone.central_row = 5.25;
  cone.row_pitch_mm = 6;
  ScanSpec parallel = cone;
  parallel.beam = Beam::parallel;
  parallel.column_pitch_mm = parallel.row_pitch_mm = 3.7;
  std::vector<ScanCase> cases;
  for (ScanSpec spec : {as_poses(cone), as_poses(parallel)}) {
    double i = 0;
    for (View& pose : spec.poses) {
      i += 1;
      pose.source_mm = (200 / norm(pose.source_mm)) * pose.source_mm;
      pose.source_mm = pose.source_mm + Vec3{0.2 * i, -0.1 * i, 0.3 - 0.05 * i};
      pose.detector_mm = pose.detector_mm + Vec3{-0.4 * i, 0.3, 0.5 * i};
      pose.u_mm = pose.u_mm + Vec3{0.1 * i, 0, 0.07 * i};
      pose.v_mm = pose.v_mm + Vec3{0.05 * i, 0.1 * i, -0.02 * i};
    }
    const bool diverges = spec.beam == Beam::cone;
    cases.push_back({diverges ? "free poses, cone" : "free poses, parallel", share(spec),
                     VolumeGrid::centered(16, 18, 10, {4, 4, 3})});
  }
  return cases;
}

/// Returns a parallel scan in which the outermost rays of the diagonal views cut 0.006 mm off a
/// corner of the grid, 1e-4 of the usual chord.
inline ScanCase grazing_case() {
  const VolumeGrid grid = VolumeGrid::centered(8, 8, 1, {5, 5, 5});
  ScanSpec spec = fan_spec(12, 9, (20 * std::sqrt(2.0) - 0.003) / 4);
  spec.beam = Beam::parallel;
  spec.view_angles_rad = angles_from_degrees(45, 30, 12);
  return {"grazing", share(spec), grid};
}

inline std::vector<float> random_values(std::size_t count, unsigned seed, float low = 0,
                                        float high = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(engine);
  return values;
}

}  // namespace gantry::test
