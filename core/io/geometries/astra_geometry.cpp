#include "core/io/geometries/astra_geometry.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/files/text/number_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t largest_json = std::size_t{1} << 29;
constexpr int most_cells = 65536;

/// In the order of AstraType.
constexpr std::array<const char*, 3> types = {"cone_vec", "fanflat_vec", "parallel3d_vec"};
/// Those of a circle about the origin, of which ASTRA makes the types above (astra.geom_2vec).
constexpr std::array<const char*, 4> circular = {"cone", "fanflat", "parallel3d", "parallel"};

Vec3 vector_at(std::span<const double> numbers, std::size_t index) {
  return {numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2]};
}

View view_of(std::span<const double> numbers, AstraType type) {
  if (type == AstraType::fan) {
    const Vec3 u{numbers[4], numbers[5], 0};
    return {{numbers[0], numbers[1], 0}, {numbers[2], numbers[3], 0}, u, {0, 0, norm(u)}};
  }
  const Vec3 middle = vector_at(numbers, 1);
  View view{vector_at(numbers, 0), middle, vector_at(numbers, 2), vector_at(numbers, 3)};
  if (type == AstraType::parallel) view.source_mm = middle - view.source_mm;
  return view;
}

/// Returns the geometry of the views, [view][number]. `remedy` says how the file can state how many
/// cells the detector has.
StatedGeometry stated_by(AstraType type, std::span<const double> numbers,
                         const KnownDetector& detector, const std::string& path,
                         const std::string& remedy) {
  StatedGeometry stated;
  stated.spec = poses_on_detector(detector, path, remedy);
  if (type == AstraType::parallel) stated.spec.beam = Beam::parallel;
  const std::size_t count = numbers_of(type);
  for (std::size_t i = 0; i < numbers.size(); i += count)
    stated.spec.poses.push_back(view_of(numbers.subspan(i, count), type));
  stated.assumptions.push_back({"unit of lengths", "mm", "ASTRA's geometries have no unit"});
  if (type == AstraType::fan)
    stated.assumptions.push_back(
        {"height of a cell", "that of its width", "fanflat_vec is of a single row"});
  return stated;
}

/// Returns a count of cells: the file's, else the known one. Projections of another count are
/// refused by who reads them.
int cells(double in_file, int known, const char* what, const std::string& path) {
  if (in_file == 0) return known;
  if (!(in_file >= 1 && in_file <= most_cells) || in_file != std::floor(in_file))
    throw InputError(std::string(what) + " is no count of cells", path, "give 1 to 65536");
  return static_cast<int>(in_file);
}

}  // namespace

std::size_t numbers_of(AstraType type) { return type == AstraType::fan ? 6 : 12; }

KnownDetector stated_cells(const NumberTable& table, const std::string& path,
                           const KnownDetector& known) {
  const auto stated = [&](const char* key) {
    const auto found = table.stated.find(key);
    return found == table.stated.end() ? 0.0 : found->second;
  };
  return {cells(stated("detectorcolcount"), known.columns, "DetectorColCount", path),
          cells(stated("detectorrowcount"), known.rows, "DetectorRowCount", path)};
}

StatedGeometry geometry_of_vectors(AstraType type, const NumberTable& table,
                                   const std::string& path, const KnownDetector& known) {
  const bool is_fan = type == AstraType::fan;
  KnownDetector detector = stated_cells(table, path, known);
  if (is_fan) detector.rows = 1;
  return stated_by(type, table.values, detector, path,
                   is_fan ? "state it in a line as \"# DetectorColCount = 512\"" : cells_remedy);
}

namespace {

void append_row(const nlohmann::json& row, std::size_t count, std::size_t index,
                const JsonFields& top, std::vector<double>& numbers) {
  const std::string remedy = "give " + std::to_string(count) + " numbers";
  const std::string key = "Vectors[" + std::to_string(index) + "]";
  if (!row.is_array() || row.size() != count) top.fail(key, "is no row of this length", remedy);
  for (const nlohmann::json& value : row) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      top.fail(key, "holds what is not a number", remedy);
    numbers.push_back(value.get<double>());
  }
}

/// Returns the rows of "Vectors", one after another.
std::vector<double> listed_vectors(const JsonFields& top, std::size_t count) {
  const nlohmann::json& rows = top.at("Vectors", "give a list with a row for each view");
  if (!rows.is_array() || rows.empty())
    top.fail("Vectors", "is no list of rows", "give a row for each view");
  std::vector<double> numbers;
  for (std::size_t i = 0; i < rows.size(); ++i) append_row(rows[i], count, i, top, numbers);
  return numbers;
}

/// Returns the vectors that ASTRA makes of a circular geometry: of cells of `width` x `height`, and
/// for a parallel beam with `source` = 1 and `detector` = 0 mm from the axis.
std::vector<double> vectors_of_circle(const JsonFields& top, bool is_fan, double source,
                                      double detector, double width, double height) {
  const nlohmann::json& angles = top.at("ProjectionAngles", "give a list of angles in radians");
  if (!angles.is_array() || angles.empty())
    top.fail("ProjectionAngles", "is no list of angles", "give an angle in radians for each view");
  std::vector<double> numbers;
  for (const nlohmann::json& angle : angles) {
    if (!angle.is_number() || !std::isfinite(angle.get<double>()))
      top.fail("ProjectionAngles", "holds what is not a number", "give angles in radians");
    const double c = std::cos(angle.get<double>()), s = std::sin(angle.get<double>());
    if (is_fan)
      numbers.insert(numbers.end(),
                     {s * source, -c * source, -s * detector, c * detector, c * width, s * width});
    else
      numbers.insert(numbers.end(), {s * source, -c * source, 0, -s * detector, c * detector, 0,
                                     c * width, s * width, 0, 0, 0, height});
  }
  return numbers;
}

double source_distance(const JsonFields& top) {
  constexpr const char* key = "DistanceOriginSource";
  const double distance = top.number(key);
  if (!(distance > 0)) top.fail(key, "is no distance", "give a number that is greater than 0");
  return distance;
}

/// Returns a note if the angles go as far, in steps as long, as degrees do; else nothing.
std::string doubt_of_radians(const JsonFields& top) {
  const auto angles = top.at("ProjectionAngles", "give a list").get<std::vector<double>>();
  const auto [least, most] = std::ranges::minmax(angles);
  const double range = most - least;
  constexpr double turns = 4 * pi, step = 0.05;  // further than scans of radians go, in fewer views
  if (!(range > turns && range <= 720 && range > step * static_cast<double>(angles.size())))
    return {};
  return "ProjectionAngles, " + format_param(to_digits(least, 6)) + " to " +
         format_param(to_digits(most, 6)) +
         ", look like degrees, but were taken as radians, as ASTRA does";
}

StatedGeometry read_json(const std::string& path, const KnownDetector& known) {
  const nlohmann::json json = parse_json(read_text_file(path, largest_json), path);
  const JsonFields top(json, path);
  std::vector<std::string> names(types.begin(), types.end());
  names.insert(names.end(), circular.begin(), circular.end());
  const auto chosen = static_cast<std::size_t>(top.choice("type", names));
  const bool has_vectors = chosen < types.size(), is_row = names[chosen] == "parallel",
             is_parallel = names[chosen].starts_with("parallel"),
             is_fan = names[chosen].starts_with("fanflat");
  const auto type = is_parallel ? AstraType::parallel : is_fan ? AstraType::fan : AstraType::cone;
  const bool is_2d = is_fan || is_row;
  std::vector<double> numbers;
  std::string doubt;
  if (has_vectors) {
    numbers = listed_vectors(top, numbers_of(type));
  } else {
    const double width = top.number(is_2d ? "DetectorWidth" : "DetectorSpacingX"),
                 height = is_2d ? width : top.number("DetectorSpacingY");
    numbers =
        vectors_of_circle(top, is_fan, is_parallel ? 1 : source_distance(top),
                          is_parallel ? 0 : top.number("DistanceOriginDetector"), width, height);
    doubt = doubt_of_radians(top);
  }
  const auto count_of = [&](const char* field, int otherwise) {
    return cells(top.number(field, 0), otherwise, field, path);
  };
  const KnownDetector detector = {
      count_of(is_2d ? "DetectorCount" : "DetectorColCount", known.columns),
      is_2d ? 1 : count_of("DetectorRowCount", known.rows)};
  StatedGeometry stated =
      stated_by(type, numbers, detector, path,
                is_2d ? "give the field DetectorCount"
                      : "give the fields DetectorColCount and DetectorRowCount");
  if (!doubt.empty()) stated.notes.push_back(doubt);
  return stated;
}

GeometryFormat table_format(AstraType type) {
  const std::string name = types[static_cast<std::size_t>(type)];
  GeometryFormat format;
  format.key = "astra_" + name;
  format.label = "ASTRA " + name;
  format.extensions = {"." + name + ".txt", "." + name};
  // As published scans are accompanied by them: scan_geom_corrected.geom of the walnuts of CWI.
  if (type == AstraType::cone) format.extensions.emplace_back(".geom");
  format.read = [type](const std::string& path, const KnownDetector& known) {
    return geometry_of_vectors(type, read_number_table(path, numbers_of(type)), path, known);
  };
  return format;
}

}  // namespace

GeometryFormat astra_json_format() {
  GeometryFormat format;
  format.key = "astra_json";
  format.label = "ASTRA geometry";
  format.extensions = {".json"};
  format.magic = [](std::string_view start) {
    if (!begins_json_object(start)) return Certainty::none;
    const auto holds = [start](const std::string& word) {
      return start.find('"' + word + '"') != std::string_view::npos;
    };
    if (std::ranges::any_of(types, holds)) return Certainty::certain;
    // The words of circular types may stand in other files as well.
    const bool is_circle =
        std::ranges::any_of(circular, holds) &&
        (holds("ProjectionAngles") || holds("DetectorCount") || holds("DetectorColCount"));
    return is_circle ? Certainty::certain : Certainty::none;
  };
  format.read = read_json;
  return format;
}

GeometryFormat astra_cone_format() { return table_format(AstraType::cone); }
GeometryFormat astra_fan_format() { return table_format(AstraType::fan); }
GeometryFormat astra_parallel_format() { return table_format(AstraType::parallel); }

}  // namespace gantry
