#include "core/io/scans/geometry_json.hpp"

#include "core/base/error.hpp"
#include "core/io/scans/geometry_json_impl.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace gantry {

namespace {

constexpr std::array<const char*, 3> beams = {"parallel", "fan", "cone"};
constexpr std::array<const char*, 2> shapes = {"flat", "arc"};
constexpr std::array<const char*, 3> trajectories = {"circular", "helical", "poses"};
constexpr int most_views = 10'000'000, most_cells = 65536;

// ---- Reading

std::vector<double> angle_list(const JsonFields& geometry, const nlohmann::json& list) {
  std::vector<double> angles_rad;
  angles_rad.reserve(list.size());
  for (const nlohmann::json& angle : list) {
    const double degrees = angle.is_number() ? angle.get<double>() : std::nan("");
    if (!std::isfinite(degrees))
      geometry.fail("view_angles_deg[" + std::to_string(angles_rad.size()) + "]", "is not a number",
                    "give each angle in degrees");
    angles_rad.push_back(radians(degrees));
  }
  return angles_rad;
}

std::vector<double> read_angles(const JsonFields& geometry) {
  const std::string remedy = "give a list of angles in degrees or {\"first\", \"step\", \"count\"}";
  const nlohmann::json& value = geometry.at("view_angles_deg", remedy);
  if (value.is_array()) {
    if (value.empty()) geometry.fail("view_angles_deg", "is empty", remedy);
    if (value.size() > most_views)
      geometry.fail("view_angles_deg", "has more than 10 million views", "leave some out");
    return angle_list(geometry, value);
  }
  if (!value.is_object()) geometry.fail("view_angles_deg", "is neither list nor object", remedy);
  const JsonFields range = geometry.object("view_angles_deg", remedy);
  const double first = range.number("first"), step = range.number("step");
  return angles_from_degrees(first, step, range.integer("count", 1, most_views));
}

double read_length(const JsonFields& geometry, const std::string& key) {
  const double length_mm = geometry.number(key);
  if (length_mm <= 0) geometry.fail(key, "is not positive", "give a length in mm");
  return length_mm;
}

void read_cells(const JsonFields& geometry, ScanSpec& spec) {
  spec.detector_columns = geometry.integer("detector_columns", 1, most_cells);
  spec.detector_rows = spec.beam == Beam::cone
                           ? geometry.integer("detector_rows", 1, most_cells)
                           : geometry.integer("detector_rows", 1, most_cells, 1);
  spec.central_column = geometry.number("central_column", 0.5 * (spec.detector_columns - 1));
  spec.central_row = geometry.number("central_row", 0.5 * (spec.detector_rows - 1));
}

void read_pitches(const JsonFields& geometry, ScanSpec& spec) {
  spec.column_pitch_mm = read_length(geometry, "column_pitch_mm");
  const bool row_pitch = spec.detector_rows > 1 || geometry.has("row_pitch_mm");
  spec.row_pitch_mm = row_pitch ? read_length(geometry, "row_pitch_mm") : spec.column_pitch_mm;
}

void read_feed(const JsonFields& geometry, ScanSpec& spec) {
  const bool helical = spec.trajectory == Trajectory::helical;
  spec.helical_feed_mm_per_turn = helical ? geometry.number("helical_feed_mm_per_turn")
                                          : geometry.number("helical_feed_mm_per_turn", 0);
  if (!helical && spec.helical_feed_mm_per_turn != 0)
    geometry.fail("helical_feed_mm_per_turn", "is given for a circular trajectory",
                  "set \"trajectory\" to \"helical\" or remove it");
}

void read_turning(const JsonFields& geometry, ScanSpec& spec) {
  // A parallel beam does not need the distances, but keeps them if they are given.
  const bool parallel = spec.beam == Beam::parallel;
  spec.source_to_isocenter_mm = parallel ? geometry.number("source_to_isocenter_mm", 0)
                                         : read_length(geometry, "source_to_isocenter_mm");
  spec.source_to_detector_mm = parallel ? geometry.number("source_to_detector_mm", 0)
                                        : read_length(geometry, "source_to_detector_mm");
  read_cells(geometry, spec);
  read_pitches(geometry, spec);
  read_feed(geometry, spec);
  spec.view_angles_rad = read_angles(geometry);
}

Vec3 read_vector(const JsonFields& pose, const char* key) {
  const std::string remedy = "give [x, y, z] in mm";
  const nlohmann::json& list = pose.at(key, remedy);
  if (!list.is_array() || list.size() != 3) pose.fail(key, "is not a list of three", remedy);
  for (const nlohmann::json& value : list)
    if (!value.is_number()) pose.fail(key, "holds what is not a number", remedy);
  return {list[0].get<double>(), list[1].get<double>(), list[2].get<double>()};
}

void read_poses(const JsonFields& geometry, ScanSpec& spec) {
  const std::string remedy =
      "give a list of {\"source_mm\", \"detector_mm\", \"u_mm\", \"v_mm\"}, each [x, y, z]";
  read_cells(geometry, spec);
  const nlohmann::json& list = geometry.at("poses", remedy);
  if (!list.is_array() || list.empty())
    geometry.fail("poses", list.is_array() ? "is empty" : "is not a list", remedy);
  if (list.size() > most_views)
    geometry.fail("poses", "has more than 10 million views", "leave some out");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonFields pose(list[i], geometry.where(),
                          geometry.path_of("poses[" + std::to_string(i) + "]"));
    spec.poses.push_back({read_vector(pose, "source_mm"), read_vector(pose, "detector_mm"),
                          read_vector(pose, "u_mm"), read_vector(pose, "v_mm")});
  }
}

// ---- Writing

/// Returns the shortest decimal number, of 1 to 17 digits of `value`, that `same` accepts; else
/// `value`.
template <class Same>
double shortest(double value, const Same& same) {
  for (int digits = 1; digits <= 17; ++digits) {
    std::array<char, 40> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size() - 1, value,
                                            std::chars_format::scientific, digits - 1);
    const double rounded = error == std::errc{} ? std::strtod(text.data(), nullptr) : value;
    if (same(rounded)) return rounded;
  }
  return value;
}

/// Returns an angle in degrees that converts back to exactly `angle_rad`, if there is one.
double to_degrees(double angle_rad) {
  const double value = degrees(angle_rad);
  for (const double nearby :
       {value, std::nextafter(value, 0.0), std::nextafter(value, 2 * value)}) {
    const double found = shortest(nearby, [=](double d) { return radians(d) == angle_rad; });
    if (radians(found) == angle_rad) return found;
  }
  return value;
}

nlohmann::ordered_json angles_to_json(const std::vector<double>& angles_rad) {
  const auto count = static_cast<int>(angles_rad.size());
  if (count > 2) {
    const double first = to_degrees(angles_rad.front());
    const auto same = [&](double step) {
      return angles_from_degrees(first, step, count) == angles_rad;
    };
    const double step = shortest((degrees(angles_rad.back()) - first) / (count - 1), same);
    if (same(step)) return {{"first", first}, {"step", step}, {"count", count}};
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const double angle : angles_rad) list.push_back(to_degrees(angle));
  return list;
}

nlohmann::ordered_json poses_to_json(const std::vector<View>& poses) {
  const auto vector = [](Vec3 p) { return nlohmann::ordered_json{p.x, p.y, p.z}; };
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const View& pose : poses)
    list.push_back({{"source_mm", vector(pose.source_mm)},
                    {"detector_mm", vector(pose.detector_mm)},
                    {"u_mm", vector(pose.u_mm)},
                    {"v_mm", vector(pose.v_mm)}});
  return list;
}

}  // namespace

ScanSpec scan_spec_from_json(const JsonFields& geometry, std::vector<std::string>* notes) {
  ScanSpec spec;
  spec.beam = static_cast<Beam>(geometry.choice("beam", beams));
  spec.trajectory = static_cast<Trajectory>(geometry.choice("trajectory", trajectories, 0));
  const bool poses = spec.trajectory == Trajectory::poses,
             flat = poses || spec.beam == Beam::parallel;
  spec.detector = static_cast<DetectorShape>(flat ? geometry.choice("detector", shapes, 0)
                                                  : geometry.choice("detector", shapes));
  if (poses)
    read_poses(geometry, spec);
  else
    read_turning(geometry, spec);
  if (notes != nullptr)
    for (const std::string& path : unknown_geometry_fields(geometry))
      notes->push_back("the field " + path + " is not known and was left out");
  // ScanGeometry checks whether the fields fit together.
  return ScanGeometry(std::move(spec), geometry.where()).spec();
}

std::vector<std::string> unknown_geometry_fields(const JsonFields& geometry) {
  if (geometry.text_or("trajectory", "") == "poses")
    return geometry.others({"beam", "detector", "trajectory", "detector_columns", "detector_rows",
                            "central_column", "central_row", "poses"});
  return geometry.others({"beam", "detector", "trajectory", "source_to_isocenter_mm",
                          "source_to_detector_mm", "detector_columns", "detector_rows",
                          "column_pitch_mm", "row_pitch_mm", "central_column", "central_row",
                          "view_angles_deg", "helical_feed_mm_per_turn"});
}

nlohmann::ordered_json to_json(const ScanSpec& spec) {
  const bool poses = spec.trajectory == Trajectory::poses;  // all other fields follow from these
  auto json = nlohmann::ordered_json::object();
  json["beam"] = beams[static_cast<std::size_t>(spec.beam)];
  json["detector"] = shapes[static_cast<std::size_t>(spec.detector)];
  json["trajectory"] = trajectories[static_cast<std::size_t>(spec.trajectory)];
  if (!poses && (spec.beam != Beam::parallel || spec.source_to_isocenter_mm != 0 ||
                 spec.source_to_detector_mm != 0)) {
    json["source_to_isocenter_mm"] = spec.source_to_isocenter_mm;
    json["source_to_detector_mm"] = spec.source_to_detector_mm;
  }
  json["detector_columns"] = spec.detector_columns;
  json["detector_rows"] = spec.detector_rows;
  if (!poses) {
    json["column_pitch_mm"] = spec.column_pitch_mm;
    json["row_pitch_mm"] = spec.row_pitch_mm;
  }
  json["central_column"] = spec.central_column;
  json["central_row"] = spec.central_row;
  if (spec.trajectory == Trajectory::helical)
    json["helical_feed_mm_per_turn"] = spec.helical_feed_mm_per_turn;
  if (poses)
    json["poses"] = poses_to_json(spec.poses);
  else
    json["view_angles_deg"] = angles_to_json(spec.view_angles_rad);
  return json;
}

ScanSpec parse_geometry(const std::string& json_text, const std::string& where,
                        std::vector<std::string>* notes) {
  const nlohmann::json json = parse_json(json_text, where);
  const JsonFields top(json, where);
  // Any other text is the geometry alone.
  const bool scan_file = top.has("geometry") || top.has("format");
  return scan_spec_from_json(scan_file ? top.object("geometry", "describe the scan") : top, notes);
}

std::string format_geometry(const ScanSpec& spec) { return to_json(spec).dump(1); }

}  // namespace gantry
