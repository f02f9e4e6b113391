#include "core/job/metrics_json.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <array>

namespace gantry {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> masks = {"all", "circle", "roi"};
// As Region::Shape; an ellipse is a circle with two sizes.
constexpr std::array<const char*, 3> shapes = {"circle", "box", "ellipse"};
constexpr int ellipse = 2;

struct Two {
  double first, second;
};

Two two_numbers(const JsonFields& fields, const char* key, const std::string& remedy) {
  const nlohmann::json& value = fields.at(key, remedy);
  if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number())
    fields.fail(key, "is not a list of two numbers", remedy);
  return {value[0].get<double>(), value[1].get<double>()};
}

/// Validates a region or edge. Throws InputError that names its file and field.
template <class Place>
Place validated(const Place& place, const JsonFields& fields, const std::string& name) {
  try {
    place.validate(fields.path_of(name));
  } catch (const UsageError& error) {
    throw InputError(error.what(), fields.where());
  }
  return place;
}

std::optional<Region> read_region(const JsonFields& parent, const std::string& name) {
  if (!parent.has(name)) return std::nullopt;
  const JsonFields fields = parent.object(name, {});
  require_no_unknown_fields(fields.others({"shape", "center_mm", "radius_mm", "size_mm", "z_mm"}),
                            fields);
  Region region;
  const int shape = fields.choice("shape", shapes);
  region.shape = shape == ellipse ? Region::Shape::circle : static_cast<Region::Shape>(shape);
  const Two center = two_numbers(fields, "center_mm", "write [x, y]");
  region.x_mm = center.first;
  region.y_mm = center.second;
  const bool circle = shape == static_cast<int>(Region::Shape::circle);
  if (fields.has(circle ? "size_mm" : "radius_mm"))
    fields.fail(circle ? "size_mm" : "radius_mm",
                std::string("is not a field of a ") + shapes[static_cast<std::size_t>(shape)],
                circle ? "give radius_mm" : "give size_mm");
  if (circle) {
    region.half_width_mm = region.half_height_mm = fields.number("radius_mm");
  } else {
    const Two size = two_numbers(fields, "size_mm", "write [width, height]");
    region.half_width_mm = 0.5 * size.first;
    region.half_height_mm = 0.5 * size.second;
  }
  if (fields.has("z_mm")) {
    const Two z = two_numbers(fields, "z_mm", "write [low, high]");
    region.z_low_mm = z.first;
    region.z_high_mm = z.second;
  }
  return validated(region, parent, name);
}

std::optional<EdgeSegment> read_edge(const JsonFields& parent) {
  if (!parent.has("edge")) return std::nullopt;
  const JsonFields fields = parent.object("edge", {});
  require_no_unknown_fields(fields.others({"from_mm", "to_mm", "z_mm"}), fields);
  const Two from = two_numbers(fields, "from_mm", "write [x, y]"),
            to = two_numbers(fields, "to_mm", "write [x, y]");
  EdgeSegment edge{from.first, from.second, to.first, to.second};
  if (fields.has("z_mm")) edge.z_mm = fields.number("z_mm");
  return validated(edge, parent, "edge");
}

Json region_json(const Region& region) {
  const bool circle =
      region.shape == Region::Shape::circle && region.half_width_mm == region.half_height_mm;
  const int shape = region.shape == Region::Shape::box ? static_cast<int>(region.shape)
                    : circle                           ? static_cast<int>(Region::Shape::circle)
                                                       : ellipse;
  Json json = {{"shape", shapes[static_cast<std::size_t>(shape)]},
               {"center_mm", {region.x_mm, region.y_mm}}};
  if (circle)
    json["radius_mm"] = region.half_width_mm;
  else
    json["size_mm"] = {2 * region.half_width_mm, 2 * region.half_height_mm};
  if (region.limited_in_z())  // JSON has no infinity
    json["z_mm"] = {std::max(region.z_low_mm, -1e9), std::min(region.z_high_mm, 1e9)};
  return json;
}

Json edge_json(const EdgeSegment& edge) {
  Json json = {{"from_mm", {edge.x0_mm, edge.y0_mm}}, {"to_mm", {edge.x1_mm, edge.y1_mm}}};
  if (edge.z_mm) json["z_mm"] = *edge.z_mm;
  return json;
}

}  // namespace

MetricsSpec metrics_from_json(const JsonFields& fields) {
  require_no_unknown_fields(fields.others({"mask", "exact_residual", "roi", "background", "edge"}),
                            fields);
  MetricsSpec metrics;
  metrics.mask =
      static_cast<MaskKind>(fields.choice("mask", masks, static_cast<int>(metrics.mask)));
  metrics.exact_residual = fields.flag("exact_residual", metrics.exact_residual);
  metrics.regions = {read_region(fields, "roi"), read_region(fields, "background"),
                     read_edge(fields)};
  if (metrics.mask == MaskKind::roi && !metrics.regions.roi)
    fields.fail("mask", "is the region of interest, but there is none",
                "give " + fields.path_of("roi") + ", or use all or circle");
  return metrics;
}

nlohmann::ordered_json to_json(const MetricsSpec& metrics) {
  Json json = {{"mask", masks[static_cast<std::size_t>(metrics.mask)]},
               {"exact_residual", metrics.exact_residual}};
  if (metrics.regions.roi) json["roi"] = region_json(*metrics.regions.roi);
  if (metrics.regions.background) json["background"] = region_json(*metrics.regions.background);
  if (metrics.regions.edge) json["edge"] = edge_json(*metrics.regions.edge);
  return json;
}

}  // namespace gantry
