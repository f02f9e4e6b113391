#pragma once

#include "core/base/timing.hpp"

#include <nlohmann/json.hpp>

namespace gantry::cli {

inline nlohmann::ordered_json to_json(const Timing& timing) {
  return {{"median_ms", timing.median_ms},
          {"min_ms", timing.fastest_ms},
          {"max_ms", timing.slowest_ms}};
}

}  // namespace gantry::cli
