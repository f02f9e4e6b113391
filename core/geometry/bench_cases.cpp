#include "core/geometry/bench_cases.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/geometry/presets.hpp"

#include <functional>
#include <sstream>

namespace gantry {

namespace {

/// Returns a fan beam on a flat detector: image width 512 mm, SID 1024 mm, SDD 1536 mm, 720 views.
/// With the default first_degrees the views stand half a step beside the axes, so that all eight
/// symmetries hold.
BenchCase fan(const std::string& name, int side, int slices, int columns, double pitch_mm,
              double first_degrees = 0.25) {
  ScanSpec spec;
  spec.beam = Beam::fan;
  spec.source_to_isocenter_mm = 1024;
  spec.source_to_detector_mm = 1536;
  spec.detector_columns = columns;
  spec.detector_rows = slices;
  spec.column_pitch_mm = pitch_mm;
  spec.row_pitch_mm = 1;
  spec.central_column = 0.5 * (columns - 1);
  spec.central_row = 0.5 * (slices - 1);
  spec.view_angles_rad = angles_from_degrees(first_degrees, 0.5, 720);
  const double pixel = 512.0 / side;
  return {name, std::make_shared<const ScanGeometry>(spec),
          VolumeGrid::centered(side, side, slices, {pixel, pixel, 1})};
}

/// Returns the scan of a diagnostic CT scanner: SID 541 mm, SDD 949 mm, 888 x 64 cells, 984 views.
BenchCase diagnostic(const std::string& name, DetectorShape shape) {
  ScanSpec spec;
  spec.beam = Beam::cone;
  spec.detector = shape;
  spec.source_to_isocenter_mm = 541;
  spec.source_to_detector_mm = 949;
  spec.detector_columns = 888;
  spec.detector_rows = 64;
  spec.column_pitch_mm = 1.0239;
  spec.row_pitch_mm = 1.0963;
  spec.central_column = 443.5;
  spec.central_row = 31.5;
  spec.view_angles_rad = angles_from_degrees(0.5 * 360 / 984, 360.0 / 984, 984);
  return {name, std::make_shared<const ScanGeometry>(spec),
          VolumeGrid::centered(512, 512, 64, {0.9766, 0.9766, 0.625})};
}

/// Returns a cone beam on a flat panel: a cube of 512 mm with `side` voxels along each axis, and a
/// square panel of 1024 mm with `cells` cells along each side.
BenchCase panel(const std::string& name, int side, int cells, int views) {
  ScanSpec spec;
  spec.beam = Beam::cone;
  spec.source_to_isocenter_mm = 1024;
  spec.source_to_detector_mm = 1536;
  spec.detector_columns = spec.detector_rows = cells;
  spec.column_pitch_mm = spec.row_pitch_mm = 1024.0 / cells;
  spec.central_column = spec.central_row = 0.5 * (cells - 1);
  spec.view_angles_rad = angles_from_degrees(0.5 * 360 / views, 360.0 / views, views);
  const double voxel = 512.0 / side;
  return {name, std::make_shared<const ScanGeometry>(spec),
          VolumeGrid::centered(side, side, side, {voxel, voxel, voxel})};
}

/// Returns the scan of a preset on its grid.
BenchCase whole(const std::string& name, const char* preset) {
  const ScanPreset& from = scan_preset(preset);
  return {name, std::make_shared<const ScanGeometry>(from.scan), from.grid};
}

/// Returns a single-slice scan with the distances and the image width of a preset, on side x side
/// pixels. A cone beam becomes a fan beam of 720 views and 1024 columns over the same detector
/// width, with the first view half a step from the axis.
BenchCase slice_of(const std::string& name, const char* preset, int side) {
  const ScanPreset& from = scan_preset(preset);
  ScanSpec spec = from.scan;
  const double width = from.grid.nx * from.grid.spacing_mm.x, pixel = width / side;
  if (spec.beam == Beam::cone) {
    spec.beam = Beam::fan;
    spec.detector_rows = 1;
    spec.central_row = 0;
    spec.column_pitch_mm *= 1.0 * spec.detector_columns / 1024;
    spec.detector_columns = 1024;
    spec.central_column = 511.5;
    spec.view_angles_rad = angles_from_degrees(0.25, 0.5, 720);
  }
  return {name, std::make_shared<const ScanGeometry>(spec),
          VolumeGrid::centered(side, side, 1, {pixel, pixel, 1})};
}

/// Returns the scan of slice_of() for a stack of slices; each slice is measured by its own detector
/// row.
BenchCase stack_of(const std::string& name, const char* preset, int side, int slices) {
  const BenchCase slice = slice_of(name, preset, side);
  ScanSpec spec = slice.geometry->spec();
  spec.detector_rows = slices;
  spec.central_row = 0.5 * (slices - 1);
  spec.row_pitch_mm = slice.grid.spacing_mm.z;
  return {name, std::make_shared<const ScanGeometry>(spec),
          VolumeGrid::centered(side, side, slices, slice.grid.spacing_mm)};
}

/// Returns the scan of "Matrix approach for processing of iterative reconstruction on cone beam CT"
/// (Chen et al.): 180 parallel views; `cells` cells span the same width for every image size. The
/// matrix sizes that the paper states for 512 pixels a side correspond to 1024 cells.
BenchCase matrix_approach(const std::string& name, int side, int cells) {
  const ScanPreset& from = scan_preset("p3_256");
  ScanSpec spec = from.scan;
  spec.column_pitch_mm *= 1.0 * spec.detector_columns / cells;
  spec.detector_columns = cells;
  spec.central_column = 0.5 * (cells - 1);
  const double pixel = from.grid.nx * from.grid.spacing_mm.x / side;
  return {name, std::make_shared<const ScanGeometry>(spec),
          VolumeGrid::centered(side, side, 1, {pixel, pixel, pixel})};
}

/// Returns the scan of "Accelerating iterative CT reconstruction algorithms using Tensor Cores"
/// (Nourazar and Goossens) as the preset has it, for slices that share their weights. The first
/// view stands half a step beside the axis, so that all eight symmetries hold.
BenchCase tensor_cores(const std::string& name, int side, int slices) {
  const ScanPreset& from = scan_preset("p4_512");
  ScanSpec spec = from.scan;
  spec.detector_rows = slices;
  spec.row_pitch_mm = 1;
  spec.central_row = 0.5 * (slices - 1);
  spec.view_angles_rad = angles_from_degrees(0.25, 0.5, 720);
  const double pixel = from.grid.nx * from.grid.spacing_mm.x / side;
  return {name, std::make_shared<const ScanGeometry>(spec),
          VolumeGrid::centered(side, side, slices, {pixel, pixel, 1})};
}

}  // namespace

std::vector<BenchCase> bench_cases(const std::string& names) {
  const std::vector<std::pair<std::string, std::function<BenchCase()>>> known = {
      {"A", [] { return fan("A", 512, 1, 512, 1.6); }},
      {"A-any", [] { return fan("A-any", 512, 1, 512, 1.6, 0.1); }},
      {"A32", [] { return fan("A32", 512, 32, 512, 1.6); }},
      {"B1024", [] { return fan("B1024", 1024, 1, 1024, 0.8); }},
      {"B2048", [] { return fan("B2048", 2048, 1, 1024, 0.8); }},
      {"C", [] { return diagnostic("C", DetectorShape::arc); }},
      {"C-flat", [] { return diagnostic("C-flat", DetectorShape::flat); }},
      {"cone64", [] { return panel("cone64", 64, 96, 180); }},
      {"cone128", [] { return panel("cone128", 128, 192, 180); }},
      {"cone128x360", [] { return panel("cone128x360", 128, 192, 360); }},
      {"cone256", [] { return panel("cone256", 256, 384, 360); }},
      {"cumbir", [] { return whole("cumbir", "cumbir_cone"); }},
      {"D", [] { return panel("D", 512, 512, 360); }},
      {"E", [] { return panel("E", 1024, 1024, 720); }},
      {"near512", [] { return slice_of("near512", "cuart", 512); }},
      {"near512x8", [] { return stack_of("near512x8", "cuart", 512, 8); }},
      {"near512x32", [] { return stack_of("near512x32", "cuart", 512, 32); }},
      {"near1024", [] { return slice_of("near1024", "cuart", 1024); }},
      {"near2048", [] { return slice_of("near2048", "cuart", 2048); }},
      {"ge512", [] { return slice_of("ge512", "ge_ct750_symmetric", 512); }},
      {"ge1024", [] { return slice_of("ge1024", "ge_ct750_symmetric", 1024); }},
      {"ge2048", [] { return slice_of("ge2048", "ge_ct750_symmetric", 2048); }},
      {"p3-256", [] { return matrix_approach("p3-256", 256, 256); }},
      {"T1", [] { return tensor_cores("T1", 512, 1); }},
      {"T8", [] { return tensor_cores("T8", 512, 8); }},
      {"T32", [] { return tensor_cores("T32", 512, 32); }},
      {"T64", [] { return tensor_cores("T64", 512, 64); }},
      {"T128", [] { return tensor_cores("T128", 512, 128); }},
      {"T32-256", [] { return tensor_cores("T32-256", 256, 32); }},
      {"T32-1024", [] { return tensor_cores("T32-1024", 1024, 32); }},
      {"p3-512", [] { return matrix_approach("p3-512", 512, 1024); }},
  };
  std::vector<BenchCase> cases;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    const auto found = std::ranges::find(known, name, [](const auto& one) { return one.first; });
    if (found == std::ranges::end(known))
      throw UsageError("unknown case \"" + name + "\"", "--case",
                       "use one of " + joined(known, [](const auto& one) { return one.first; }));
    cases.push_back(found->second());
  }
  return cases;
}

}  // namespace gantry
