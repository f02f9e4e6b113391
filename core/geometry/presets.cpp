// The offset of a detector is given in cells: central_column = (columns - 1) / 2 - offset.
#include "core/geometry/presets.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/geometry/default_scan.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

struct Cells {
  int columns, rows;
  double column_pitch_mm, row_pitch_mm, column_offset = 0;
};

/// Returns a scan of `views` equal steps over `turn_deg` degrees; the first view stands `start`
/// steps from 0 degrees.
ScanSpec scan(Beam beam, DetectorShape shape, double sid_mm, double sdd_mm, Cells cells, int views,
              double turn_deg, double start) {
  ScanSpec spec;
  spec.beam = beam;
  spec.detector = shape;
  spec.source_to_isocenter_mm = sid_mm;
  spec.source_to_detector_mm = sdd_mm;
  spec.detector_columns = cells.columns;
  spec.detector_rows = cells.rows;
  spec.column_pitch_mm = cells.column_pitch_mm;
  spec.row_pitch_mm = cells.row_pitch_mm;
  spec.central_column = 0.5 * (cells.columns - 1) - cells.column_offset;
  spec.central_row = 0.5 * (cells.rows - 1);
  const double step = turn_deg / views;
  spec.view_angles_rad = angles_from_degrees(start * step, step, views);
  return spec;
}

ScanSpec ct750(double offset, double start) {
  return scan(Beam::cone, DetectorShape::arc, 541, 949, {888, 64, 1.0239, 1.0963, offset}, 984, 360,
              start);
}

/// Returns a fan with SID 11.47 and SDD 12.47 image sides, whose outermost rays touch the circle
/// inscribed in the image.
ScanSpec cuart(double side_mm) {
  const double sid = 11.47 * side_mm, sdd = 12.47 * side_mm;
  const double half_fan = std::asin(0.5 * side_mm / sid), pitch = 2 * half_fan / 1024 * sdd;
  return scan(Beam::fan, DetectorShape::arc, sid, sdd, {1024, 1, pitch, pitch}, 720, 360, 0.5);
}

ScanSpec parallel(int cells, double pitch_mm, int views, double turn_deg) {
  return scan(Beam::parallel, DetectorShape::flat, 0, 0, {cells, 1, pitch_mm, pitch_mm}, views,
              turn_deg, 0);
}

/// Returns a cone beam with SID 4 and SDD 8 image sides. The panel just covers the cylinder
/// inscribed in the cube; the rim of the cylinder comes as near to the source as 3.5 image sides.
ScanSpec cumbir(double side_mm) {
  const double pitch = side_mm * 8 / 3.5 / 256;
  return scan(Beam::cone, DetectorShape::flat, 4 * side_mm, 8 * side_mm, {256, 256, pitch, pitch},
              180, 360, 0.5);
}

/// Returns a helical scan of three turns with 32 rows; each turn climbs 31 times the row height at
/// the axis.
ScanSpec helical() {
  constexpr int turns = 3, views_a_turn = 246;
  ScanSpec spec = scan(Beam::cone, DetectorShape::arc, 541, 949, {444, 32, 2.0478, 1.0963},
                       turns * views_a_turn, turns * 360.0, 0);
  spec.trajectory = Trajectory::helical;
  spec.helical_feed_mm_per_turn = 31 * 1.0963 * 541 / 949;
  const double step = 360.0 / views_a_turn;
  spec.view_angles_rad =  // symmetric about 0 degrees, i.e. z = 0
      angles_from_degrees(-0.5 * step * (turns * views_a_turn - 1), step, turns * views_a_turn);
  return spec;
}

VolumeGrid grid(int side, int slices, double pixel_mm, double slice_mm) {
  return VolumeGrid::centered(side, side, slices, {pixel_mm, pixel_mm, slice_mm});
}

/// Returns a grid whose slices cover the part of the axis that the helix sees.
VolumeGrid grid_along(const ScanSpec& spec, int side, double pixel_mm) {
  const VolumeGrid all = default_grid(ScanGeometry(spec));
  return grid(side, all.nz, pixel_mm, all.spacing_mm.z);
}

// One line per preset.
// clang-format off
std::vector<ScanPreset> make_presets() {
  return {
    {"head_fan", "Fan around a head", "512 cells, 720 views, distances of 4 and 6 radii of a head; made for this program", default_scan(128, 0), grid(512, 1, 0.5, 0.5)},
    {"ge_ct750", "GE CT750 HD", "Liu, Fu, De Man, Yu 2017, IEEE TCI 3(4): 888 x 64 cells, arc, offset by -1.25 cells, 984 views; the start is assumed", ct750(-1.25, 0), grid(512, 64, 500.0 / 512, 0.625)},
    {"ge_ct750_symmetric", "GE CT750 HD, symmetric twin", "The same without offset, half a step further: all symmetries hold", ct750(0, 0.5), grid(512, 64, 500.0 / 512, 0.625)},
    {"cuart", "cuART, nearly parallel fan", "Yu, Wang, Feng, Gong, Cao 2019: 1024 rays, 720 views; distance (11.47 image sides) and field (inscribed circle) fitted to its tables, the side of 512 mm is free", cuart(512), grid(1024, 1, 0.5, 0.5)},
    {"p3_256", "Matrix approach, 256² parallel", "Chen, Zhang, Yan et al., Matrix Approach for Processing of Iterative Reconstruction on Cone Beam CT: 256 cells, 180 views; half a turn and 1.59 pixels a cell fitted to its tables", parallel(256, 1.59, 180, 180), grid(256, 1, 1, 1)},
    {"p4_512", "Tensor cores, 512² parallel", "Nourazar, Goossens 2021, Accelerating iterative CT reconstruction algorithms using Tensor Cores: 512 cells, 720 views; a whole turn and 1.26 pixels a cell fitted to its tables", parallel(512, 1.26, 720, 360), grid(512, 1, 1, 1)},
    {"cumbir_cone", "cuMBIR, 256³ cone", "Li, Liang, Zhang et al., cuMBIR: 256 x 256 cells, 180 views; distances of 4 and 8 image sides are assumed", cumbir(256), grid(256, 256, 1, 1)},
    {"helical", "Helical, 32 rows, three turns", "After the 32-row helical scan of Liu, Fu, De Man, Yu 2017 (pitch 31/32), with half the columns and a quarter of the views", helical(), grid_along(helical(), 256, 500.0 / 256)},
  };
}
// clang-format on

}  // namespace

const std::vector<ScanPreset>& scan_presets() {
  static const std::vector<ScanPreset> presets = make_presets();
  return presets;
}

const ScanPreset& scan_preset(std::string_view key) {
  const auto& presets = scan_presets();
  const auto found = std::ranges::find(presets, key, &ScanPreset::key);
  if (found != presets.end()) return *found;
  throw UsageError("unknown preset \"" + std::string(key) + "\"", {},
                   "use one of " + joined(presets, &ScanPreset::key));
}

const ScanPreset* find_preset(const ScanSpec& scan, const VolumeGrid& grid) {
  for (const ScanPreset& preset : scan_presets())
    if (preset.scan == scan && preset.grid == grid) return &preset;
  return nullptr;
}

}  // namespace gantry
