// The edge field of Ambrosio and Tortorelli's penalty on a CUDA device: one thread per voxel,
// launched through VoxelLaunch (see voxels.cuh). A sweep is two launches, over the voxels of even
// and of odd index sum, so that no thread reads what another one writes.
#include "core/priors/edge_field_model.hpp"
#include "core/priors/mumford_shah.hpp"
#include "gpu/priors/magnitude_launch.cuh"
#include "gpu/priors/mumford_shah.hpp"

namespace gantry {

namespace {

using device::EdgeEnergy, device::MagnitudeField;

struct AdaptEdges {
  MagnitudeField field;
  EdgeEnergy energy;
  const float* x;
  float* v;
  int parity;
  __device__ void operator()(int ix, int iy, int iz) const {
    if ((ix + iy + iz) % 2 == parity)
      v[device::magnitude_voxel(field, ix, iy, iz)] =
          device::best_edge(field, energy, x, v, ix, iy, iz);
  }
};

struct Energy {
  MagnitudeField field;
  EdgeEnergy energy;
  const float* v;
  __device__ void operator()(int ix, int iy, int iz, double* sums) const {
    sums[0] += device::edge_energy(field, energy, v, ix, iy, iz);
  }
};

class CudaAmbrosioTortorelli final : public Prior {
 public:
  CudaAmbrosioTortorelli(Backend& backend, const VolumeGrid& grid, double threshold, double width)
      : Prior(ambrosio_tortorelli_traits),
        cuda_(cuda_backend(backend)),
        field_(magnitude_field(grid)),
        energy_(edge_energy_of(threshold, width)),
        v_(Array::filled(backend, grid.voxels(), 1)),
        launch_(cuda_, grid),
        smoothness_(ambrosio_tortorelli_traits, backend, grid, EdgeFieldPotential{v_.data()}, 0) {}

  double value(const Array& x) const override {
    const DeviceScope scope(cuda_.device());
    return smoothness_.value(x) +
           launch_.sum<1>("the edge energy", Energy{field_, energy_, v_.data()})[0];
  }
  void adapt_edges(const Array& x) override {
    const DeviceScope scope(cuda_.device());
    for (int half_sweep = 0; half_sweep < 2 * edge_sweeps; ++half_sweep)
      launch_.map("the edge field",
                  AdaptEdges{field_, energy_, x.data(), v_.data(), half_sweep % 2});
  }
  Array* edges() override { return &v_; }

 private:
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

  const CudaBackend& cuda_;
  MagnitudeField field_;
  EdgeEnergy energy_;
  Array v_;                     // the edge field
  mutable VoxelLaunch launch_;  // mutable: holds the memory of its sums
  CudaMagnitudePrior<EdgeFieldPotential> smoothness_;
};

}  // namespace

std::unique_ptr<Prior> make_cuda_weak_membrane(Backend& backend, const VolumeGrid& grid,
                                               const Params& params) {
  return std::make_unique<CudaMagnitudePrior<TruncatedPotential>>(
      weak_membrane_traits, backend, grid,
      TruncatedPotential{static_cast<float>(edge_threshold(params))}, 0);
}

std::unique_ptr<Prior> make_cuda_ambrosio_tortorelli(Backend& backend, const VolumeGrid& grid,
                                                     const Params& params) {
  return std::make_unique<CudaAmbrosioTortorelli>(backend, grid, edge_threshold(params),
                                                  params.real("width"));
}

}  // namespace gantry
