// Built without contraction of products and sums (--fmad=false), so that every element is to the
// bit what the CPU computes; these passes wait for memory anyway.
#include "core/solvers/penalised/fista_tv.hpp"
#include "gpu/priors/total_variation.hpp"
#include "gpu/priors/tv_field.hpp"
#include "gpu/priors/voxel_launch.cuh"

namespace gantry {

namespace {

struct Length {
  device::TvField field;
  const float* x;
  __device__ void operator()(int ix, int iy, int iz, double* sums) const {
    sums[0] += device::tv_length(field, x, ix, iy, iz);
  }
};

struct Primal {
  device::TvField field;
  const float* v;
  float weight, low;
  const float* p;
  float* z;
  __device__ void operator()(int ix, int iy, int iz) const {
    z[device::tv_voxel(field, ix, iy, iz)] =
        device::tv_primal(field, v, weight, low, p, ix, iy, iz);
  }
};

struct Ascend {
  device::TvField field;
  const float* z;
  float step, momentum;
  float *p, *r;
  __device__ void operator()(int ix, int iy, int iz) const {
    device::tv_ascend(field, z, step, momentum, p, r, ix, iy, iz);
  }
};

class CudaTotalVariation final : public DualProjection {
 public:
  CudaTotalVariation(Backend& backend, const VolumeGrid& grid)
      : DualProjection(backend, grid),
        cuda_(cuda_backend(backend)),
        field_(tv_field(grid)),
        launch_(cuda_, grid) {}

  double value(const Array& x) const override {
    const DeviceScope scope(cuda_.device());
    return launch_.sum<1>("total variation", Length{field_, x.data()})[0];
  }

 private:
  void primal(const ProximalTask& task, const Array& p, Array& z) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map("total variation, primal",
                Primal{field_, task.v.data(), static_cast<float>(task.weight), task.low, p.data(),
                       z.data()});
  }
  void ascend(const Array& z, float step, float momentum, Array& p, Array& r) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map("total variation, dual",
                Ascend{field_, z.data(), step, momentum, p.data(), r.data()});
  }

  const CudaBackend& cuda_;
  device::TvField field_;
  mutable VoxelLaunch launch_;  // its memory for sums
};

}  // namespace

std::unique_ptr<Regularizer> make_cuda_total_variation(Backend& backend, const VolumeGrid& grid) {
  return std::make_unique<CudaTotalVariation>(backend, grid);
}

std::unique_ptr<Solver> make_cuda_fista_tv(const Params& params) {
  return make_fista_tv_with(params, make_cuda_total_variation);
}

}  // namespace gantry
