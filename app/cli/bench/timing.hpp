#pragma once

#include "core/backend/energy_counter.hpp"
#include "core/base/timing.hpp"

#include <nlohmann/json.hpp>

namespace gantry::cli {

inline nlohmann::ordered_json to_json(const Timing& timing) {
  return {{"median_ms", timing.median_ms},
          {"min_ms", timing.fastest_ms},
          {"max_ms", timing.slowest_ms}};
}

inline nlohmann::ordered_json to_json(const CallEnergy& energy) {
  return {{"millijoules", energy.millijoules}, {"watts", energy.watts}};
}

}  // namespace gantry::cli
