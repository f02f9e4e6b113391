#pragma once

// Vectors of a pass over the stored views (scsr_model.hpp): kernels that make X and Y, with a copy
// of a pixel or ray for each element, from x and y, and x from the sums Z.
//
//   gather_image, fold_image: a thread for each pixel; grid's z is the slice of a stack
//
//     a block: 32 x 8 pixels; warps have 8 x 4, lane l pixel (l % 8, l / 8)
//
//       y 4 .. 7   | warp 4 | warp 5 | warp 6 | warp 7 |
//       y 0 .. 3   | warp 0 | warp 1 | warp 2 | warp 3 |
//            x       0 .. 7   8 .. 15  16 .. 23 24 .. 31
//
//   gather_rays: a thread for each stored ray, 256 in a block; grid's y is the slice of a stack
#include "gpu/device/copies.cuh"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/scsr/scsr_model.hpp"
#include "gpu/matrix/scsr/tuning.hpp"

namespace gantry::device {

/// The elements of a symmetry group and their action on pixels and stored views.
struct StoredViewMaps {
  PixelMap pixel[8], inverse[8];  ///< [element]: its map and that of its inverse
  int elements;
  int nx, ny, columns, views;  ///< views: the stored ones
  const StoredView* image;     ///< [stored view][8]: the views that elements make of it
  const StoredView* source;    ///< [view]: the stored view of which it is made
};

/// The pixel of a thread (see above). The 8 x 4 pixels of a warp lie on few lines of the image,
/// also in copies under elements that exchange x and y.
struct PatchPixel {
  int x, y;
  __device__ PatchPixel()
      : x(static_cast<int>(blockIdx.x * scsr::image_width +
                           threadIdx.x / 32 % warps_across * scsr::warp_width +
                           threadIdx.x % scsr::warp_width)),
        y(static_cast<int>(blockIdx.y * scsr::image_height +
                           threadIdx.x / (32 * warps_across) * scsr::warp_height +
                           threadIdx.x / scsr::warp_width % scsr::warp_height)) {}

 private:
  static constexpr int warps_across = scsr::image_width / scsr::warp_width;
};

// A pass may process several slices of a stack: x is [slice][pixel]; y is [view][slice][column],
// where views are `view_pitch` elements apart.

/// Computes X[j, g] = x[g j].
template <int Count, bool Half>
__global__ void __launch_bounds__(usual_threads)
    gather_image(StoredViewMaps maps, const float* __restrict__ x, Scale scale,
                 typename Copies<Count, Half>::Word* __restrict__ out) {
  const auto [ix, iy] = PatchPixel();
  if (ix >= maps.nx || iy >= maps.ny) return;
  const std::size_t pixels = static_cast<std::size_t>(maps.nx) * maps.ny;
  x += blockIdx.z * pixels;
  const float by = Half ? scale.of(blockIdx.z).to() : 1.0F;
  float value[Count];
#pragma unroll
  for (int g = 0; g < Count; ++g)
    value[g] = g < maps.elements ? by * x[maps.pixel[g].at(ix, iy)] : 0.0F;
  Copies<Count, Half>::store(out + blockIdx.z * pixels * Copies<Count, Half>::planes, pixels,
                             static_cast<std::size_t>(iy) * maps.nx + ix, value);
}

/// Computes Y[r, g] = y[g r], or 0 if another element makes that view or it is not in the subset.
template <int Count, bool Half>
__global__ void __launch_bounds__(usual_threads)
    gather_rays(StoredViewMaps maps, const float* __restrict__ y, std::size_t view_pitch,
                StoredViewSubset subset, Scale scale,
                typename Copies<Count, Half>::Word* __restrict__ out) {
  const int ray = static_cast<int>(blockIdx.x * usual_threads + threadIdx.x);
  if (ray >= maps.views * maps.columns) return;
  const int v = ray / maps.columns, c = ray % maps.columns;
  const float by = Half ? scale.of(blockIdx.y).to() : 1.0F;
  y += blockIdx.y * static_cast<std::size_t>(maps.columns);
  float value[Count];
#pragma unroll
  for (int g = 0; g < Count; ++g) {
    const StoredView to = maps.image[8 * v + g];
    value[g] = to.view >= 0 && subset.has(to.view)
                   ? by * y[to.view * view_pitch + flipped(c, maps.columns, to.flip)]
                   : 0.0F;
  }
  const std::size_t rays = static_cast<std::size_t>(maps.views) * maps.columns;
  Copies<Count, Half>::store(out + blockIdx.y * rays * Copies<Count, Half>::planes, rays, ray,
                             value);
}

/// Computes x[j] = unit * sum over g of Z[g^-1 j, g]. If Planes, z is [g][pixel]; else it is
/// [part][pixel][g], and the parts are added.
template <int Count, bool Planes>
__global__ void __launch_bounds__(usual_threads)
    fold_image(StoredViewMaps maps, const float* __restrict__ z, int parts, float unit, Scale scale,
               float* __restrict__ x) {
  const auto [ix, iy] = PatchPixel();
  if (ix >= maps.nx || iy >= maps.ny) return;
  const std::size_t pixels = static_cast<std::size_t>(maps.nx) * maps.ny;
  z += blockIdx.z * pixels * Count * parts;
  x += blockIdx.z * pixels;
  float sum = 0;
#pragma unroll
  for (int g = 0; g < Count; ++g) {
    if (g >= maps.elements) break;
    const auto from = static_cast<std::size_t>(maps.inverse[g].at(ix, iy));
    if (Planes)
      sum += z[g * pixels + from];
    else
      for (int part = 0; part < parts; ++part) sum += z[(part * pixels + from) * Count + g];
  }
  x[static_cast<std::size_t>(iy) * maps.nx + ix] = sum * (unit * scale.of(blockIdx.z).back());
}

}  // namespace gantry::device
