#pragma once

// Priors of the gradient's magnitude on a CUDA device: one thread per voxel, launched through
// VoxelLaunch (see voxels.cuh). Sources that include this file are compiled without contraction of
// products and sums (--fmad=false), so that every element of the proximal map equals that of the
// CPU bit for bit; the passes are limited by memory bandwidth, so the unfused arithmetic costs no
// time.
#include "core/priors/dual_projection.hpp"
#include "core/priors/magnitude_model.hpp"
#include "gpu/priors/voxel_launch.cuh"

namespace gantry {

namespace kernels {

using device::MagnitudeField;

template <class Potential>
struct MagnitudeValue {
  MagnitudeField field;
  Potential potential;
  const float* x;
  __device__ void operator()(int ix, int iy, int iz, double* sums) const {
    sums[0] += potential.value(device::magnitude_gradient_at(field, x, ix, iy, iz).magnitude,
                               device::magnitude_voxel(field, ix, iy, iz));
  }
};

template <class Potential>
struct MagnitudeGradient {
  MagnitudeField field;
  Potential potential;
  const float* x;
  float *slope, *curvature;
  float part;  ///< of the curvature: 1 if all voxels change, 1/2 if no two neighbours do
  __device__ void operator()(int ix, int iy, int iz) const {
    const device::MagnitudeSlope pull = device::magnitude_slope(field, potential, x, ix, iy, iz);
    const std::size_t voxel = device::magnitude_voxel(field, ix, iy, iz);
    slope[voxel] = pull.slope;
    curvature[voxel] = part * pull.curvature;
  }
};

template <class Potential>
struct MagnitudeAlong {
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

struct MagnitudePrimal {
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

struct MagnitudeAscend {
  MagnitudeField field;
  const float* z;
  float step, keep, momentum;
  float *p, *r;
  __device__ void operator()(int ix, int iy, int iz) const {
    device::magnitude_ascend(field, z, step, keep, momentum, p, r, ix, iy, iz);
  }
};

}  // namespace kernels

/// A prior sum_j h(|(grad x)_j|) with a potential of core/priors/potentials.hpp.
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
    return launch_.sum<1>("the prior's value",
                          kernels::MagnitudeValue<Potential>{field_, potential_, x.data()})[0];
  }

 private:
  void do_gradient(const Array& x, Array& g, Array& h) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map("the prior's gradient",
                kernels::MagnitudeGradient<Potential>{field_, potential_, x.data(), g.data(),
                                                      h.data(), 1.0F});
  }
  void do_gradient_at(const Array& x, const VoxelLattice& voxels, Array& g,
                      Array& h) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map("the prior's gradient at some voxels",
                kernels::MagnitudeGradient<Potential>{field_, potential_, x.data(), g.data(),
                                                      h.data(), 0.5F},
                voxels);
  }
  PriorLine do_along(const Array& x, const Array& d, double a) const override {
    const DeviceScope scope(cuda_.device());
    const auto sums =
        launch_.sum<2>("the prior along a line",
                       kernels::MagnitudeAlong<Potential>{field_, potential_, x.data(), d.data(),
                                                          static_cast<float>(a)});
    return {sums[0], sums[1]};
  }

  void primal(const ProximalTask& task, const Array& p, Array& z) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map("the prior's proximal map, primal",
                kernels::MagnitudePrimal{field_, task.v.data(), static_cast<float>(task.weight),
                                         task.low, p.data(), z.data()});
  }
  void ascend(const Array& z, float step, float keep, float momentum, Array& p,
              Array& r) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map(
        "the prior's proximal map, dual",
        kernels::MagnitudeAscend{field_, z.data(), step, keep, momentum, p.data(), r.data()});
  }

  const CudaBackend& cuda_;
  device::MagnitudeField field_;
  Potential potential_;
  mutable VoxelLaunch launch_;  // mutable: holds the memory of its sums
};

}  // namespace gantry
