// ASTRA's vectors (astra-toolbox.com, "2D geometries" and "3D geometries"): for each view source,
// middle of the detector, step to the next column and, in 3D, to the next row, in the coordinates
// of the volume. Array [z][y][x] of a volume in 3D has x, y and z growing with the index, an image
// in 2D begins with its highest y. Of an arc detector (cyl_cone_vec, from version 2.4), the step to
// the next column is the tangent in the middle, and the radius of the cylinder follows.
#include "core/io/exports/centred_views.hpp"
#include "core/io/exports/script_text.hpp"

#include <cmath>

namespace gantry {

namespace {

/// Returns the middle of an arc detector of a circle or helix, with the step along the tangent.
View centred_arc(const ScanGeometry& geometry, int index) {
  const ScanSpec& spec = geometry.spec();
  View view = geometry.view(index);
  const double middle = 0.5 * (spec.detector_columns - 1), sdd = spec.source_to_detector_mm,
               angle = geometry.fan_angle_rad(middle),
               rise = 0.5 * (spec.detector_rows - 1) - spec.central_row;
  const Vec3 across = normalized(view.u_mm),
             forward = normalized(view.detector_mm - view.source_mm);
  view.detector_mm = view.source_mm + sdd * (std::cos(angle) * forward + std::sin(angle) * across) +
                     rise * view.v_mm;
  view.u_mm = spec.column_pitch_mm * (std::cos(angle) * across - std::sin(angle) * forward);
  return view;
}

std::string type_of(const ScanGeometry& geometry) {
  if (geometry.beam() == Beam::parallel) return "parallel3d_vec";
  if (geometry.beam() == Beam::fan) return "fanflat_vec";
  return geometry.spec().detector == DetectorShape::arc ? "cyl_cone_vec" : "cone_vec";
}

std::string vectors_of(const ScanGeometry& geometry) {
  const std::string type = type_of(geometry);
  ViewTable table("# " + type +
                  ": source (parallel: ray), middle of the detector, step to the next column" +
                  (type == "fanflat_vec" ? "; x y" : ", to the next row; x y z") +
                  (type == "cyl_cone_vec" ? "; radius" : "") +
                  "; mm\n# DetectorColCount = " + std::to_string(geometry.columns()) +
                  "\n# DetectorRowCount = " + std::to_string(geometry.rows()) + "\n");
  const std::vector<View> flat = centred_views(geometry);
  for (int i = 0; i < geometry.views(); ++i) {
    View view =
        type == "cyl_cone_vec" ? centred_arc(geometry, i) : flat[static_cast<std::size_t>(i)];
    if (type == "parallel3d_vec") view.source_mm = view.detector_mm - view.source_mm;
    std::vector<double> numbers =
        numbers_of({view.source_mm, view.detector_mm, view.u_mm, view.v_mm});
    if (type == "fanflat_vec")
      numbers = {numbers[0], numbers[1], numbers[3], numbers[4], numbers[6], numbers[7]};
    if (type == "cyl_cone_vec") numbers.push_back(geometry.spec().source_to_detector_mm);
    table.add(numbers);
  }
  return table.text();
}

// Stacks of slices, each by itself, on the processor.
constexpr const char* slices = R"py(
def image_geometry(grid):
    (nx, ny, _), (dx, dy, _), (x, y, _) = grid
    low_x, low_y = x - dx / 2, y - dy / 2
    return astra.create_vol_geom(ny, nx, low_x, low_x + nx * dx, low_y, low_y + ny * dy)


def project(mu, grid):
    projector = astra.create_projector(PROJECTOR, GEOMETRY, image_geometry(grid))
    found = np.zeros((VIEWS, ROWS, COLUMNS), np.float32)
    for row, k in enumerate(slices_of_rows(grid)):
        if k is not None:
            data, found[:, row] = astra.create_sino(mu[k, ::-1], projector)
            astra.data2d.delete(data)
    return found


def reconstruct(projections, grid, iterations):
    image = image_geometry(grid)
    projector = astra.create_projector(PROJECTOR, GEOMETRY, image)
    mu = np.zeros(grid.size[::-1], np.float32)
    for row, k in enumerate(slices_of_rows(grid)):
        if k is None:
            continue
        settings = astra.astra_dict("SIRT")
        settings["ProjectorId"] = projector
        settings["ProjectionDataId"] = astra.data2d.create("-sino", GEOMETRY, projections[:, row])
        settings["ReconstructionDataId"] = astra.data2d.create("-vol", image, 0)
        algorithm = astra.algorithm.create(settings)
        astra.algorithm.run(algorithm, iterations)
        mu[k, ::-1] = astra.data2d.get(settings["ReconstructionDataId"])
        astra.algorithm.delete(algorithm)
        astra.data2d.delete(settings["ProjectionDataId"])
        astra.data2d.delete(settings["ReconstructionDataId"])
    return mu
)py";

constexpr const char* volume_geometry = R"py(
def volume_geometry(grid):
    (nx, ny, nz), spacing, origin = grid
    low = [o - d / 2 for o, d in zip(origin, spacing)]
    high = [l + n * d for l, n, d in zip(low, grid.size, spacing)]
    return astra.create_vol_geom(ny, nx, nz, low[0], high[0], low[1], high[1], low[2], high[2])
)py";

constexpr const char* project_volume = R"py(

def project(mu, grid):
    data, found = astra.create_sino3d_gpu(mu, GEOMETRY, volume_geometry(grid))
    astra.data3d.delete(data)
    return found.transpose(1, 0, 2)
)py";

// ASTRA leaves out slices that no view sees (reduceVolumePart in CompositeGeometryManager.cpp). Of
// arc detectors, CCylConeVecProjectionGeometry3D::getProjectedBBoxSingleAngle takes the height on
// the detector for the number of a row, without dividing it by the distance of rows and without the
// height of the detector's middle above the source. In metres that number stays near the middle
// row, so that no slice is left out. SIRT3D_CUDA leaves none out in any unit.
constexpr const char* project_volume_on_arc = R"py(

def project(mu, grid):
    # Lengths are in metres here: ASTRA 2.5 takes the height on an arc detector for the number of
    # a row, and in millimetres leaves out slices that the detector sees.
    metre = 1000
    vectors = astra.create_proj_geom("cyl_cone_vec", ROWS, COLUMNS, VECTORS / metre)
    in_metres = Grid(grid.size, *[tuple(x / metre for x in part) for part in grid[1:]])
    data, found = astra.create_sino3d_gpu(mu, vectors, volume_geometry(in_metres))
    astra.data3d.delete(data)
    return metre * found.transpose(1, 0, 2)
)py";

constexpr const char* reconstruct_volume = R"py(

def reconstruct(projections, grid, iterations):
    sinograms = np.ascontiguousarray(projections.transpose(1, 0, 2))
    settings = astra.astra_dict("SIRT3D_CUDA")
    settings["ProjectionDataId"] = astra.data3d.create("-sino", GEOMETRY, sinograms)
    settings["ReconstructionDataId"] = astra.data3d.create("-vol", volume_geometry(grid), 0)
    algorithm = astra.algorithm.create(settings)
    astra.algorithm.run(algorithm, iterations)
    return astra.data3d.get(settings["ReconstructionDataId"])
)py";

std::string functions_for_volumes(bool on_arc) {
  return std::string(volume_geometry) + (on_arc ? project_volume_on_arc : project_volume) +
         reconstruct_volume;
}

constexpr const char* verified_slices =
    "Verified: this script was run with ASTRA 2.5 on a processor; see tests/bench/exports.\n";
constexpr const char* verified_volumes =
    "Verified: such scripts projected the orientation phantom with ASTRA 2.5 and CUDA, on an\n"
    "NVIDIA H100 or H200, to less than 1 %; see tests/bench/exports.\n";
std::vector<ExportedText> write_astra(const ScanToExport& scan) {
  const ScanGeometry& geometry = scan.geometry;
  if (geometry.beam() == Beam::fan && geometry.spec().detector == DetectorShape::arc)
    refuse_export("ASTRA", "its fans have no arc detectors", "export it to rtk");
  const std::string type = type_of(geometry), table = scan.name + "." + type + ".txt";
  const bool is_stack = geometry.rotates() && geometry.beam() != Beam::cone;
  ScriptParts parts;
  parts.program = "ASTRA";
  parts.key = "astra";
  parts.geometry = {table, vectors_of(geometry)};
  parts.requirements = std::string("astra-toolbox") +
                       (is_stack                 ? ""
                        : type == "cyl_cone_vec" ? " 2.4 or later with CUDA"
                                                 : " with CUDA") +
                       ": pip install astra-toolbox";
  parts.conventions =
      "ASTRA takes vectors of each view in the coordinates of the volume, which are Gantry's: " +
      table + "\nholds them.";
  parts.conventions +=
      is_stack ? " The scan is a stack of slices, each projected in 2D; an image begins\nwith its "
                 "highest y, so that y is turned over. With CUDA, FBP_CUDA is faster than SIRT.\n"
               : " Projections lie there as [row][view][column].\n";
  const bool on_arc = type == "cyl_cone_vec";
  parts.verified = is_stack ? verified_slices : verified_volumes;
  parts.imports = "import astra\n";
  parts.constants = "VECTORS = np.loadtxt(exported(GEOMETRY_FILE), ndmin=2)\n";
  if (!is_stack)
    parts.constants +=
        "GEOMETRY = astra.create_proj_geom(\"" + type + "\", ROWS, COLUMNS, VECTORS)\n";
  else if (geometry.beam() == Beam::fan)
    parts.constants +=
        "GEOMETRY = astra.create_proj_geom(\"fanflat_vec\", COLUMNS, VECTORS)\n"
        "PROJECTOR = \"line_fanflat\"\n";
  else
    parts.constants +=
        "# In the plane of a slice: x and y of ray, detector and step to the next column.\n"
        "IN_PLANE = np.ascontiguousarray(VECTORS[:, [0, 1, 3, 4, 6, 7]])\n"
        "GEOMETRY = astra.create_proj_geom(\"parallel_vec\", COLUMNS, IN_PLANE)\n"
        "PROJECTOR = \"strip\"\n";
  parts.functions = is_stack ? slices : functions_for_volumes(on_arc);
  return script_files(scan, parts);
}

}  // namespace

ExportFormat astra_export() {
  return {"astra", "ASTRA", "parallel; fan, flat; cone, flat and arc; helices; free poses",
          write_astra};
}

}  // namespace gantry
