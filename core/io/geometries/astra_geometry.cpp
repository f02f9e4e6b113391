#include "core/io/geometries/astra_geometry.hpp"

#include "core/base/error.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/io/files/number_table.hpp"
#include "core/io/files/read_text.hpp"

#include <array>
#include <cmath>
#include <span>

namespace gantry {

namespace {

constexpr std::size_t largest_json = std::size_t{1} << 29;
constexpr int most_cells = 65536;

/// The types of geometry; the index is that of `types`.
enum class AstraType { cone, fan, parallel };
constexpr std::array<const char*, 3> types = {"cone_vec", "fanflat_vec", "parallel3d_vec"};

std::size_t numbers_of(AstraType type) { return type == AstraType::fan ? 6 : 12; }

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

StatedGeometry read_table(const std::string& path, const KnownDetector& known, AstraType type) {
  const NumberTable table = read_number_table(path, numbers_of(type));
  const auto stated = [&](const char* key) {
    const auto found = table.stated.find(key);
    return found == table.stated.end() ? 0.0 : found->second;
  };
  const bool is_fan = type == AstraType::fan;
  const int columns = cells(stated("detectorcolcount"), known.columns, "DetectorColCount", path),
            rows = cells(stated("detectorrowcount"), known.rows, "DetectorRowCount", path);
  return stated_by(type, table.values, {columns, is_fan ? 1 : rows}, path,
                   is_fan ? "state it in a line as \"# DetectorColCount = 512\""
                          : "state it in lines as \"# DetectorColCount = 512\" and "
                            "\"# DetectorRowCount = 256\"");
}

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

StatedGeometry read_json(const std::string& path, const KnownDetector& known) {
  const nlohmann::json json = parse_json(read_text_file(path, largest_json), path);
  const JsonFields top(json, path);
  const auto type = static_cast<AstraType>(top.choice("type", types));
  const std::size_t count = numbers_of(type);
  const nlohmann::json& rows = top.at("Vectors", "give a list with a row for each view");
  if (!rows.is_array() || rows.empty())
    top.fail("Vectors", "is no list of rows", "give a row for each view");
  std::vector<double> numbers;
  for (std::size_t i = 0; i < rows.size(); ++i) append_row(rows[i], count, i, top, numbers);
  const bool is_fan = type == AstraType::fan;
  const auto count_of = [&](const char* field, int otherwise) {
    return cells(top.number(field, 0), otherwise, field, path);
  };
  const KnownDetector detector = {
      count_of(is_fan ? "DetectorCount" : "DetectorColCount", known.columns),
      is_fan ? 1 : count_of("DetectorRowCount", known.rows)};
  return stated_by(type, numbers, detector, path,
                   is_fan ? "give the field DetectorCount"
                          : "give the fields DetectorColCount and DetectorRowCount");
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
    return read_table(path, known, type);
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
    for (const char* type : types)
      if (start.find("\"" + std::string(type) + "\"") != std::string_view::npos)
        return Certainty::certain;
    return Certainty::none;
  };
  format.read = read_json;
  return format;
}

GeometryFormat astra_cone_format() { return table_format(AstraType::cone); }
GeometryFormat astra_fan_format() { return table_format(AstraType::fan); }
GeometryFormat astra_parallel_format() { return table_format(AstraType::parallel); }

}  // namespace gantry
