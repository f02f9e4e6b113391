// LEAP (github.com/LLNL/LEAP, documentation of leapctype: set_parallelbeam, set_fanbeam,
// set_conebeam, set_modularbeam, set_curvedDetector, set_volume). LEAP's angle 0 is a source at -y
// (its set_angles takes 90 degrees off), columns grow along (-sin phi, cos phi) of that angle, rows
// along z: with the same angles as here, the same world. centerRow and centerCol are the cell that
// the ray through the origin meets. In parallel and fan beams, slice and row of the same index
// belong together.
#include "core/io/exports/centred_views.hpp"
#include "core/io/exports/script_text.hpp"

#include <array>

namespace gantry {

namespace {

bool is_modular(const ScanGeometry& geometry) {
  return geometry.spec().trajectory != Trajectory::circular;
}

std::string table_of(const ScanGeometry& geometry) {
  if (!is_modular(geometry)) {
    ViewTable table("# LEAP: phi, degrees\n");
    for (int i = 0; i < geometry.views(); ++i)
      table.add(std::array{degrees(geometry.angle_rad(i))});
    return table.text();
  }
  ViewTable table(
      "# LEAP: sourcePositions moduleCenters rowVectors (to the next row) colVectors (to the next "
      "column)\n");
  for (const View& view : centred_views(geometry))
    table.add(numbers_of(
        {view.source_mm, view.detector_mm, normalized(view.v_mm), normalized(view.u_mm)}));
  return table.text();
}

constexpr const char* functions = R"py(
def model(grid):
    (nx, ny, nz), (dx, dy, dz), _ = grid
    middle = [o + (n - 1) / 2 * d for o, n, d in zip(grid.origin, grid.size, grid.spacing)]
    if abs(dx - dy) > 1e-6 * dx:
        sys.exit("LEAP's voxels are as wide along x as along y; resample the volume")
    if STACK and (nz != ROWS or slices_of_rows(grid) != list(range(ROWS))):
        sys.exit("LEAP's slices are its rows; give a volume with a slice at the height of each row")
    leap = tomographicModels()
    set_geometry(leap)
    leap.set_volume(nx, ny, nz, dx, ROW_MM if STACK else dz, *middle[:2], 0 if STACK else middle[2])
    return leap


def project(mu, grid):
    leap = model(grid)
    found = leap.allocateProjections()
    leap.project(found, np.ascontiguousarray(mu, np.float32))
    return found


def reconstruct(projections, grid, iterations):
    leap = model(grid)
    mu = leap.allocateVolume()
    projections = np.ascontiguousarray(projections, np.float32)
    if MODULAR:
        mu[:] = 0
        leap.SIRT(projections, mu, iterations)
    else:
        leap.FBP(projections, mu)
    return mu
)py";

void require_leap(const ScanGeometry& geometry) {
  const ScanSpec& spec = geometry.spec();
  if (spec.detector == DetectorShape::arc &&
      (spec.beam != Beam::cone || spec.trajectory != Trajectory::circular))
    refuse_export("LEAP", "its arc detectors are those of cone beams on a circle",
                  "export it to rtk");
  if (geometry.rotates()) return;
  if (spec.beam == Beam::parallel)
    refuse_export("LEAP", "its parallel beams turn about the axis", "export it to astra or rtk");
  require_equal_square_detectors(centred_views(geometry), "LEAP");
}

/// Returns the call that gives LEAP the geometry.
std::string geometry_call(const ScanGeometry& geometry) {
  const ScanSpec& spec = geometry.spec();
  if (is_modular(geometry))
    return "    parts = [np.ascontiguousarray(VIEW[:, i : i + 3]) for i in (0, 3, 6, 9)]\n"
           "    leap.set_modularbeam(VIEWS, ROWS, COLUMNS, ROW_MM, COLUMN_MM, *parts)\n";
  const bool is_cone = spec.beam == Beam::cone;
  // The height of a stack lies in its slices alone.
  const std::string detector = "VIEWS, ROWS, COLUMNS, ROW_MM, COLUMN_MM, " +
                               exact(is_cone ? spec.central_row : 0.5 * (spec.detector_rows - 1)) +
                               ", " + exact(spec.central_column) + ", VIEW[:, 0].copy()";
  if (spec.beam == Beam::parallel) return "    leap.set_parallelbeam(" + detector + ")\n";
  return std::string("    leap.set_") + (is_cone ? "cone" : "fan") + "beam(" + detector + ", " +
         exact(spec.source_to_isocenter_mm) + ", " + exact(spec.source_to_detector_mm) + ")\n" +
         (spec.detector == DetectorShape::arc ? "    leap.set_curvedDetector()\n" : "");
}

std::vector<ExportedText> write_leap(const ScanToExport& scan) {
  const ScanGeometry& geometry = scan.geometry;
  require_leap(geometry);
  const View first = geometry.view(0);
  const std::string table = scan.name + "_leap.txt";
  ScriptParts parts;
  parts.program = "LEAP";
  parts.requirements = "leapct, with or without CUDA: github.com/LLNL/LEAP";
  parts.conventions = "LEAP's angles, columns, rows and volumes are Gantry's, in mm and degrees; " +
                      table + "\nholds the numbers of each view.\n";
  parts.verified =
      "Verified: these numbers were held against the rays that LEAP's documentation and source "
      "give\nfor them. LEAP was not at hand, and this script was not run on it.\n";
  parts.imports = "from leapctype import tomographicModels\n";
  parts.constants =
      "VIEW = np.loadtxt(beside(\"" + table +
      "\"), ndmin=2).astype(np.float32)\nCOLUMN_MM, ROW_MM = " + exact(norm(first.u_mm)) + ", " +
      exact(norm(first.v_mm)) +
      "\nSTACK = " + truth(geometry.rotates() && geometry.beam() != Beam::cone) +
      "  # slice by slice\nMODULAR = " + truth(is_modular(geometry)) +
      "\n\n\ndef set_geometry(leap):\n" + geometry_call(geometry) + "\n";
  parts.functions = functions;
  return {{scan.name + "_leap.py", script_text(scan, parts)}, {table, table_of(geometry)}};
}

}  // namespace

ExportFormat leap_export() {
  return {"leap", "LEAP",
          "parallel; fan, flat; cone, flat and arc; helices and free poses of flat cone beams",
          write_leap};
}

}  // namespace gantry
