#pragma once

#include "core/data/volume.hpp"
#include "core/io/files/json_fields.hpp"

namespace gantry {

/// Returns a grid as JSON for files that contain one: {"size", "spacing_mm", "origin_mm"}, each [x,
/// y, z].
nlohmann::ordered_json to_json(const VolumeGrid& grid);

/// Reads a grid from such an object; without "origin_mm" the grid is centred at the origin of the
/// world. Throws InputError, also for unknown fields.
VolumeGrid grid_from_json(const JsonFields& fields);

}  // namespace gantry
