#include "core/priors/mumford_shah.hpp"

#include "core/physics/units.hpp"
#include "core/priors/common_params.hpp"
#include "core/priors/edge_field_prior.hpp"
#include "core/priors/magnitude_prior.hpp"

namespace gantry {

namespace {

ParamSpec threshold_param() {
  return {.key = "threshold",
          .label = "Edge threshold τ",
          .unit = "HU",
          .fallback = 50.0,
          .min = 0.01,
          .max = 1e5,
          .step = 10,
          .help =
              "Differences between neighbours above this become edges, which are not smoothed; "
              "smaller ones are smoothed. 1000 HU are water's 0.02 per mm."};
}

std::vector<ParamSpec> weight_and_threshold() {
  std::vector<ParamSpec> params =
      prior_weight_params(30, "Relative: 30 suits 100 000 photons. Absolute: in mm².");
  params.push_back(threshold_param());
  return params;
}

class AmbrosioTortorelli final : public EdgeFieldPrior {
 public:
  AmbrosioTortorelli(Backend& backend, const VolumeGrid& grid, const Params& params)
      : EdgeFieldPrior(backend, grid, params) {
    set_smoothness(std::make_unique<MagnitudePrior<EdgeFieldPotential>>(
        ambrosio_tortorelli_traits, backend, grid, EdgeFieldPotential{edge_values()},
        "Ambrosio and Tortorelli's penalty"));
  }

 private:
  double edge_energy() const override {
    return sum_image_lines<double>(lines(), 0, [&](std::size_t line, float*) {
      double sum = 0;
      for (int ix = 0; ix < field().nx; ++ix)
        sum += static_cast<double>(
            device::edge_energy(field(), energy(), edge_values(), ix, y(line), z(line)));
      return sum;
    });
  }
  void adapt_half(const Array& x, int parity) override {
    const float* image = x.host().data();
    float* v = edge_values();
    for_image_lines(lines(), 0, [&](std::size_t line, float*) {
      for (int ix = (y(line) + z(line) + parity) % 2; ix < field().nx; ix += 2)
        v[device::magnitude_voxel(field(), ix, y(line), z(line))] =
            device::best_edge(field(), energy(), image, v, ix, y(line), z(line));
    });
  }

  std::size_t lines() const {
    return static_cast<std::size_t>(field().ny) * static_cast<std::size_t>(field().nz);
  }
  int y(std::size_t line) const { return static_cast<int>(line) % field().ny; }
  int z(std::size_t line) const { return static_cast<int>(line) / field().ny; }
};

}  // namespace

EdgeFieldPrior::EdgeFieldPrior(Backend& backend, const VolumeGrid& grid, const Params& params)
    : Prior(ambrosio_tortorelli_traits),
      field_(magnitude_field(grid)),
      v_(Array::filled(backend, grid.voxels(), 1)) {
  const double offset = edge_threshold(params) * edge_threshold(params),
               width = params.real("width");
  energy_ = {static_cast<float>(offset), static_cast<float>(4 * width * width * offset)};
}

double edge_threshold(const Params& params) {
  return default_mu_water * params.real("threshold") / 1000;
}

std::vector<ParamSpec> weak_membrane_params() { return weight_and_threshold(); }

std::unique_ptr<Prior> make_weak_membrane(Backend& backend, const VolumeGrid& grid,
                                          const Params& params) {
  return std::make_unique<MagnitudePrior<TruncatedPotential>>(
      weak_membrane_traits, backend, grid,
      TruncatedPotential{static_cast<float>(edge_threshold(params))}, "the weak membrane");
}

std::vector<ParamSpec> ambrosio_tortorelli_params() {
  std::vector<ParamSpec> params = weight_and_threshold();
  params.push_back({.key = "width",
                    .label = "Edge width ε",
                    .unit = "voxels",
                    .fallback = 0.5,
                    .min = 0.01,
                    .max = 10,
                    .step = 0.1,
                    .help = "Width of the bands of the edge field. Wide bands join into closed "
                            "edges; narrow ones follow single differences."});
  return params;
}

std::unique_ptr<Prior> make_ambrosio_tortorelli(Backend& backend, const VolumeGrid& grid,
                                                const Params& params) {
  return std::make_unique<AmbrosioTortorelli>(backend, grid, params);
}

}  // namespace gantry
