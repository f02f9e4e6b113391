#include "studies/cumbir/methods.hpp"

namespace gantry::cumbir {

namespace {

// Relative weights of the priors and heights of edges, chosen on the Shepp-Logan scan (part
// "strength", with the data of seed 1) and used for all phantoms: results there are those of the
// scan on which the weights were chosen. Stochastic gradient descent with total variation, and
// coordinate descent on Siddon's weights, have their least errors at other weights than the rest.
constexpr double membrane_weight = 600, qggmrf_weight = 900, variation_weight = 0.15,
                 variation_weight_of_sgd = 0.015, part_on_siddon = 0.3;
constexpr double unweighted_variation_weight =
    0.05;  // of FISTA and OS-FISTA, without statistical weights
constexpr double membrane_edge_hu = 20, qggmrf_edge_hu = 2, smoothing_hu = 1;

Params membrane() { return {{"weight", membrane_weight}, {"threshold", membrane_edge_hu}}; }

/// A method with the prior of svmbir and mbirjax, or with total variation, smoothed where the
/// method needs a gradient.
Method with_qggmrf(Method method) {
  method.name += ", q-GGMRF";
  method.prior = "qggmrf";
  method.prior_params = {{"weight", qggmrf_weight}, {"edge", qggmrf_edge_hu}};
  return method;
}
Method with_variation(Method method, double weight = variation_weight) {
  method.name += ", TV";
  method.prior = "smoothed_tv";
  method.prior_params = {{"weight", weight}, {"smoothing", smoothing_hu}};
  return method;
}

/// The method with Siddon's weights, whose columns cost less than those of separable footprints.
Method on_siddon(Method method) {
  method.name.insert(method.name.find(','), " on Siddon");
  method.projector = "siddon";
  method.prior_params.set("weight", part_on_siddon * method.prior_params.real("weight"));
  return method;
}

/// The method started from grids of twice and four times the voxels' size. Updates of single voxels
/// under priors as strong as these move flat regions slowly, so that the blurred edges of the
/// coarse image stay long; with a weaker prior (tests/bench/rivals/svmbir) super-voxel ICD gains
/// much.
Method from_coarse(Method method) {
  method.name += ", from coarse grids";
  method.coarse_levels = 2;
  return method;
}

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

Method icd(const std::string& name, const std::string& worker, const std::string& step,
           const std::string& start) {
  return {.name = name,
          .projector = "siddon",
          .solver = "icd",
          .params = {{"worker", worker}, {"step", step}, {"start", start}},
          .prior = "mumford_shah",
          .prior_params = membrane(),
          .iterations = step == "printed" ? 12 : 100};
}

Method supervoxel_icd() {
  return {.name = "super-voxel ICD",
          .projector = "separable_footprint",
          .solver = "supervoxel_icd",
          .iterations = 30,
          .is_supervoxel_icd = true};
}

std::vector<Method> all_methods() {
  const auto to_plateau = [](Method method) {
    method.iterations = 40;
    return method;
  };
  Method control = to_plateau(sgd("SGD without prior (control)"));
  control.prior.clear();
  control.prior_params = {};
  const Method icd{
      .name = "ICD", .projector = "separable_footprint", .solver = "icd", .iterations = 40},
      pcg{.name = "PCG", .projector = "distance_driven", .solver = "wls_pcg", .iterations = 150},
      fista{.name = "FISTA, TV",
            .projector = "distance_driven",
            .solver = "fista",
            .prior = "tv",
            .prior_params = {{"weight", unweighted_variation_weight}},
            .iterations = 150};
  return {
      to_plateau(sgd("SGD, Mumford-Shah")),
      with_variation(to_plateau(sgd("SGD")), variation_weight_of_sgd),
      with_qggmrf(icd),
      with_variation(icd),
      on_siddon(with_qggmrf(icd)),
      on_siddon(with_variation(icd)),
      with_qggmrf(supervoxel_icd()),
      with_variation(supervoxel_icd()),
      on_siddon(with_qggmrf(supervoxel_icd())),
      on_siddon(with_variation(supervoxel_icd())),
      from_coarse(with_qggmrf(supervoxel_icd())),
      from_coarse(with_variation(supervoxel_icd())),
      with_qggmrf(pcg),
      with_variation(pcg),
      fista,
      {.name = "OS-FISTA, TV",
       .projector = "distance_driven",
       .solver = "os_fista",
       .params = {{"subsets", std::int64_t{6}}},
       .prior = "tv",
       .prior_params = {{"weight", unweighted_variation_weight}},
       .iterations = 40,
       .weighted = false},
      {.name = "OS-SART", .projector = "distance_driven", .solver = "os_sart", .iterations = 30},
      {.name = "CGLS", .projector = "distance_driven", .solver = "cgls", .iterations = 30},
      control};
}

}  // namespace gantry::cumbir
