#include "core/priors/mumford_shah.hpp"

#include "core/physics/units.hpp"
#include "core/priors/common_params.hpp"
#include "core/priors/edge_field_model.hpp"
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

class AmbrosioTortorelli final : public Prior {
 public:
  AmbrosioTortorelli(Backend& backend, const VolumeGrid& grid, double threshold, double width)
      : Prior(ambrosio_tortorelli_traits),
        field_(magnitude_field(grid)),
        energy_(edge_energy_of(threshold, width)),
        v_(Array::filled(backend, grid.voxels(), 1)),
        smoothness_(ambrosio_tortorelli_traits, backend, grid, EdgeFieldPotential{v_.data()},
                    "Ambrosio and Tortorelli's penalty") {}

  double value(const Array& x) const override {
    const float* v = v_.data();
    const double edges = sum_image_lines<double>(lines(), 0, [&](std::size_t line, float*) {
      double sum = 0;
      for (int ix = 0; ix < field_.nx; ++ix)
        sum += static_cast<double>(device::edge_energy(field_, energy_, v, ix, y(line), z(line)));
      return sum;
    });
    return smoothness_.value(x) + edges;
  }

  void adapt_edges(const Array& x) override {
    const float* image = x.host().data();
    float* v = v_.data();
    for (int half_sweep = 0; half_sweep < 2 * edge_sweeps; ++half_sweep)
      for_image_lines(lines(), 0, [&](std::size_t line, float*) {
        for (int ix = (y(line) + z(line) + half_sweep) % 2; ix < field_.nx; ix += 2)
          v[device::magnitude_voxel(field_, ix, y(line), z(line))] =
              device::best_edge(field_, energy_, image, v, ix, y(line), z(line));
      });
  }
  Array* edges() override { return &v_; }

 private:
  std::size_t lines() const {
    return static_cast<std::size_t>(field_.ny) * static_cast<std::size_t>(field_.nz);
  }
  int y(std::size_t line) const { return static_cast<int>(line) % field_.ny; }
  int z(std::size_t line) const { return static_cast<int>(line) / field_.ny; }

  void do_gradient(const Array& x, Array& g, Array& h) const override {
    smoothness_.gradient(x, g, h);
  }
  void do_gradient_at(const Array& x, const VoxelLattice& voxels, Array& g,
                      Array& h) const override {
    smoothness_.gradient_at(x, voxels, g, h);
  }
  PriorLine do_along(const Array& x, const Array& d, double a) const override {
    return smoothness_.along(x, d, a);
  }

  device::MagnitudeField field_;
  device::EdgeEnergy energy_;
  Array v_;  // the edge field
  MagnitudePrior<EdgeFieldPotential> smoothness_;
};

}  // namespace

device::EdgeEnergy edge_energy_of(double threshold, double width) {
  const double offset = threshold * threshold;
  return {static_cast<float>(offset), static_cast<float>(4 * width * width * offset)};
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
  return std::make_unique<AmbrosioTortorelli>(backend, grid, edge_threshold(params),
                                              params.real("width"));
}

}  // namespace gantry
