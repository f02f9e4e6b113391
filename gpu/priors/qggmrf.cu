// The q-GGMRF prior on a CUDA device: one thread per voxel, launched through VoxelLaunch (see
// voxels.cuh).
#include "core/priors/qggmrf.hpp"
#include "gpu/priors/qggmrf.hpp"
#include "gpu/priors/qggmrf_model.hpp"
#include "gpu/priors/voxel_launch.cuh"

namespace gantry {

namespace {

template <int Pairs>
struct Gradient {
  device::QggmrfField field;
  const float* x;
  float *slope, *curvature;
  float part;  ///< of the curvature: 1 if all voxels change, 1/2 if no two neighbours do
  __device__ void operator()(int ix, int iy, int iz) const {
    const device::QggmrfSlope pull = device::qggmrf_gradient<Pairs>(field, x, ix, iy, iz);
    const std::size_t voxel = device::qggmrf_voxel(field, ix, iy, iz);
    slope[voxel] = pull.slope;
    curvature[voxel] = part * pull.curvature;
  }
};

template <int Pairs>
struct Along {
  device::QggmrfField field;
  const float *x, *d;
  float a;
  __device__ void operator()(int ix, int iy, int iz, double* sums) const {
    const device::QggmrfSlope pull = device::qggmrf_along<Pairs>(field, x, d, a, ix, iy, iz);
    sums[0] += pull.slope;
    sums[1] += pull.curvature;
  }
};

template <int Pairs>
struct Value {
  device::QggmrfField field;
  const float* x;
  __device__ void operator()(int ix, int iy, int iz, double* sums) const {
    sums[0] += device::qggmrf_value<Pairs>(field, x, ix, iy, iz);
  }
};

template <int Pairs>
class CudaQggmrf final : public Prior {
 public:
  CudaQggmrf(const CudaBackend& cuda, const VolumeGrid& grid, const QggmrfShape& shape)
      : Prior(qggmrf_traits), cuda_(cuda), field_(qggmrf_field(grid, shape)), launch_(cuda, grid) {}

  double value(const Array& x) const override {
    const DeviceScope scope(cuda_.device());
    return launch_.sum<1>("q-GGMRF", Value<Pairs>{field_, x.data()})[0];
  }

 private:
  void do_gradient(const Array& x, Array& g, Array& h) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map("q-GGMRF gradient", Gradient<Pairs>{field_, x.data(), g.data(), h.data(), 1.0F});
  }
  void do_gradient_at(const Array& x, const VoxelLattice& voxels, Array& g,
                      Array& h) const override {
    const DeviceScope scope(cuda_.device());
    launch_.map("q-GGMRF gradient at some voxels",
                Gradient<Pairs>{field_, x.data(), g.data(), h.data(), 0.5F}, voxels);
  }
  PriorLine do_along(const Array& x, const Array& d, double a) const override {
    const DeviceScope scope(cuda_.device());
    const auto sums = launch_.sum<2>(
        "q-GGMRF line", Along<Pairs>{field_, x.data(), d.data(), static_cast<float>(a)});
    return {sums[0], sums[1]};
  }

  const CudaBackend& cuda_;
  device::QggmrfField field_;
  mutable VoxelLaunch launch_;  // mutable: holds the memory of its sums
};

}  // namespace

std::unique_ptr<Prior> make_cuda_qggmrf(Backend& backend, const VolumeGrid& grid,
                                        const Params& params) {
  const CudaBackend& cuda = cuda_backend(backend);
  const QggmrfShape shape = qggmrf_shape(params);
  if (grid.nz == 1) return std::make_unique<CudaQggmrf<4>>(cuda, grid, shape);
  return std::make_unique<CudaQggmrf<13>>(cuda, grid, shape);
}

}  // namespace gantry
