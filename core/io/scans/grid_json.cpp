#include "core/io/scans/grid_json.hpp"

#include "core/base/params.hpp"

namespace gantry {

VolumeGrid grid_from_json(const JsonFields& fields) {
  require_no_unknown_fields(fields.others({"size", "spacing_mm", "origin_mm"}), fields);
  const auto triple = [&](const char* key) {
    const nlohmann::json& value = fields.at(key, "give three numbers");
    if (!value.is_array() || value.size() != 3 || !value[0].is_number() || !value[1].is_number() ||
        !value[2].is_number())
      fields.fail(key, "is not a list of three numbers", "write [x, y, z]");
    return Vec3{value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
  };
  const Vec3 size = triple("size"), spacing = triple("spacing_mm");
  for (const double n : {size.x, size.y, size.z})
    if (n < 1 || n > 65536 || n != static_cast<int>(n))
      fields.fail("size", "holds " + format_param(n), "use whole numbers from 1 to 65536");
  VolumeGrid grid = VolumeGrid::centered(static_cast<int>(size.x), static_cast<int>(size.y),
                                         static_cast<int>(size.z), spacing);
  if (fields.has("origin_mm")) grid.origin_mm = triple("origin_mm");
  grid.validate(fields.where() + ", grid");
  return grid;
}

nlohmann::ordered_json to_json(const VolumeGrid& grid) {
  return {{"size", {grid.nx, grid.ny, grid.nz}},
          {"spacing_mm", {grid.spacing_mm.x, grid.spacing_mm.y, grid.spacing_mm.z}},
          {"origin_mm", {grid.origin_mm.x, grid.origin_mm.y, grid.origin_mm.z}}};
}

}  // namespace gantry
