#include "core/priors/common_params.hpp"

#include "core/physics/units.hpp"
#include "core/priors/weight_roles.hpp"

namespace gantry {

namespace {

constexpr const char *weight_key = "weight", *scale_key = "scale", *sharpness_key = "sharpness",
                     *automatic = "automatic";

}  // namespace

bool is_penalty_weight(const ParamSpec& spec) { return spec.key == weight_key; }

bool has_no_effect(const ParamSpec& spec, const Params& resolved) {
  if (spec.key != weight_key && spec.key != sharpness_key) return false;
  if (!resolved.values().contains(scale_key)) return false;  // not the parameters of a prior
  return (resolved.text(scale_key) == automatic) == (spec.key == weight_key);
}

std::vector<ParamSpec> prior_weight_params(double fallback, const std::string& help) {
  return {{.key = weight_key,
           .label = "Weight",
           .unit = "",
           .fallback = fallback,
           .min = 0,
           .max = 1e9,
           .step = fallback / 15,
           .help = "How much a smooth image counts against fitting the data: more removes more "
                   "noise, and then detail. 0: the data alone. " +
                   help,
           .in_names = "weight "},
          {.key = scale_key,
           .label = "Weight is",
           .unit = "",
           .fallback = std::string("relative"),
           .choices = {"relative", "absolute", automatic},
           .help = "Relative: the weight is scaled by the data and the matrix, which suits scans "
                   "of any size and number of views alike. Absolute: λ of the formula. Automatic: "
                   "λ follows from the noise of the data and the sharpness; the weight is not "
                   "used."},
          {.key = sharpness_key,
           .label = "Sharpness",
           .unit = "",
           .fallback = 0.0,
           .min = -20,
           .max = 20,
           .step = 0.5,
           .help = "Of the automatic weight. 1 more allows differences twice as large: a sharper "
                   "image with more noise.",
           .in_names = "sharpness "}};
}

ParamSpec prior_edge_param(const std::string& help) {
  return {.key = "edge",
          .label = "Edge height",
          .unit = "HU",
          .fallback = 10.0,
          .min = 0.01,
          .max = 1e5,
          .step = 5,
          .help = help + " 1000 HU are water's 0.02 per mm."};
}

double prior_edge(const Params& params) { return default_mu_water * params.real("edge") / 1000; }

}  // namespace gantry
