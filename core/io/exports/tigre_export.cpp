// TIGRE (github.com/CERN/TIGRE, computeDeltas_Siddon in Common/CUDA/Siddon_projection.cu and
// _types.pxd; version 3): in the coordinates of a view the source stands at (DSO, 0, 0), the middle
// of the detector at (DSO - DSD, offDetector), columns grow along y, rows along z, the detector
// turned about its middle by Rz(rotDetector[2]) Ry(rotDetector[1]) Rx(rotDetector[0]). These are
// turned by the Euler angles Rz(alpha) Ry(theta) Rz(psi), after which the middle of the volume is
// at offOrigin. Arrays of lengths and counts are in the order z, y, x and row, column.
#include "core/io/exports/centred_views.hpp"
#include "core/io/exports/script_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

namespace {

/// Coordinates of a view: axes of the system in which the source lies on x.
struct SourceFrame {
  double alpha = 0, theta = 0;
  Vec3 x, y, z;
  explicit SourceFrame(Vec3 source) {
    alpha = std::atan2(source.y, source.x);
    theta = -std::atan2(source.z, std::hypot(source.x, source.y));
    const double ca = std::cos(alpha), sa = std::sin(alpha), ct = std::cos(theta),
                 st = std::sin(theta);
    x = {ca * ct, sa * ct, -st};
    y = {-sa, ca, 0};
    z = {ca * st, sa * st, ct};
  }
  Vec3 of(Vec3 world) const { return {dot(x, world), dot(y, world), dot(z, world)}; }
};

/// alpha, theta, psi; DSO, DSD; offDetector of row and column; rotDetector; shift of offOrigin.
using Numbers = std::array<double, 13>;

/// A view of a circle or helix. The volume is lowered where the source rises. In a parallel beam
/// TIGRE turns rays with the detector's offset, so that the volume is moved instead.
Numbers circular_view(const ScanGeometry& geometry, int index) {
  const ScanSpec& spec = geometry.spec();
  const double t = geometry.angle_rad(index),
               u = (0.5 * (spec.detector_columns - 1) - spec.central_column) * spec.column_pitch_mm,
               v = (0.5 * (spec.detector_rows - 1) - spec.central_row) * spec.row_pitch_mm;
  if (spec.beam == Beam::parallel) {
    const double away = 4 * (std::abs(u) + spec.detector_columns * spec.column_pitch_mm);
    return {t - pi / 2,      0, 0, away, 2 * away, 0, 0, 0, 0, 0, -v, -u * std::sin(t),
            -u * std::cos(t)};
  }
  const double height = geometry.view(index).source_mm.z;
  return {t - pi / 2,
          0,
          0,
          spec.source_to_isocenter_mm,
          spec.source_to_detector_mm,
          spec.beam == Beam::fan ? 0 : v,
          u,
          0,
          0,
          0,
          -height,
          0,
          0};
}

Numbers free_view(const View& view) {
  const SourceFrame frame(view.source_mm);
  const Vec3 middle = frame.of(view.detector_mm), u = normalized(frame.of(view.u_mm)),
             v = normalized(frame.of(view.v_mm)), n = cross(u, v);
  // The columns of the detector's rotation are n, u and v.
  const double yaw = std::atan2(u.z, v.z), pitch = -std::asin(std::clamp(n.z, -1.0, 1.0)),
               roll = std::atan2(n.y, n.x), dso = norm(view.source_mm);
  return {frame.alpha, frame.theta, 0, dso, dso - middle.x, middle.z, middle.y, yaw, pitch,
          roll,        0,           0, 0};
}

std::string table_of(const ScanGeometry& geometry) {
  ViewTable table(
      "# TIGRE: alpha theta psi (rad); DSO DSD; offDetector (row, column); rotDetector (about x, "
      "y, z;\n# rad); what the volume's middle is moved by in offOrigin (z, y, x); mm\n");
  const std::vector<View> views = centred_views(geometry);
  for (int i = 0; i < geometry.views(); ++i)
    table.add(geometry.rotates() ? circular_view(geometry, i)
                                 : free_view(views[static_cast<std::size_t>(i)]));
  return table.text();
}

constexpr const char* functions = R"py(
def geometry(grid, rows):
    """The geometry of a volume on a grid, of which the middle is offOrigin."""
    geo = tigre.geometry()
    geo.mode = MODE
    geo.nVoxel = np.array(grid.size[::-1])
    geo.dVoxel = np.array(grid.spacing[::-1])
    geo.sVoxel = geo.nVoxel * geo.dVoxel
    geo.nDetector = np.array([rows, COLUMNS])
    geo.dDetector = np.array(CELL[::-1])
    geo.sDetector = geo.nDetector * geo.dDetector
    geo.DSO, geo.DSD = VIEW[:, 3].copy(), VIEW[:, 4].copy()
    geo.offDetector = VIEW[:, 5:7].copy()
    geo.rotDetector = VIEW[:, 7:10].copy()
    middle = [o + (n - 1) / 2 * d for o, n, d in zip(grid.origin, grid.size, grid.spacing)]
    geo.offOrigin = np.array(middle[::-1]) + VIEW[:, 10:13]
    geo.accuracy = 0.5
    geo.COR = 0
    return geo


def forward(mu, grid, rows):
    return tigre.Ax(np.ascontiguousarray(mu, np.float32), geometry(grid, rows), ANGLES, "Siddon")


def backward(projections, grid, iterations):
    projections = np.ascontiguousarray(projections, np.float32)
    geo = geometry(grid, projections.shape[1])
    if METHOD == "sirt":
        return algs.sirt(projections, geo, ANGLES, iterations)
    return getattr(algs, METHOD)(projections, geo, ANGLES)
)py";

void require_tigre(const ScanGeometry& geometry) {
  if (geometry.spec().detector == DetectorShape::arc)
    refuse_export("TIGRE", "it has no arc detectors", "export it to rtk");
  if (geometry.rotates()) return;
  if (geometry.beam() == Beam::parallel)
    refuse_export("TIGRE", "its parallel beams turn about the axis", "export it to astra or rtk");
  require_equal_square_detectors(centred_views(geometry), "TIGRE");
}

std::vector<ExportedText> write_tigre(const ScanToExport& scan) {
  const ScanGeometry& geometry = scan.geometry;
  require_tigre(geometry);
  const ScanSpec& spec = geometry.spec();
  const View first = geometry.view(0);
  const std::string table = scan.name + "_tigre.txt";
  const bool is_parallel = spec.beam == Beam::parallel;
  ScriptParts parts;
  parts.program = "TIGRE";
  parts.key = "tigre";
  parts.geometry = {table, table_of(geometry)};
  parts.requirements =
      "TIGRE 2.1 or later and CUDA: github.com/CERN/TIGRE, of which PyPI's pytigre 0.1.8 is too "
      "old";
  parts.conventions =
      "TIGRE's angle is Gantry's less 90 degrees; its columns and rows grow as Gantry's, arrays are"
      "\n[z][y][x] and [view][row][column] with all axes growing. " +
      table + " holds the numbers of each\nview. ";
  parts.conventions +=
      is_parallel ? "The offset of the detector moves the volume instead, view by view.\n"
                  : "Numbers of a volume are in the order z, y, x, of a detector row, column.\n";
  parts.verified =
      "Verified: such scripts projected the orientation phantom with TIGRE's own geometry and "
      "Siddon "
      "kernels\n(its sources of 2026, the parts that they use) on an NVIDIA H200, to less than 1 "
      "%; "
      "see\ntests/bench/exports. TIGRE's methods of reconstruction were not run.\n";
  parts.imports = "import tigre\nimport tigre.algorithms as algs\n";
  parts.constants =
      "VIEW = np.loadtxt(exported(GEOMETRY_FILE), ndmin=2)\nANGLES = np.ascontiguousarray(VIEW[:, "
      "0:3], np.float32)\n"
      "CELL = (" +
      exact(norm(first.u_mm)) + ", " + exact(norm(first.v_mm)) + ")  # column, row; mm\nMODE = \"" +
      (is_parallel ? "parallel" : "cone") + "\"\nSTACK = " + truth(spec.beam == Beam::fan) +
      "  # every row is a fan by itself\nSLICE_ROWS = 1\nMETHOD = \"" +
      (spec.trajectory != Trajectory::circular ? "sirt"
       : is_parallel                           ? "fbp"
                                               : "fdk") +
      "\"\n";
  parts.functions = std::string(functions) + slice_by_slice;
  return script_files(scan, parts);
}

}  // namespace

ExportFormat tigre_export() {
  return {"tigre", "TIGRE", "parallel; fan and cone, flat; helices; free poses of a cone beam",
          write_tigre};
}

}  // namespace gantry
