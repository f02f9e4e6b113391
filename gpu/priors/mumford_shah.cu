// The edge field of Ambrosio and Tortorelli's penalty on a CUDA device: one thread per voxel,
// launched through VoxelLaunch (see voxels.cuh). A sweep is two launches, over the voxels of even
// and of odd index sum, so that no thread reads what another one writes.
#include "core/priors/edge_field_prior.hpp"
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

class CudaAmbrosioTortorelli final : public EdgeFieldPrior {
 public:
  CudaAmbrosioTortorelli(Backend& backend, const VolumeGrid& grid, const Params& params)
      : EdgeFieldPrior(backend, grid, params), cuda_(cuda_backend(backend)), launch_(cuda_, grid) {
    set_smoothness(std::make_unique<CudaMagnitudePrior<EdgeFieldPotential>>(
        ambrosio_tortorelli_traits, backend, grid, EdgeFieldPotential{edge_values()}, 0));
  }

 private:
  double edge_energy() const override {
    const DeviceScope scope(cuda_.device());
    return launch_.sum<1>("the edge energy", Energy{field(), energy(), edge_values()})[0];
  }
  void adapt_half(const Array& x, int parity) override {
    const DeviceScope scope(cuda_.device());
    launch_.map("the edge field", AdaptEdges{field(), energy(), x.data(), edge_values(), parity});
  }

  const CudaBackend& cuda_;
  mutable VoxelLaunch launch_;  // mutable: holds the memory of its sums
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
  return std::make_unique<CudaAmbrosioTortorelli>(backend, grid, params);
}

}  // namespace gantry
