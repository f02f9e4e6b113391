// LEAP (github.com/LLNL/LEAP, documentation of leapctype: set_parallelbeam, set_fanbeam,
// set_conebeam, set_modularbeam, set_curvedDetector, set_volume; parameters.cpp in src). LEAP's
// angle 0 is a source at -y (its set_angles takes 90 degrees off), columns grow along
// (-sin phi, cos phi) of that angle, rows along z: with the same angles as here, the same world.
// centerRow and centerCol are the cell that the ray through the origin meets. In parallel and fan
// beams, slice and row of the same index belong together (z_0). On a helix the source is at height
// 0 midway between the first and the last angle (set_helicalPitch), and the volume is lowered
// instead. Free poses take cubes alone (volumeDefined makes voxels as high as wide). What lies
// farther from the axis than every view sees is not projected, unless a field of view is set
// (rFOV).
#include "core/io/exports/centred_views.hpp"
#include "core/io/exports/script_text.hpp"

#include <array>

namespace gantry {

namespace {

/// Returns the height of the source midway between the first and the last angle, where LEAP has 0.
double middle_height_mm(const ScanGeometry& geometry) {
  return geometry.rotates() ? 0.5 * (geometry.view(0).source_mm.z +
                                     geometry.view(geometry.views() - 1).source_mm.z)
                            : 0.0;
}

std::string table_of(const ScanGeometry& geometry) {
  if (geometry.rotates()) {
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
def at_rows(mu, grid):
    """Returns the slices at the heights of the rows, which LEAP takes row by row."""
    return np.stack([0 * mu[0] if k is None else mu[k] for k in slices_of_rows(grid)])


def resliced(mu, height, slices, to):
    """Returns mu in so many slices, `to` high instead, about the same middle: means of mu."""
    total = np.concatenate([0 * mu[:1], np.cumsum(mu, axis=0, dtype=float)])
    edges = (np.arange(slices + 1) - slices / 2) * to / height + len(mu) / 2
    edges = np.clip(edges, 0, len(mu))
    low = np.minimum(edges.astype(int), len(mu) - 1)
    part = (edges - low)[:, None, None]
    return np.diff((1 - part) * total[low] + part * total[low + 1], axis=0) * height / to


def slices_in_leap(grid):
    """Returns the number of slices that LEAP takes for a grid, and their height."""
    (_, _, nz), (dx, _, dz), _ = grid
    if STACK:
        return ROWS, ROW_MM
    return (int(np.ceil(nz * dz / dx - 1e-6)), dx) if MODULAR else (nz, dz)


def model(grid):
    (nx, ny, _), (dx, dy, _), _ = grid
    x, y, z = [o + (n - 1) / 2 * d for o, n, d in zip(grid.origin, grid.size, grid.spacing)]
    if abs(dx - dy) > 1e-6 * dx:
        sys.exit("LEAP's voxels are as wide along x as along y; resample the volume")
    leap = tomographicModels()
    set_geometry(leap)
    slices, height = slices_in_leap(grid)
    leap.set_volume(nx, ny, slices, dx, height, x, y, 0 if STACK else z - HEIGHT)
    return leap


def project(mu, grid):
    leap = model(grid)
    # What not every view sees counts too: LEAP leaves it out otherwise.
    sides = list(zip(grid.origin, grid.spacing, grid.size))[:2]
    leap.set_diameterFOV(2 * np.hypot(*[max(abs(o - d / 2), abs(o - d / 2 + n * d))
                                        for o, d, n in sides]))
    slices, height = slices_in_leap(grid)
    if STACK:
        mu = at_rows(mu, grid)
    elif (slices, height) != (len(mu), grid.spacing[2]):
        mu = resliced(mu, grid.spacing[2], slices, height)
    found = leap.allocateProjections()
    leap.project(found, np.ascontiguousarray(mu, np.float32))
    return found


def is_beside():
    """Returns whether views of a whole turn see the axis beside the middle of the detector."""
    turns = not MODULAR and VIEWS > 1 and np.ptp(VIEW[:, 0]) * VIEWS / (VIEWS - 1) > 359
    return bool(turns and abs(CENTRE - (COLUMNS - 1) / 2) > COLUMNS / 20)


def reconstruct(projections, grid, iterations):
    leap = model(grid)
    found = leap.allocateVolume()
    projections = np.ascontiguousarray(projections, np.float32)
    if MODULAR:
        found[:] = 0
        leap.SIRT(projections, found, iterations)
        return resliced(found, grid.spacing[0], grid.size[2], grid.spacing[2])
    leap.set_offsetScan(is_beside())
    leap.FBP(projections, found)
    if not STACK:
        return found
    mu = np.zeros(grid.size[::-1], np.float32)
    for row, k in enumerate(slices_of_rows(grid)):
        if k is not None:
            mu[k] = found[row]
    return mu
)py";

void require_leap(const ScanGeometry& geometry) {
  const ScanSpec& spec = geometry.spec();
  if (spec.detector == DetectorShape::arc &&
      (spec.beam != Beam::cone || spec.trajectory == Trajectory::poses))
    refuse_export("LEAP", "its arc detectors are those of cone beams on a circle or helix",
                  "export it to rtk");
  if (geometry.rotates()) return;
  if (spec.beam == Beam::parallel)
    refuse_export("LEAP", "its parallel beams turn about the axis", "export it to astra or rtk");
  require_equal_square_detectors(centred_views(geometry), "LEAP");
}

/// Returns the call that gives LEAP the geometry.
std::string geometry_call(const ScanGeometry& geometry) {
  const ScanSpec& spec = geometry.spec();
  if (!geometry.rotates())
    return "    parts = [np.ascontiguousarray(VIEW[:, i : i + 3]) for i in (0, 3, 6, 9)]\n"
           "    leap.set_modularbeam(VIEWS, ROWS, COLUMNS, ROW_MM, COLUMN_MM, *parts)\n";
  const bool is_cone = spec.beam == Beam::cone;
  // The height of a stack lies in its slices alone.
  const std::string detector = "VIEWS, ROWS, COLUMNS, ROW_MM, COLUMN_MM, " +
                               exact(is_cone ? spec.central_row : 0.5 * (spec.detector_rows - 1)) +
                               ", " + exact(spec.central_column) + ", VIEW[:, 0].copy()";
  // The rise is in mm per radian; before it stands tau, another way to move the axis.
  const std::string helix = spec.trajectory == Trajectory::helical
                                ? ", 0.0, " + exact(spec.helical_feed_mm_per_turn / (2 * pi))
                                : "";
  if (spec.beam == Beam::parallel) return "    leap.set_parallelbeam(" + detector + ")\n";
  return std::string("    leap.set_") + (is_cone ? "cone" : "fan") + "beam(" + detector + ", " +
         exact(spec.source_to_isocenter_mm) + ", " + exact(spec.source_to_detector_mm) + helix +
         ")\n" + (spec.detector == DetectorShape::arc ? "    leap.set_curvedDetector()\n" : "");
}

std::vector<ExportedText> write_leap(const ScanToExport& scan) {
  const ScanGeometry& geometry = scan.geometry;
  require_leap(geometry);
  const View first = geometry.view(0);
  const std::string table = scan.name + "_leap.txt";
  ScriptParts parts;
  parts.program = "LEAP";
  parts.key = "leap";
  parts.geometry = {table, table_of(geometry)};
  // Without CUDA, modular beams of upright detectors are all shifted by the first view's offset.
  parts.requirements = std::string("leapct of 2024 or later, ") +
                       (geometry.rotates() ? "with or without CUDA" : "with CUDA") +
                       ": github.com/LLNL/LEAP";
  parts.conventions = "LEAP's angles, columns, rows and volumes are Gantry's, in mm and degrees; " +
                      table + "\nholds the numbers of each view.\n";
  parts.verified =
      "Verified: this script projected the orientation phantom with LEAP's geometry written anew "
      "from\nits sources (tests/bench/exports/stand_ins). LEAP itself was not at hand.\n";
  parts.imports = "from leapctype import tomographicModels\n";
  parts.constants =
      "VIEW = np.loadtxt(exported(GEOMETRY_FILE), ndmin=2).astype(np.float32)\nCOLUMN_MM, ROW_MM "
      "= " +
      exact(norm(first.u_mm)) + ", " + exact(norm(first.v_mm)) +
      "\nSTACK = " + truth(geometry.rotates() && geometry.beam() != Beam::cone) +
      "  # slice by slice\nMODULAR = " + truth(!geometry.rotates()) +
      "\nCENTRE = " + exact(geometry.spec().central_column) +
      "  # the column that sees the axis\nHEIGHT = " + exact(middle_height_mm(geometry)) +
      "  # of the source midway between the first and the last angle, mm\n\n\ndef "
      "set_geometry(leap):\n" +
      geometry_call(geometry) + "\n";
  parts.functions = functions;
  return script_files(scan, parts);
}

}  // namespace

ExportFormat leap_export() {
  return {"leap", "LEAP",
          "parallel; fan, flat; cone, flat and arc; helices; free poses of flat cone beams",
          write_leap};
}

}  // namespace gantry
