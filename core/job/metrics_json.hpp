#pragma once

#include "core/io/files/json_fields.hpp"
#include "core/job/experiment.hpp"

namespace gantry {

/// Reads and writes the metrics of an experiment:
///   {"mask": "all" | "circle" | "roi", "exact_residual": true | false,
///    "roi": REGION, "background": REGION, "edge": {"from_mm": [x, y], "to_mm": [x, y], "z_mm": z}}
/// where REGION is {"shape": "circle", "center_mm": [x, y], "radius_mm": r} or {"shape": "box",
/// "center_mm": [x, y], "size_mm": [w, h]}, and "z_mm": [low, high] limits it to some slices. All
/// fields may be left out. Throws InputError naming the field and what to do.
MetricsSpec metrics_from_json(const JsonFields& fields);
nlohmann::ordered_json to_json(const MetricsSpec& metrics);

}  // namespace gantry
