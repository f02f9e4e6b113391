#include "core/io/geometries/rtk_geometry.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/geometries/projection_matrices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string_view>

namespace gantry {

namespace {

constexpr std::size_t largest_xml = std::size_t{1} << 28;
constexpr const char* root_name = "RTKThreeDCircularGeometry";

using Matrix = std::array<double, 12>;  // 3 x 4, [row][column]

/// The parameters of a projection, in RTK's words. Angles in degrees, lengths in mm.
struct Parameters {
  double source_to_isocenter = 0, source_to_detector = 0, gantry_angle = 0, out_of_plane_angle = 0,
         in_plane_angle = 0, source_offset_x = 0, source_offset_y = 0, projection_offset_x = 0,
         projection_offset_y = 0;
  std::optional<Matrix> matrix;
};

struct RtkGeometry {
  std::vector<Parameters> projections;
  double cylinder_radius = 0;       ///< 0: a flat detector
  std::set<std::string> names;      ///< of all elements
  std::set<std::string> not_known;  ///< those of them that RTK does not know

  bool has_all_matrices() const {
    return std::ranges::all_of(projections,
                               [](const Parameters& one) { return one.matrix.has_value(); });
  }
};

// ---- Reading

constexpr std::array<std::pair<const char*, double Parameters::*>, 10> fields = {
    {{"SourceToIsocenterDistance", &Parameters::source_to_isocenter},
     {"SourceToDetectorDistance", &Parameters::source_to_detector},
     {"GantryAngle", &Parameters::gantry_angle},
     {"Angle", &Parameters::gantry_angle},  // in old files
     {"OutOfPlaneAngle", &Parameters::out_of_plane_angle},
     {"InPlaneAngle", &Parameters::in_plane_angle},
     {"SourceOffsetX", &Parameters::source_offset_x},
     {"SourceOffsetY", &Parameters::source_offset_y},
     {"ProjectionOffsetX", &Parameters::projection_offset_x},
     {"ProjectionOffsetY", &Parameters::projection_offset_y}}};

template <std::size_t count>
std::array<double, count> numbers_in(const pugi::xml_node& element, const std::string& place) {
  std::string_view text = element.child_value();
  std::array<double, count> numbers{};
  for (double& number : numbers) {
    const std::optional<double> next = take_number(text);
    if (!next || !std::isfinite(*next))
      throw InputError(std::string(element.name()) + " does not hold " + std::to_string(count) +
                           (count == 1 ? " number" : " numbers"),
                       place, "copy the file again from where it came");
    number = *next;
  }
  if (text.find_first_not_of(" \t\r\n") != std::string_view::npos)
    throw InputError(std::string(element.name()) + " holds more than numbers", place, "correct it");
  return numbers;
}

/// Elements that say nothing about where source and detector stand, or that are read elsewhere.
constexpr std::array<std::string_view, 6> other_elements = {
    "Projection",      "RadiusCylindricalDetector", "CollimationUInf",
    "CollimationUSup", "CollimationVInf",           "CollimationVSup"};

/// Reads what an element says to the parameters. What this does not know is left out.
void read_element(const pugi::xml_node& element, Parameters& parameters, RtkGeometry& geometry,
                  const std::string& place) {
  if (element.type() != pugi::node_element) return;
  const std::string_view name = element.name();
  geometry.names.emplace(name);
  if (name == "Matrix") {
    parameters.matrix = numbers_in<12>(element, place);
    return;
  }
  for (const auto& [field, member] : fields)
    if (name == field) {
      parameters.*member = numbers_in<1>(element, place)[0];
      return;
    }
  if (std::ranges::count(other_elements, name) == 0) geometry.not_known.emplace(name);
}

RtkGeometry read_rtk(const std::string& path) {
  const std::string text = read_text_file(path, largest_xml);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed)
    throw InputError(std::string("is no XML: ") + parsed.description() + " at byte " +
                         std::to_string(parsed.offset),
                     path, "copy the file again from where it came");
  const pugi::xml_node root = document.child(root_name);
  if (!root) throw InputError("holds no " + std::string(root_name), path, "give RTK's geometry");
  const std::string version = root.attribute("version").value();
  if (version != "3" && version != "2")
    throw InputError("is version \"" + version + "\" of RTK's geometry", path,
                     "write it as version 3");
  RtkGeometry geometry;
  Parameters now;  // a parameter holds until it is given again
  for (const pugi::xml_node& element : root.children()) {
    if (std::strcmp(element.name(), "RadiusCylindricalDetector") == 0)
      geometry.cylinder_radius = numbers_in<1>(element, path)[0];
    read_element(element, now, geometry, path);
    if (std::strcmp(element.name(), "Projection") != 0) continue;
    now.matrix.reset();
    const std::string place =
        path + ", projection " + std::to_string(geometry.projections.size() + 1);
    for (const pugi::xml_node& inner : element.children())
      read_element(inner, now, geometry, place);
    geometry.projections.push_back(now);
  }
  if (geometry.projections.empty())
    throw InputError("holds no projections", path, "copy the file again from where it came");
  return geometry;
}

/// Returns the parameters without which source and detector have no place, and which the file
/// states nowhere.
std::vector<std::string> missing_parameters(const RtkGeometry& geometry) {
  std::vector<std::string> missing;
  for (const char* name : {"SourceToIsocenterDistance", "SourceToDetectorDistance", "GantryAngle"})
    if (!geometry.names.contains(name)) missing.emplace_back(name);
  if (geometry.names.contains("Angle")) std::erase(missing, "GantryAngle");
  return missing;
}

/// Throws InputError for parameters that no scan has. A beam without a distance of the detector is
/// parallel, as RTK takes it.
void require_possible(const RtkGeometry& geometry, const std::string& path) {
  const auto is_parallel = [](const Parameters& one) { return one.source_to_detector == 0; };
  if (std::ranges::all_of(geometry.projections, is_parallel)) return;
  for (std::size_t i = 0; i < geometry.projections.size(); ++i) {
    const Parameters& one = geometry.projections[i];
    if (is_parallel(one))
      throw InputError("mixes parallel and diverging beams", path,
                       "give each in a file of its own");
    for (const auto& [name, length] :
         {std::pair("SourceToIsocenterDistance", one.source_to_isocenter),
          {"SourceToDetectorDistance", one.source_to_detector}})
      if (!(length > 0))
        throw InputError(std::string(name) + " is " + format_param(length) + " mm in projection " +
                             std::to_string(i + 1),
                         path, "give distances that are greater than 0");
  }
}

/// Says which parameters are missing, and which elements RTK does not know, that may be one of them
/// misspelled: together they are refused, unless matrices say the same.
void note_statements(const RtkGeometry& geometry, const std::string& path, StatedGeometry& stated) {
  const std::vector<std::string> missing = missing_parameters(geometry);
  const std::string unknown = joined(geometry.not_known);
  if (!unknown.empty() && !missing.empty() && !geometry.has_all_matrices())
    throw InputError(
        "states no " + joined(missing) + ", but " + unknown + ", which RTK does not know", path,
        "correct the names of the parameters");
  if (!unknown.empty()) stated.notes.push_back("left out, since RTK does not know it: " + unknown);
  const std::size_t views = geometry.projections.size();
  if (geometry.has_all_matrices()) return;
  if (std::ranges::count(missing, "GantryAngle") > 0 && views > 1)
    stated.notes.push_back("the file states no GantryAngle: all " + std::to_string(views) +
                           " views were taken at 0 degrees");
  if (std::ranges::count(missing, "SourceToDetectorDistance") > 0)
    stated.assumptions.push_back(
        {"beam", "parallel", "the file states no SourceToDetectorDistance"});
}

// ---- Poses

/// The rotation from RTK's fixed coordinates to those of the detector, by rows.
struct Rotation {
  Vec3 x, y, z;
  Vec3 back(Vec3 p) const { return p.x * x + p.y * y + p.z * z; }
};

Rotation rotation_of(const Parameters& one) {
  const double g = radians(one.gantry_angle), o = radians(one.out_of_plane_angle),
               i = radians(one.in_plane_angle);
  // About y by the gantry angle, about x out of plane, about z in plane; volumes turn backwards.
  const Vec3 x{std::cos(g), 0, -std::sin(g)}, y{0, 1, 0}, z{std::sin(g), 0, std::cos(g)};
  const Vec3 tilted = std::cos(o) * y + std::sin(o) * z;
  return {std::cos(i) * x + std::sin(i) * tilted, std::cos(i) * tilted - std::sin(i) * x,
          std::cos(o) * z - std::sin(o) * y};
}

Vec3 to_world(Vec3 rtk) { return {rtk.x, -rtk.z, rtk.y}; }

/// Returns the pose for a detector whose point (0, 0) lies at `zero`.
View pose_of(const Parameters& one, const KnownDetector& known, const ScanSpec& detector_cells,
             const CellPlace& zero) {
  const Rotation rotation = rotation_of(one);
  const bool is_parallel = one.source_to_detector == 0;
  const double depth = one.source_to_isocenter == 0 ? 1 : one.source_to_isocenter;
  const Vec3 detector{one.projection_offset_x, one.projection_offset_y,
                      is_parallel ? -depth : one.source_to_isocenter - one.source_to_detector},
      source = is_parallel
                   ? Vec3{detector.x, detector.y, depth}
                   : Vec3{one.source_offset_x, one.source_offset_y, one.source_to_isocenter};
  View view{to_world(rotation.back(source)), to_world(rotation.back(detector)),
            known.pixel_mm * to_world(rotation.x), known.row_pitch_mm() * to_world(rotation.y)};
  const Vec3 to_middle = (detector_cells.central_column - zero.column) * view.u_mm +
                         (detector_cells.central_row - zero.row) * view.v_mm;
  view.detector_mm = view.detector_mm + to_middle;
  if (is_parallel) view.source_mm = view.source_mm + to_middle;
  return view;
}

/// Returns the matrix that the parameters stand for: fixed coordinates to mm on the detector.
Matrix matrix_of(const Parameters& one) {
  const Rotation r = rotation_of(one);
  const auto row = [](Vec3 p, double shift) { return std::array{p.x, p.y, p.z, shift}; };
  std::array<std::array<double, 4>, 3> rows;
  if (one.source_to_detector == 0) {
    rows = {row(r.x, -one.projection_offset_x), row(r.y, -one.projection_offset_y), row({}, 1)};
  } else {
    const double sid = one.source_to_isocenter, sdd = one.source_to_detector,
                 x = one.source_offset_x - one.projection_offset_x,
                 y = one.source_offset_y - one.projection_offset_y;
    rows = {row(x * r.z - sdd * r.x, sdd * one.source_offset_x - x * sid),
            row(y * r.z - sdd * r.y, sdd * one.source_offset_y - y * sid), row(r.z, -sid)};
  }
  Matrix matrix{};
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = rows[i / 4][i % 4];
  return matrix;
}

/// The projections whose matrix is not that of their parameters.
struct Contradiction {
  std::size_t different = 0, first = 0;  ///< how many; the first of them, from 1
  double largest = 0;
};

Contradiction compare_matrices(const RtkGeometry& geometry) {
  constexpr double tolerance = 1e-3;  // RTK's own
  Contradiction found;
  for (std::size_t i = 0; i < geometry.projections.size(); ++i) {
    const Parameters& one = geometry.projections[i];
    if (!one.matrix) continue;
    const Matrix expected = matrix_of(one);
    double difference = 0;
    for (std::size_t k = 0; k < expected.size(); ++k)
      difference = std::max(difference, std::abs(expected[k] - (*one.matrix)[k]));
    if (difference <= tolerance) continue;
    if (found.different++ == 0) found.first = i + 1;
    found.largest = std::max(found.largest, difference);
  }
  return found;
}

/// Whether the matrices say where source and detector stand: where a parameter is missing, and they
/// are not those of the parameters that there are. Notes say which of the two were taken.
bool takes_matrices(const RtkGeometry& geometry, std::vector<std::string>& notes) {
  const Contradiction found = compare_matrices(geometry);
  if (found.different == 0) return false;
  const std::vector<std::string> missing = missing_parameters(geometry);
  if (geometry.has_all_matrices() && !missing.empty() && geometry.cylinder_radius == 0) {
    notes.push_back("the file states no " + joined(missing) + ": its matrices were taken");
    return true;
  }
  notes.push_back("the matrices of " + std::to_string(found.different) + " of " +
                  std::to_string(geometry.projections.size()) + " projections, the first of them " +
                  std::to_string(found.first) + ", differ by up to " +
                  format_param(to_digits(found.largest, 3)) +
                  " from their parameters, which were taken");
  return false;
}

/// Returns a matrix of RTK as one from world coordinates to columns and rows: the axes as
/// to_world(), mm on the detector by the size of a cell and the place of the point (0, 0).
Matrix cells_by(const Matrix& rtk, const KnownDetector& known, const CellPlace& zero) {
  Matrix m{};
  for (std::size_t column = 0; column < 4; ++column) {
    const double w = rtk[8 + column];
    m[column] = rtk[column] / known.pixel_mm + zero.column * w;
    m[4 + column] = rtk[4 + column] / known.row_pitch_mm() + zero.row * w;
    m[8 + column] = w;
  }
  for (std::size_t row = 0; row < 12; row += 4) {
    const double y = m[row + 1], z = m[row + 2];
    m[row + 1] = -z;
    m[row + 2] = y;
  }
  return m;
}

// ---- A cylindrical detector

[[noreturn]] void refuse_cylinder(const std::string& what, const std::string& path) {
  throw InputError("has a cylindrical detector " + what, path,
                   "only a cylinder about the source on an untilted circle can be kept; rebin the "
                   "projections to a flat detector");
}

/// Returns the circle with an arc detector that the projections are, whose point (0, 0) lies at
/// `zero`.
ScanSpec arc_of(const RtkGeometry& geometry, ScanSpec spec, const KnownDetector& known,
                const CellPlace& zero, const std::string& path, std::vector<std::string>& notes) {
  const double pitch_mm = known.pixel_mm;
  const Parameters& first = geometry.projections.front();
  const double slack_mm = 0.01 * pitch_mm;  // of offsets, which may wobble by less than it matters
  double wobble_mm = 0;
  spec.trajectory = Trajectory::circular;
  spec.detector = DetectorShape::arc;
  for (const Parameters& one : geometry.projections) {
    if (std::abs(geometry.cylinder_radius - one.source_to_detector) > 1e-6 * one.source_to_detector)
      refuse_cylinder("of radius " + format_param(geometry.cylinder_radius) +
                          " mm, which is not about the source at " +
                          format_param(one.source_to_detector) + " mm",
                      path);
    if (one.out_of_plane_angle != 0 || one.in_plane_angle != 0 || one.source_offset_x != 0 ||
        one.source_offset_y != 0)
      refuse_cylinder("that is tilted, or a source beside the central ray", path);
    if (std::abs(one.source_to_isocenter - first.source_to_isocenter) > slack_mm ||
        std::abs(one.source_to_detector - first.source_to_detector) > slack_mm)
      refuse_cylinder("whose distances change", path);
    wobble_mm = std::max({wobble_mm, std::abs(one.projection_offset_x - first.projection_offset_x),
                          std::abs(one.projection_offset_y - first.projection_offset_y)});
    const double angle = radians(one.gantry_angle);
    spec.view_angles_rad.push_back(
        spec.view_angles_rad.empty()
            ? angle
            : spec.view_angles_rad.back() +
                  std::remainder(angle - spec.view_angles_rad.back(), 2 * pi));
  }
  if (wobble_mm > slack_mm)
    refuse_cylinder("whose offsets change by " + format_param(to_digits(wobble_mm, 3)) + " mm",
                    path);
  if (wobble_mm > 0)
    notes.push_back("the offsets of the detector change by up to " +
                    format_param(to_digits(wobble_mm, 3)) +
                    " mm, less than a hundredth of a cell: those of the first projection hold");
  spec.source_to_isocenter_mm = first.source_to_isocenter;
  spec.source_to_detector_mm = first.source_to_detector;
  spec.column_pitch_mm = pitch_mm;
  spec.row_pitch_mm = known.row_pitch_mm();
  spec.central_column = zero.column - first.projection_offset_x / spec.column_pitch_mm;
  spec.central_row = zero.row - first.projection_offset_y / spec.row_pitch_mm;
  return spec;
}

StatedGeometry rtk_stated(const std::string& path, const KnownDetector& known) {
  const RtkGeometry geometry = read_rtk(path);
  constexpr const char* remedy =
      "RTK's geometry holds neither cells nor their size: import it with its projections, and give "
      "the size of a cell";
  StatedGeometry stated;
  stated.spec = poses_on_detector(known, path, remedy);
  if (!(known.pixel_mm > 0))
    throw InputError("does not state the distance of detector cells", path, remedy);
  const CellPlace zero =
      known.zero.value_or(CellPlace{stated.spec.central_column, stated.spec.central_row});
  stated.assumptions = {
      known.zero ? Assumption{"RTK's point (0, 0)",
                              "column " + format_param(to_digits(zero.column, 6)) + ", row " +
                                  format_param(to_digits(zero.row, 6)),
                              "the origin that the file of the projections states"}
                 : Assumption{"middle of the detector", "RTK's point (0, 0) plus the offsets",
                              "RTK keeps the origin of projections in their own files"},
      {"axes", "RTK's y is z here, RTK's z is -y", "the axis of rotation is z"}};
  note_statements(geometry, path, stated);
  if (takes_matrices(geometry, stated.notes)) {
    for (std::size_t i = 0; i < geometry.projections.size(); ++i)
      stated.spec.poses.push_back(
          pose_of_matrix(cells_by(*geometry.projections[i].matrix, known, zero), stated.spec,
                         known.pixel_mm, path + ", matrix " + std::to_string(i + 1)));
    return stated;
  }
  require_possible(geometry, path);
  if (geometry.cylinder_radius != 0) {
    stated.spec = arc_of(geometry, stated.spec, known, zero, path, stated.notes);
    return stated;
  }
  if (geometry.projections.front().source_to_detector == 0) stated.spec.beam = Beam::parallel;
  for (const Parameters& one : geometry.projections)
    stated.spec.poses.push_back(pose_of(one, known, stated.spec, zero));
  return stated;
}

}  // namespace

bool is_rtk_geometry(std::string_view start) {
  return start.find(root_name) != std::string_view::npos;
}

std::size_t projections_in_rtk(const std::string& path) {
  return read_rtk(path).projections.size();
}

GeometryFormat rtk_geometry_format() {
  GeometryFormat format;
  format.key = "rtk_geometry";
  format.label = "RTK geometry";
  format.extensions = {".xml"};
  format.magic = [](std::string_view start) {
    return is_rtk_geometry(start) ? Certainty::certain : Certainty::none;
  };
  format.read = rtk_stated;
  return format;
}

}  // namespace gantry
