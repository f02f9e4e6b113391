#pragma once

// The variants of the ray-driven corrections that cuMBIR describes (Li et al. 2018, section 6), to
// measure what each gains. A thread owns a ray of the list; additions are atomic.
//
//   half_image       x in float16 while a list is corrected; converted before and after
//   exact_functions  the pose of a ray's view is the first view's, turned by sincos() in the kernel
//   fast_functions   likewise by __sincosf(), of the special function units
//   doubles          every third product and correction is added in float64
//   texture          b is read through a texture
#include "gpu/access/cuda_rows.cuh"
#include "gpu/base/texture.hpp"
#include "gpu/projectors/siddon_joseph/trace_model.hpp"

#include <cuda_fp16.h>

namespace gantry {

namespace device {

__device__ inline float load_voxel(const float* x) { return __ldcg(x); }
__device__ inline float load_voxel(const __half* x) {
  return __half2float(__ushort_as_half(__ldcg(reinterpret_cast<const unsigned short*>(x))));
}
__device__ inline void change_voxel(float* x, float change, float low) {
  change_by_atomics(x, change, low);
}
/// A voxel that falls below the bound is set to the bound by a store, which may lose a change.
__device__ inline void change_voxel(__half* x, float change, float low) {
  const float now = __half2float(atomicAdd(x, __float2half(change))) + change;
  if (now < low) *x = __float2half(low);
}

/// Returns the pose of the first view turned about the axis.
template <bool Fast>
__device__ TraceView turned_view(const TraceView& first, double angle) {
  double s, c;
  if constexpr (Fast) {
    float s_fast, c_fast;
    __sincosf(static_cast<float>(angle), &s_fast, &c_fast);
    s = s_fast;
    c = c_fast;
  } else {
    sincos(angle, &s, &c);
  }
  const auto turn = [&](Point p) { return Point{c * p.x - s * p.y, s * p.x + c * p.y, p.z}; };
  TraceView view = first;
  view.source = turn(first.source);
  view.detector = turn(first.detector);
  view.u = turn(first.u);
  view.v = turn(first.v);
  view.across = turn(first.across);
  view.forward = turn(first.forward);
  return view;
}

/// Calls use(voxel, weight) for the voxels of a ray.
template <RowVariant Variant, RayWeighting weights, class Use>
__device__ void visit_by_variant(const TraceWeights<weights>& model, std::uint32_t ray,
                                 const Use& use) {
  constexpr bool fast = Variant == RowVariant::fast_functions;
  if constexpr (fast || Variant == RowVariant::exact_functions) {
    const TraceScan& scan = model.scan;
    const auto cells = static_cast<std::uint32_t>(scan.columns * scan.rows);
    const TraceView view =
        turned_view<fast>(scan.view[0], scan.turn_rad * static_cast<double>(ray / cells));
    TraceWeights<weights> of_view = model;
    of_view.scan.view = &view;
    of_view.visit_row(ray % cells, 0, 1, use);
  } else {
    model.visit_row(ray, 0, 1, use);
  }
}

template <RowVariant Variant, RayWeighting weights, class Voxel>
__global__ void __launch_bounds__(row_threads)
    trace_correct(TraceWeights<weights> model, RayListView rays, RowUpdate update,
                  cudaTextureObject_t data, Voxel* __restrict__ x, double* __restrict__ square) {
  using Reduce = cub::BlockReduce<double, row_threads>;
  __shared__ typename Reduce::TempStorage storage;
  constexpr bool doubles = Variant == RowVariant::doubles;
  double residual_square = 0;
  const std::int64_t nth = ray_of_group<1>();
  if (const std::uint32_t ray = nth < rays.count ? rays.ray[rays.first + nth] : no_ray;
      ray != no_ray) {
    float product = 0, norm = 0;
    double product_of_doubles = 0;
    int visits = 0;
    visit_by_variant<Variant>(model, ray, [&](std::size_t voxel, float weight) {
      const float value = load_voxel(x + voxel);
      if (doubles && visits++ % 3 == 0)
        product_of_doubles =
            fma(static_cast<double>(weight), static_cast<double>(value), product_of_doubles);
      else
        product = fmaf(weight, value, product);
      norm = fmaf(weight, weight, norm);
    });
    if constexpr (doubles) product = static_cast<float>(product + product_of_doubles);
    const auto columns = static_cast<std::uint32_t>(model.scan.columns),
               rows = static_cast<std::uint32_t>(model.scan.rows), line = ray / columns;
    const float b = Variant == RowVariant::texture
                        ? tex2DLayered<float>(data, static_cast<float>(ray % columns) + 0.5F,
                                              static_cast<float>(line % rows) + 0.5F,
                                              static_cast<int>(line / rows))
                        : load(update.b + ray);
    const float deviation = b - product;
    residual_square = static_cast<double>(deviation) * deviation;
    if (norm > update.smallest) {
      const float gamma = update.normalised ? update.step / norm : update.step;
      const float factor =
          gamma * deviation * (update.weights != nullptr ? load(update.weights + ray) : 1.0F);
      visits = 0;
      visit_by_variant<Variant>(model, ray, [&](std::size_t voxel, float weight) {
        const float pull = update.pull != nullptr ? load(update.pull + voxel) : 0.0F;
        const float change =
            doubles && visits++ % 3 == 0
                ? static_cast<float>(fma(static_cast<double>(factor), static_cast<double>(weight),
                                         -static_cast<double>(pull)))
                : fmaf(factor, weight, -pull);
        change_voxel(x + voxel, change, update.low);
      });
    }
  }
  const double total = Reduce(storage).Sum(residual_square);
  if (threadIdx.x == 0) atomicAdd(square, total);
}

static __global__ void __launch_bounds__(row_threads)
    to_half(std::int64_t n, const float* __restrict__ x, __half* __restrict__ y) {
  const std::int64_t j = blockIdx.x * std::int64_t{row_threads} + threadIdx.x;
  if (j < n) y[j] = __float2half(x[j]);
}
static __global__ void __launch_bounds__(row_threads)
    to_float(std::int64_t n, const __half* __restrict__ x, float* __restrict__ y) {
  const std::int64_t j = blockIdx.x * std::int64_t{row_threads} + threadIdx.x;
  if (j < n) y[j] = __half2float(x[j]);
}

}  // namespace device

/// The rows of a ray-driven projector, corrected by one of the variants.
template <device::RayWeighting weights>
class TraceVariantRows final : public CudaRows<device::TraceWeights<weights>> {
  using Model = device::TraceWeights<weights>;

 public:
  /// Throws UsageError for functions in the kernel if the views do not turn by equal angles.
  TraceVariantRows(const CudaBackend& cuda, const Projector& projector, const Model& model,
                   const RowWorkers& workers)
      : CudaRows<Model>(cuda, projector, model, {}),
        cuda_(cuda),
        model_(model),
        variant_(workers.variant) {
    const bool turns =
        variant_ == RowVariant::exact_functions || variant_ == RowVariant::fast_functions;
    if (turns && model.scan.turn_rad == 0)
      throw UsageError("poses are computed in the kernel for views at equal angles on a circle",
                       "solver.variant", "use variant=plain");
  }

 private:
  void correct_list(const device::RayListView& rays, const device::RowUpdate& update, Array& x,
                    double* sums) const override {
    switch (variant_) {
      case RowVariant::half_image:
        return correct_half(rays, update, x, sums);
      case RowVariant::exact_functions:
        return launch<RowVariant::exact_functions>(rays, update, 0, x.data(), sums);
      case RowVariant::fast_functions:
        return launch<RowVariant::fast_functions>(rays, update, 0, x.data(), sums);
      case RowVariant::doubles:
        return launch<RowVariant::doubles>(rays, update, 0, x.data(), sums);
      case RowVariant::texture:
        return correct_by_texture(rays, update, x, sums);
      case RowVariant::plain:
        break;
    }
    launch<RowVariant::plain>(rays, update, 0, x.data(), sums);
  }
  void correct_half(const device::RayListView& rays, const device::RowUpdate& update, Array& x,
                    double* sums) const {
    const auto n = static_cast<std::int64_t>(x.size());
    if (half_.size() < x.size()) half_ = DeviceBuffer<__half>(cuda_, x.size(), "a float16 image");
    device::to_half<<<blocks(n, device::row_threads), device::row_threads, 0, cuda_.stream()>>>(
        n, x.data(), half_.data());
    launch<RowVariant::half_image>(rays, update, 0, half_.data(), sums);
    device::to_float<<<blocks(n, device::row_threads), device::row_threads, 0, cuda_.stream()>>>(
        n, half_.data(), x.data());
    check_launch("to_float");
  }
  void correct_by_texture(const device::RayListView& rays, const device::RowUpdate& update,
                          Array& x, double* sums) const {
    const Texture::Shape shape{static_cast<std::size_t>(model_.scan.columns),
                               static_cast<std::size_t>(model_.scan.rows),
                               static_cast<std::size_t>(model_.scan.views), true};
    if (texture_.object() == 0)
      texture_ = Texture(cuda_, shape, TextureFilter::point, false, "the data");
    texture_.copy_from(update.b);
    launch<RowVariant::texture>(rays, update, texture_.object(), x.data(), sums);
  }
  template <RowVariant Variant, class Voxel>
  void launch(const device::RayListView& rays, const device::RowUpdate& update,
              cudaTextureObject_t data, Voxel* x, double* sums) const {
    device::trace_correct<Variant>
        <<<blocks(rays.count, device::row_threads), device::row_threads, 0, cuda_.stream()>>>(
            model_, rays, update, data, x, sums);
    check_launch("trace_correct");
  }

  const CudaBackend& cuda_;
  Model model_;
  RowVariant variant_;
  mutable DeviceBuffer<__half> half_;  // mutable: scratch
  mutable Texture texture_;
};

}  // namespace gantry
