// Priors of the gradient's magnitude on a CUDA device: one thread per voxel, launched through
// VoxelLaunch (see voxels.cuh). This file is compiled without contraction of products and sums
// (--fmad=false), so that every element of the proximal map equals that of the CPU bit for bit; the
// passes are limited by memory bandwidth, so the unfused arithmetic costs no time.
#include "core/priors/common_params.hpp"
#include "core/priors/dual_projection.hpp"
#include "core/priors/huber.hpp"
#include "core/priors/tikhonov.hpp"
#include "core/priors/total_variation.hpp"
#include "gpu/priors/magnitude_model.hpp"
#include "gpu/priors/magnitude_priors.hpp"
#include "gpu/priors/voxel_launch.cuh"

namespace gantry {

namespace {

using device::MagnitudeField;

template <class Potential>
struct Value {
  MagnitudeField field;
  Potential potential;
  const float* x;
  __device__ void operator()(int ix, int iy, int iz, double* sums) const {
    sums[0] += potential.value(device::magnitude_gradient_at(field, x, ix, iy, iz).magnitude);
  }
};

template <class Potential>
struct Gradient {
  MagnitudeField field;
  Potential potential;
  const float* x;
  float *slope, *curvature;
  __device__ void operator()(int ix, int iy, int iz) const {
    const device::MagnitudeSlope pull = device::magnitude_slope(field, potential, x, ix, iy, iz);
    const std::size_t voxel = device::magnitude_voxel(field, ix, iy, iz);
    slope[voxel] = pull.slope;
    curvature[voxel] = pull.curvature;
  }
};

template <class Potential>
struct Along {
  MagnitudeField field;
  Potential potential;
  const float *x, *d;
  float a;
  __device__ void operator()(int ix, int iy, int iz, double* sums) const {
    const device::MagnitudeSlope pull =
        device::magnitude_along(field, potential, x, d, a, ix, iy, iz);
    sums[0] += pull.slope;
    sums[1] += pull.curvature;
  }
};

struct Primal {
  MagnitudeField field;
  const float* v;
  float weight, low;
  const float* p;
  float* z;
  __device__ void operator()(int ix, int iy, int iz) const {
    z[device::magnitude_voxel(field, ix, iy, iz)] =
        device::magnitude_primal(field, v, weight, low, p, ix, iy, iz);
  }
};

struct Ascend {
  MagnitudeField field;
  const float* z;
  float step, keep, momentum;
  float *p, *r;
  __device__ void operator()(int ix, int iy, int iz) const {
    device::magnitude_ascend(field, z, step, keep, momentum, p, r, ix, iy, iz);
  }
};

template <class Potential>
class CudaMagnitudePrior final : public DualProjection {
 public:
  CudaMagnitudePrior(const PriorTraits& traits, Backend& backend, const VolumeGrid& grid,
                     Potential potential, double edge)
      : DualProjection(traits, backend, grid, edge),
        cuda_(cuda_backend(backend)),
        field_(magnitude_field(grid)),
        potential_(potential),
        launch_(cuda_, grid) {}

  double value(const Array& x) const override {
    const DeviceScope scope(cuda_.device());
    return launch_.sum<1>("the prior's value", Value<Potential>{field_, potential_, x.data()})[0];
  }

 private:
  void do_gradient(const Array& x, Array& g, Array& h) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map("the prior's gradient",
                Gradient<Potential>{field_, potential_, x.data(), g.data(), h.data()});
  }
  PriorLine do_along(const Array& x, const Array& d, double a) const override {
    const DeviceScope scope(cuda_.device());
    const auto sums = launch_.sum<2>(
        "the prior along a line",
        Along<Potential>{field_, potential_, x.data(), d.data(), static_cast<float>(a)});
    return {sums[0], sums[1]};
  }

  void primal(const ProximalTask& task, const Array& p, Array& z) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map("the prior's proximal map, primal",
                Primal{field_, task.v.data(), static_cast<float>(task.weight), task.low, p.data(),
                       z.data()});
  }
  void ascend(const Array& z, float step, float keep, float momentum, Array& p,
              Array& r) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map("the prior's proximal map, dual",
                Ascend{field_, z.data(), step, keep, momentum, p.data(), r.data()});
  }

  const CudaBackend& cuda_;
  MagnitudeField field_;
  Potential potential_;
  mutable VoxelLaunch launch_;  // mutable: holds the memory of its sums
};

template <class Potential>
std::unique_ptr<Prior> make(const PriorTraits& traits, Backend& backend, const VolumeGrid& grid,
                            Potential potential, double edge) {
  return std::make_unique<CudaMagnitudePrior<Potential>>(traits, backend, grid, potential, edge);
}

}  // namespace

std::unique_ptr<Prior> make_cuda_total_variation(Backend& backend, const VolumeGrid& grid,
                                                 const Params&) {
  return make(total_variation_traits, backend, grid, device::LinearMagnitude{}, 0);
}

std::unique_ptr<Prior> make_cuda_huber(Backend& backend, const VolumeGrid& grid,
                                       const Params& params) {
  const auto edge = static_cast<float>(prior_edge(params));
  return make(huber_traits, backend, grid, device::HuberMagnitude{edge}, static_cast<double>(edge));
}

std::unique_ptr<Prior> make_cuda_tikhonov(Backend& backend, const VolumeGrid& grid, const Params&) {
  return make(tikhonov_traits, backend, grid, device::QuadraticMagnitude{}, 0);
}

}  // namespace gantry
