#include "core/io/imports/formats/ctsimu_values.hpp"

#include "core/geometry/scan_geometry.hpp"
#include "core/io/files/read_text.hpp"

#include <array>
#include <cstddef>

namespace gantry {

namespace {

constexpr std::size_t largest_json = std::size_t{1} << 26;

struct Unit {
  const char* name;
  double factor;
};
constexpr std::array<Unit, 6> lengths_mm = {
    {{"mm", 1}, {"um", 1e-3}, {"nm", 1e-6}, {"cm", 10}, {"dm", 100}, {"m", 1000}}};
constexpr std::array<Unit, 2> angles_rad = {{{"deg", radians(1)}, {"rad", 1}}};

JsonFields value_of(const JsonFields& object, const std::string& key) {
  return object.object(key, "give it as {\"value\": NUMBER}");
}

/// Returns a value times the factor of its unit, the first one if none is stated.
template <std::size_t count>
double scaled(const JsonFields& object, const std::string& key,
              const std::array<Unit, count>& units) {
  const JsonFields value = value_of(object, key);
  const std::string unit = value.text_or("unit", units.front().name);
  for (const auto& [name, factor] : units)
    if (unit == name) return factor * value.number("value");
  value.fail("unit", "\"" + unit.substr(0, 40) + "\" is not known",
             std::string("use ") + units.front().name);
}

}  // namespace

nlohmann::json read_ctsimu_json(const std::string& path) {
  nlohmann::json json = parse_json(read_text_file(path, largest_json), path);
  const JsonFields top(json, path);
  const JsonFields file = top.object("file", "give a file of CTSimU");
  file.choice("file_type", {"CTSimU Scenario", "CTSimU Metadata"});
  return json;
}

double ctsimu_number(const JsonFields& object, const std::string& key) {
  return value_of(object, key).number("value");
}

int ctsimu_whole(const JsonFields& object, const std::string& key, int low, int high) {
  return value_of(object, key).integer("value", low, high);
}

double ctsimu_length_mm(const JsonFields& object, const std::string& key) {
  return scaled(object, key, lengths_mm);
}

double ctsimu_angle_rad(const JsonFields& object, const std::string& key) {
  return scaled(object, key, angles_rad);
}

bool begins_ctsimu_json(std::string_view start) {
  return begins_json_object(start) &&
         (start.find("\"CTSimU Scenario\"") != std::string_view::npos ||
          start.find("\"CTSimU Metadata\"") != std::string_view::npos);
}

}  // namespace gantry
