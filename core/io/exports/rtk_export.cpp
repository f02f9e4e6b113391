// RTK's ThreeDCircularProjectionGeometry (openrtk.org, "RTK 3D circular projection geometry"; S.
// Rit and others, J. Phys.: Conf. Ser. 489, 2014, 012079). RTK's y is the axis of rotation: x, z
// and -y here are x, y and z there. In the coordinates of a detector, turned about y by the gantry
// angle, about x out of plane and about z in plane, the source stands at (SourceOffset,
// SourceToIsocenterDistance), and the point (0, 0) of the projections at (ProjectionOffset,
// SourceToIsocenterDistance - SourceToDetectorDistance); distance 0 to the detector makes the beam
// parallel. Projections are written with (0, 0) in their middle.
#include "core/io/exports/centred_views.hpp"
#include "core/io/exports/script_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

namespace {

/// A view in RTK's numbers; angles in radians, lengths in mm.
struct RtkView {
  double gantry_rad = 0, out_of_plane_rad = 0, in_plane_rad = 0;
  double source_to_isocenter = 0, source_to_detector = 0;
  double source_x = 0, source_y = 0, detector_x = 0, detector_y = 0;
  std::array<double, 12> matrix{};  ///< 3 x 4: point (x, y, z, 1) to (u w, v w, w), u and v in mm
};

Vec3 to_rtk(Vec3 world) { return {world.x, world.z, -world.y}; }

/// Returns whether columns, rows and the way to the source form a left-handed system, which RTK has
/// no angles for.
bool is_mirrored(const View& view) {
  return dot(cross(view.u_mm, view.v_mm), view.source_mm - view.detector_mm) < 0;
}

void set_matrix(RtkView& out, Vec3 x, Vec3 y, Vec3 z) {
  const double sid = out.source_to_isocenter, sdd = out.source_to_detector,
               dx = out.source_x - out.detector_x, dy = out.source_y - out.detector_y;
  if (sdd == 0) {
    out.matrix = {x.x, x.y, x.z, -out.detector_x, y.x, y.y, y.z, -out.detector_y, 0, 0, 0, 1};
    return;
  }
  const Vec3 a = dx * z - sdd * x, b = dy * z - sdd * y;
  out.matrix = {a.x, a.y, a.z, sdd * out.source_x - dx * sid,
                b.x, b.y, b.z, sdd * out.source_y - dy * sid,
                z.x, z.y, z.z, -sid};
}

/// Returns 0 for what rounding left of 0 in numbers as large as `scale`: on an upright circle,
/// readers look for offsets and tilts that are 0.
double without_rounding(double value, double scale) {
  return std::abs(value) < 1e-13 * std::abs(scale) ? 0 : value;
}

RtkView rtk_view(const View& view, bool is_parallel, double far_mm) {
  // Rows of the rotation to the coordinates of the detector: Rz(-in) Rx(-out) Ry(-gantry).
  const Vec3 x = normalized(to_rtk(view.u_mm)), y = normalized(to_rtk(view.v_mm)), z = cross(x, y);
  RtkView out;
  out.gantry_rad = std::atan2(z.x, z.z);
  out.out_of_plane_rad = without_rounding(-std::asin(std::clamp(z.y, -1.0, 1.0)), 1);
  const double g = out.gantry_rad, o = out.out_of_plane_rad;
  const Vec3 level{std::cos(g), 0, -std::sin(g)},
      upright{std::sin(o) * std::sin(g), std::cos(o), std::sin(o) * std::cos(g)};
  out.in_plane_rad = without_rounding(std::atan2(dot(x, upright), dot(x, level)), 1);
  const Vec3 source = to_rtk(view.source_mm), detector = to_rtk(view.detector_mm);
  out.detector_x = dot(x, detector);
  out.detector_y = dot(y, detector);
  if (is_parallel) {
    out.source_to_isocenter = far_mm;  // where rays begin: RTK asks for it, beyond the object
  } else {
    out.source_x = without_rounding(dot(x, source), norm(source));
    out.source_y = without_rounding(dot(y, source), norm(source));
    out.source_to_isocenter = dot(z, source);
    out.source_to_detector = dot(z, source - detector);
  }
  set_matrix(out, x, y, z);
  return out;
}

std::string element(const char* name, double value) {
  return std::string("    <") + name + ">" + exact(value) + "</" + name + ">\n";
}

std::string geometry_xml(const std::vector<RtkView>& views, double cylinder_mm) {
  std::string xml =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE RTKGEOMETRY>\n<RTKThreeDCircularGeometry "
      "version=\"3\">\n";
  if (cylinder_mm > 0) xml += element("RadiusCylindricalDetector", cylinder_mm);
  for (const RtkView& view : views) {
    xml += "  <Projection>\n" + element("SourceToIsocenterDistance", view.source_to_isocenter) +
           element("SourceToDetectorDistance", view.source_to_detector) +
           element("GantryAngle", degrees(view.gantry_rad)) +
           element("OutOfPlaneAngle", degrees(view.out_of_plane_rad)) +
           element("InPlaneAngle", degrees(view.in_plane_rad)) +
           element("SourceOffsetX", view.source_x) + element("SourceOffsetY", view.source_y) +
           element("ProjectionOffsetX", view.detector_x) +
           element("ProjectionOffsetY", view.detector_y) + "    <Matrix>\n";
    for (std::size_t i = 0; i < view.matrix.size(); ++i)
      xml += (i % 4 == 0 ? "      " : " ") + exact(view.matrix[i]) + (i % 4 == 3 ? "\n" : "");
    xml += "    </Matrix>\n  </Projection>\n";
  }
  return xml + "</RTKThreeDCircularGeometry>\n";
}

constexpr const char* functions = R"py(
Image = itk.Image[itk.F, 3]


def read_geometry():
    reader = rtk.ThreeDCircularProjectionGeometryXMLFileReader.New()
    reader.SetFilename(exported(GEOMETRY_FILE))
    reader.GenerateOutputInformation()
    return reader.GetOutputObject()


def image(values, spacing, origin):
    made = itk.image_from_array(np.ascontiguousarray(values, np.float32))
    made.SetSpacing([float(d) for d in spacing])
    made.SetOrigin([float(o) for o in origin])
    return made


def projection_image(values):
    """[view][row][column] with the point (0, 0) in the middle of the detector."""
    if TURNED:
        values = values[:, ::-1]
    middle = [-(n - 1) / 2 * d for n, d in zip(values.shape[:0:-1], CELL)]
    return image(values, (*CELL, 1), (*middle, 0))


def volume_image(mu, grid):
    """[z][y][x] in RTK's axes: RTK's y is z, its z is -y."""
    if grid.size[2] == 1:  # RTK interpolates between slices
        mu = np.repeat(mu, 3, axis=0)
        grid = grid._replace(origin=(*grid.origin[:2], grid.origin[2] - grid.spacing[2]))
    (dx, dy, dz), (x, y, z) = grid.spacing, grid.origin
    return image(mu.transpose(1, 0, 2)[::-1], (dx, dz, dy), (x, z, -(y + (grid.size[1] - 1) * dy)))


def forward(mu, grid, rows):
    projector = rtk.JosephForwardProjectionImageFilter[Image, Image].New()
    projector.SetInput(0, projection_image(np.zeros((VIEWS, rows, COLUMNS))))
    projector.SetInput(1, volume_image(mu, grid))
    projector.SetGeometry(read_geometry())
    projector.Update()
    found = itk.array_from_image(projector.GetOutput())
    return found[:, ::-1] if TURNED else found


def backward(projections, grid, iterations):
    if FDK:
        method = rtk.FDKConeBeamReconstructionFilter[Image].New()
    else:
        method = rtk.SARTConeBeamReconstructionFilter[Image, Image].New()
        method.SetNumberOfIterations(iterations)
        method.SetDisableDisplacedDetectorFilter(True)  # its weights are those of FDK
        method.SetForwardProjectionFilter(method.ForwardProjectionType_FP_JOSEPH)
        method.SetBackProjectionFilter(method.BackProjectionType_BP_JOSEPH)
    method.SetInput(0, volume_image(np.zeros(grid.size[::-1]), grid))
    method.SetInput(1, projection_image(projections))
    method.SetGeometry(read_geometry())
    method.Update()
    mu = itk.array_from_image(method.GetOutput())[::-1].transpose(1, 0, 2)
    return mu[1:2] if grid.size[2] == 1 else mu
)py";

/// Returns the views in RTK's numbers. `turned` becomes true where rows must be counted from the
/// other end.
std::vector<RtkView> rtk_views(const ScanGeometry& geometry, bool& turned) {
  const ScanSpec& spec = geometry.spec();
  const bool is_arc = spec.detector == DetectorShape::arc,
             is_parallel = spec.beam == Beam::parallel;
  std::vector<View> views = centred_views(geometry);
  require_equal_square_detectors(views, "RTK");
  if (is_parallel) require_upright_rays(views, "RTK");
  turned = is_mirrored(views.front());
  std::vector<RtkView> all;
  for (View& view : views) {
    if (is_mirrored(view) != turned)
      refuse_export("RTK", "some of its detectors are mirrored, others not", "export it to astra");
    if (turned) view.v_mm = -1.0 * view.v_mm;
    if (spec.beam == Beam::fan) view.detector_mm.z = 0;  // each row is a plane of its own
    all.push_back(rtk_view(view, is_parallel,
                           4 * (geometry.field_of_view_radius_mm() + norm(view.detector_mm) +
                                spec.detector_columns * norm(view.u_mm))));
    // Along an arc, RTK counts from the cell that the central ray meets, in lengths of the arc.
    if (is_arc)
      all.back().detector_x =
          (0.5 * (spec.detector_columns - 1) - spec.central_column) * spec.column_pitch_mm;
  }
  return all;
}

std::vector<ExportedText> write_rtk(const ScanToExport& scan) {
  const ScanGeometry& geometry = scan.geometry;
  const ScanSpec& spec = geometry.spec();
  bool turned = false;
  const std::vector<RtkView> views = rtk_views(geometry, turned);
  const View first = geometry.view(0);
  const bool is_arc = spec.detector == DetectorShape::arc,
             fdk =
                 spec.trajectory == Trajectory::circular && spec.beam != Beam::parallel && !is_arc;
  ScriptParts parts;
  parts.program = "RTK";
  parts.key = "rtk";
  parts.geometry = {scan.name + "_rtk.xml",
                    geometry_xml(views, is_arc ? spec.source_to_detector_mm : 0)};
  parts.requirements = "itk-rtk: pip install itk-rtk";
  parts.conventions =
      "RTK's axis of rotation is y: its x, y, z are x, z, -y here. " + scan.name +
      "_rtk.xml holds source and\ndetector of each view (ThreeDCircularProjectionGeometry) for "
      "projections whose point (0, 0)\nis the middle of the detector.";
  if (turned) parts.conventions += " Rows are turned over, as RTK has no mirrored detectors.";
  if (spec.beam == Beam::fan)
    parts.conventions += " Each row\nis a fan in a plane of its own, projected by itself.";
  parts.conventions += "\n";
  parts.verified =
      "Verified: such scripts were run with RTK 2.7 on a processor, for parallel, fan and cone "
      "beams,\nflat and arc detectors, helices and free poses; see tests/bench/exports.\n";
  parts.imports = "import itk\nfrom itk import RTK as rtk\n";
  parts.constants = "CELL = (" + exact(norm(first.u_mm)) + ", " + exact(norm(first.v_mm)) +
                    ")  # column, row; mm\nSTACK = " + truth(spec.beam == Beam::fan) +
                    "  # every row is a fan by itself\nSLICE_ROWS = 3  # RTK interpolates between "
                    "rows\nTURNED = " +
                    truth(turned) + "  # rows are counted from the other end\nFDK = " + truth(fdk) +
                    "  # else SART\n";
  parts.functions = std::string(functions) + slice_by_slice;
  return script_files(scan, parts);
}

}  // namespace

ExportFormat rtk_export() {
  return {"rtk", "RTK", "parallel; fan and cone, flat and arc; helices; free poses", write_rtk};
}

}  // namespace gantry
