#include "core/phantoms/phantom_params.hpp"

#include "core/physics/units.hpp"

namespace gantry {

namespace {

ParamSpec attenuation(const std::string& key, const std::string& label, const std::string& help) {
  return {.key = key,
          .label = label,
          .unit = "1/mm",
          .fallback = default_mu_water,
          .min = 0,
          .max = 100,
          .step = 0.001,
          .help = help};
}

}  // namespace

ParamSpec mu_water_param() {
  return attenuation("mu_water", "Attenuation of water",
                     "Densities relative to water are multiplied by this.");
}

ParamSpec mu_scale_param() {
  return attenuation("mu_scale", "Attenuation of value 1",
                     "The table's values are multiplied by this.");
}

ParamSpec size_param(const std::string& help) {
  return {.key = "size_mm",
          .label = "Size",
          .unit = "mm",
          .fallback = 200.0,
          .min = 0.001,
          .max = 10000,
          .step = 10,
          .help = help};
}

ParamSpec body_radius_param() {
  return {.key = "radius_mm",
          .label = "Radius of the body",
          .unit = "mm",
          .fallback = 100.0,
          .min = 1,
          .max = 10000,
          .step = 10,
          .help = "Of the round body of water that holds everything else."};
}

}  // namespace gantry
