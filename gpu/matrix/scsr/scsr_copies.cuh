#pragma once

// What goes into a pass over the stored stored views, and what comes out of it: see scsr_model.hpp.
#include "gpu/device/copies.cuh"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/scsr/scsr_model.hpp"

namespace gantry::device {

/// The elements of a scan, their maps of pixels and of stored views.
struct StoredViewMaps {
  PixelMap pixel[8], inverse[8];
  int elements;
  int nx, ny, columns, views;  ///< views: the stored ones
  const StoredView* image;     ///< [stored view][8]: what its elements make of it
  const StoredView* source;    ///< [view]: of which stored view it is made
};

/// The pixel of a thread: blocks of 256 have 32 x 8 pixels, warps 8 x 4 of them, which lie on few
/// lines of the image also where x and y change places.
struct PatchPixel {
  int x, y;
  __device__ PatchPixel()
      : x(static_cast<int>(blockIdx.x * 32 + threadIdx.x / 32 % 4 * 8 + threadIdx.x % 8)),
        y(static_cast<int>(blockIdx.y * 8 + threadIdx.x / 128 * 4 + threadIdx.x / 8 % 4)) {}
};

// Slices of a stack go through a pass together: images one behind the other, rays so that views lie
// `view_pitch` apart and slices one view of a slice.

/// X[j, g] = x[g j]. Blocks of 256 over the image, grid's z over the slices.
template <int Count, bool Half>
__global__ void __launch_bounds__(256)
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

/// Y[r, g] = y[g r], 0 where another element has made that view and outside the subset. Blocks of
/// 256 over the stored rays, grid's y over the slices.
template <int Count, bool Half>
__global__ void __launch_bounds__(256)
    gather_rays(StoredViewMaps maps, const float* __restrict__ y, std::size_t view_pitch,
                StoredViewSubset subset, Scale scale,
                typename Copies<Count, Half>::Word* __restrict__ out) {
  const int ray = static_cast<int>(blockIdx.x * 256 + threadIdx.x);
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

/// x[j] = unit sum_g Z[g^-1 j, g]; Z in planes of one element, or with elements side by side, and
/// then in parts that are added up. Blocks of 256 over the image, grid's z over the slices.
template <int Count, bool Planes>
__global__ void __launch_bounds__(256)
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
