// CIL (tomographicimaging.github.io/CIL, AcquisitionGeometry and ImageGeometry;
// convert_geometry_to_astra_vec_3D.py in cil/plugins/astra/utilities). At angle 0 the source stands
// on -y, columns grow along x, rows along z; the object, not the source, turns by CIL's angle,
// which is therefore minus the one here. Before that, CIL turns a fan or cone about z until the
// line from the source to the middle of the detector lies along y (align_reference_frame), which
// the angles take back. Free poses (create_Cone3D_Flex, from version 25) are given in the
// coordinates of the volume; rows must be at right angles to columns to 1e-8. On a processor, a
// geometry in 2D is turned over in y for ASTRA, but neither the middle of its image nor the
// direction of the detector is (convert_geometry_to_astra_vec_2D.py): the middle is given turned
// over, and fans are projected on a GPU. There and for pixels that are no squares, which ASTRA's
// CPU projector does not know, slices are volumes of one slice.
#include "core/io/exports/centred_views.hpp"
#include "core/io/exports/script_text.hpp"

#include <array>
#include <cmath>

namespace gantry {

namespace {

bool is_flexible(const ScanGeometry& geometry) {
  return geometry.spec().trajectory != Trajectory::circular;
}

std::string table_of(const ScanGeometry& geometry) {
  if (!is_flexible(geometry)) {
    ViewTable table("# CIL: angles, degrees\n");
    for (int i = 0; i < geometry.views(); ++i)
      table.add(std::array{-degrees(geometry.angle_rad(i))});
    return table.text();
  }
  ViewTable table(
      "# CIL: source_position detector_position detector_direction_x detector_direction_y\n");
  for (const View& view : centred_views(geometry)) {
    const Vec3 across = normalized(view.u_mm),
               upwards = normalized(view.v_mm - dot(view.v_mm, across) * across);
    table.add(numbers_of({view.source_mm, view.detector_mm, across, upwards}));
  }
  return table.text();
}

constexpr const char* functions = R"py(
def acquisition(panel):
    geometry = create().set_panel(panel, CELL[0] if panel == COLUMNS else CELL)
    if not FLEXIBLE:
        geometry.set_angles(VIEW[:, 0] + CIL_TURNS_DEG, angle_unit="degree")
    return geometry


def device_of(grid, is_slice):
    return "cpu" if is_slice and PARALLEL and grid.spacing[0] == grid.spacing[1] else "gpu"


def image(grid, slices, device):
    (nx, ny, _), (dx, dy, dz), _ = grid
    middle = [o + (n - 1) / 2 * d for o, n, d in zip(grid.origin, grid.size, grid.spacing)]
    if slices == 0:
        y = -middle[1] if device == "cpu" else middle[1]
        return ImageGeometry(nx, ny, 0, dx, dy, 1, middle[0], y)
    return ImageGeometry(nx, ny, slices, dx, dy, dz, *middle)


def operator(grid, is_slice):
    geometry = acquisition(COLUMNS if is_slice else (COLUMNS, ROWS))
    data = geometry.allocate(0)
    if not is_slice:
        data.reorder("astra")
    device = device_of(grid, is_slice)
    made = image(grid, 0 if is_slice else grid.size[2], device)
    return ProjectionOperator(made, data.geometry, device=device)


def forward(mu, grid, is_slice):
    A = operator(grid, is_slice)
    volume = A.domain_geometry().allocate(0)
    volume.fill(np.ascontiguousarray(mu, np.float32).reshape(volume.shape))
    found = A.direct(volume).as_array()
    if is_slice:
        return found.reshape(VIEWS, COLUMNS)
    return found.reshape(ROWS, VIEWS, COLUMNS).transpose(1, 0, 2)


def backward(projections, grid, iterations, is_slice):
    A = operator(grid, is_slice)
    data = A.range_geometry().allocate(0)
    values = projections if is_slice else projections.transpose(1, 0, 2)
    data.fill(np.ascontiguousarray(values, np.float32).reshape(data.shape))
    method = SIRT(initial=A.domain_geometry().allocate(0), operator=A, data=data)
    method.run(iterations)
    size = grid.size[::-1]
    return method.solution.as_array().reshape(size[1:] if is_slice else size)


def project(mu, grid):
    if not STACK:
        return forward(mu, grid, False)
    found = np.zeros((VIEWS, ROWS, COLUMNS), np.float32)
    for row, k in enumerate(slices_of_rows(grid)):
        if k is not None:
            found[:, row] = forward(mu[k], grid, True)
    return found


def reconstruct(projections, grid, iterations):
    if not STACK:
        return backward(projections, grid, iterations, False)
    mu = np.zeros(grid.size[::-1], np.float32)
    for row, k in enumerate(slices_of_rows(grid)):
        if k is not None:
            mu[k] = backward(projections[:, row], grid, iterations, True)
    return mu
)py";

void require_cil(const ScanGeometry& geometry) {
  if (geometry.spec().detector == DetectorShape::arc)
    refuse_export("CIL", "it has no arc detectors", "export it to rtk");
  if (geometry.rotates()) return;
  if (geometry.beam() == Beam::parallel)
    refuse_export("CIL", "its parallel beams turn about the axis", "export it to astra or rtk");
  require_equal_square_detectors(centred_views(geometry), "CIL");
}

/// Returns the call that makes CIL's geometry, at angle 0.
std::string create_call(const ScanGeometry& geometry) {
  const ScanSpec& spec = geometry.spec();
  if (is_flexible(geometry))
    return "AcquisitionGeometry.create_Cone3D_Flex(\n"
           "        *[[list(row[i : i + 3]) for row in VIEW] for i in (0, 3, 6, 9)])";
  const double u = (0.5 * (spec.detector_columns - 1) - spec.central_column) * spec.column_pitch_mm,
               v = (0.5 * (spec.detector_rows - 1) - spec.central_row) * spec.row_pitch_mm,
               behind = spec.source_to_detector_mm - spec.source_to_isocenter_mm;
  if (spec.beam == Beam::parallel)
    return "AcquisitionGeometry.create_Parallel2D(\n        ray_direction=[0, 1], "
           "detector_position=[" +
           exact(u) + ", 0], detector_direction_x=[1, 0])";
  if (spec.beam == Beam::fan)
    return "AcquisitionGeometry.create_Cone2D(\n        source_position=[0, " +
           exact(-spec.source_to_isocenter_mm) + "], detector_position=[" + exact(u) + ", " +
           exact(behind) + "], detector_direction_x=[1, 0])";
  return "AcquisitionGeometry.create_Cone3D(\n        source_position=[0, " +
         exact(-spec.source_to_isocenter_mm) + ", 0], detector_position=[" + exact(u) + ", " +
         exact(behind) + ", " + exact(v) +
         "],\n        detector_direction_x=[1, 0, 0], detector_direction_y=[0, 0, 1])";
}

/// Returns the angle by which CIL turns the scan on its own.
double own_turn_deg(const ScanGeometry& geometry) {
  const ScanSpec& spec = geometry.spec();
  if (is_flexible(geometry) || spec.beam == Beam::parallel) return 0;
  const double u = (0.5 * (spec.detector_columns - 1) - spec.central_column) * spec.column_pitch_mm;
  return degrees(std::atan2(u, spec.source_to_detector_mm));
}

std::vector<ExportedText> write_cil(const ScanToExport& scan) {
  const ScanGeometry& geometry = scan.geometry;
  require_cil(geometry);
  const View first = geometry.view(0);
  const std::string table = scan.name + "_cil.txt";
  const bool is_stack = geometry.rotates() && geometry.beam() != Beam::cone,
             is_parallel = geometry.rotates() && geometry.beam() == Beam::parallel;
  ScriptParts parts;
  parts.program = "CIL";
  parts.key = "cil";
  parts.geometry = {table, table_of(geometry)};
  parts.requirements = std::string("CIL") + (is_flexible(geometry) ? " 25 or later" : "") +
                       " and its plugin for ASTRA" + (is_parallel ? "" : ", with CUDA") +
                       ": conda, channels ccpi and conda-forge";
  parts.conventions =
      "In CIL the object turns, not the source: its angles are minus Gantry's. Axes and orders of"
      "\narrays are Gantry's, with projections as [row][view][column] for ASTRA. " +
      table + "\nholds the numbers of each view.\n";
  parts.verified =
      "Verified: such scripts projected the orientation phantom with CIL's own geometry, "
      "conversion "
      "and\nprojection operator (sources of versions 24.3 to 25.0, the parts that they use) and "
      "ASTRA 2.5\nwith CUDA on an NVIDIA H200, to less than 1 %; see tests/bench/exports. CIL's "
      "SIRT was not run.\n";
  parts.imports =
      "from cil.framework import AcquisitionGeometry, ImageGeometry\n"
      "from cil.optimisation.algorithms import SIRT\n"
      "from cil.plugins.astra.operators import ProjectionOperator\n";
  parts.constants = "VIEW = np.loadtxt(exported(GEOMETRY_FILE), ndmin=2)\nCELL = (" +
                    exact(norm(first.u_mm)) + ", " + exact(norm(first.v_mm)) +
                    ")  # column, row; mm\nSTACK = " + truth(is_stack) +
                    "  # slice by slice, in 2D\nPARALLEL = " + truth(is_parallel) +
                    "\nFLEXIBLE = " + truth(is_flexible(geometry)) +
                    "\nCIL_TURNS_DEG = " + exact(own_turn_deg(geometry)) +
                    "  # until the middle of the detector lies along y" +
                    "\n\n\ndef create():\n    return " + create_call(geometry) + "\n\n";
  parts.functions = functions;
  return script_files(scan, parts);
}

}  // namespace

ExportFormat cil_export() {
  return {"cil", "CIL", "parallel; fan and cone, flat; helices and free poses of a cone beam",
          write_cil};
}

}  // namespace gantry
