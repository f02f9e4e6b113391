#include "studies/cumbir/methods.hpp"

namespace gantry::cumbir {

namespace {

// Relative weights of the priors and heights of edges, chosen on the Shepp-Logan scan (part
// "strength") and used for all phantoms.
constexpr double membrane_weight = 0.2, qggmrf_weight = 0.2, variation_weight = 0.002;
constexpr double edge_hu = 20;

Params membrane() { return {{"weight", membrane_weight}, {"threshold", edge_hu}}; }
Params qggmrf() { return {{"weight", qggmrf_weight}, {"edge", edge_hu}}; }

}  // namespace

Method sgd(const std::string& name, const std::string& worker, const std::string& order,
           const std::string& writes) {
  return {.name = name,
          .projector = "siddon",
          .solver = "sgd",
          .params = {{"worker", worker}, {"order", order}, {"writes", writes}},
          .prior = "mumford_shah",
          .prior_params = membrane(),
          .iterations = 12};
}

Method printed_sgd() {
  Method method = sgd("SGD_Thd, mapped, as printed", "thread", "mapped", "racing");
  method.params.set("rate_rule", std::string("printed"));
  return method;
}

Method icd(const std::string& name, const std::string& worker, const std::string& step) {
  return {.name = name,
          .projector = "siddon",
          .solver = "icd",
          .params = {{"worker", worker}, {"step", step}, {"start", std::string("zero")}},
          .prior = "mumford_shah",
          .prior_params = membrane(),
          .iterations = 12};
}

Method supervoxel_icd() {
  return {.name = "super-voxel ICD, q-GGMRF",
          .projector = "separable_footprint",
          .solver = "supervoxel_icd",
          .prior = "qggmrf",
          .prior_params = qggmrf(),
          .iterations = 12};
}

std::vector<Method> all_methods() {
  Method control = sgd("SGD without prior (control)");
  control.prior.clear();
  control.prior_params = {};
  return {sgd("SGD, Mumford-Shah"),
          {.name = "ICD, Mumford-Shah",
           .projector = "separable_footprint",
           .solver = "icd",
           .prior = "mumford_shah",
           .prior_params = membrane(),
           .iterations = 12},
          {.name = "ICD, q-GGMRF",
           .projector = "separable_footprint",
           .solver = "icd",
           .prior = "qggmrf",
           .prior_params = qggmrf(),
           .iterations = 12},
          supervoxel_icd(),
          {.name = "PCG, q-GGMRF",
           .projector = "distance_driven",
           .solver = "wls_pcg",
           .prior = "qggmrf",
           .prior_params = qggmrf(),
           .iterations = 40},
          {.name = "PCG, Mumford-Shah",
           .projector = "distance_driven",
           .solver = "wls_pcg",
           .prior = "mumford_shah",
           .prior_params = membrane(),
           .iterations = 40},
          {.name = "FISTA, TV",
           .projector = "distance_driven",
           .solver = "fista",
           .prior = "tv",
           .prior_params = {{"weight", variation_weight}},
           .iterations = 100},
          {.name = "OS-SART",
           .projector = "distance_driven",
           .solver = "os_sart",
           .iterations = 30},
          {.name = "CGLS", .projector = "distance_driven", .solver = "cgls", .iterations = 30},
          control};
}

}  // namespace gantry::cumbir
