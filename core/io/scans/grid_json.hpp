#pragma once

#include "core/data/volume.hpp"
#include "core/io/files/json_fields.hpp"

namespace gantry {

/// For files that name a grid: {"size", "spacing_mm", "origin_mm"}, each [x, y, z].
nlohmann::ordered_json to_json(const VolumeGrid& grid);

/// A grid without an origin stands about the origin of the world. Throws InputError.
VolumeGrid grid_from_json(const JsonFields& fields);

}  // namespace gantry
