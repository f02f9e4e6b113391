#pragma once

// The transpose of the stored zone, a column for each pixel: sliced ELL of 32 pixels, 8 x 4 of
// them, which are seen by few rays of a view. Rows are steps from entry to entry; four entries of a
// lane lie together, those of its neighbours beside them.
#include "gpu/kernels/copies.cuh"
#include "gpu/kernels/stored_row_model.hpp"
#include "gpu/kernels/warp.cuh"
#include "gpu/kernels/zone_model.hpp"

namespace gantry::device {

/// Slices of 8 x 4 pixels; pixels outside the image have no entries.
struct ColumnSlices {
  int nx, ny, across, count;

  static GANTRY_HD ColumnSlices of(int nx, int ny) {
    const int across = (nx + 7) / 8;
    return {nx, ny, across, across * ((ny + 3) / 4)};
  }
  GANTRY_HD int x(int slice, int lane) const { return slice % across * 8 + lane % 8; }
  GANTRY_HD int y(int slice, int lane) const { return slice / across * 4 + lane / 8; }
  GANTRY_HD bool inside(int slice, int lane) const {
    return x(slice, lane) < nx && y(slice, lane) < ny;
  }
};

/// Groups of four entries of a lane: steps and weights, in half precision in one word each.
template <bool Half>
struct ColumnEntries;
template <>
struct ColumnEntries<false> {
  ushort4* step;
  float4* weight;

  struct Group {
    ushort4 step;
    float4 weight;
    template <class Use>
    __device__ void each(const Use& use) const {
      use(step.x, weight.x);
      use(step.y, weight.y);
      use(step.z, weight.z);
      use(step.w, weight.w);
    }
  };
  __device__ Group stream(std::int64_t at) const {
    return {__ldcs(step + at), __ldcs(weight + at)};
  }
  __device__ void put(std::int64_t group, int k, int to, double value) const {
    reinterpret_cast<unsigned short*>(step + group)[k] = static_cast<unsigned short>(to);
    reinterpret_cast<float*>(weight + group)[k] = static_cast<float>(value);
  }
};
template <>
struct ColumnEntries<true> {
  uint4* word;

  struct Group {
    uint4 word;
    template <class Use>
    __device__ void each(const Use& use) const {
      const auto one = [&](unsigned w) {
        use(static_cast<int>(w & 0xFFFFU),
            __half2float(__ushort_as_half(static_cast<unsigned short>(w >> 16U))));
      };
      one(word.x);
      one(word.y);
      one(word.z);
      one(word.w);
    }
  };
  __device__ Group stream(std::int64_t at) const { return {__ldcs(word + at)}; }
  __device__ void put(std::int64_t group, int k, int to, double value) const {
    const unsigned half = __half_as_ushort(__float2half_rn(static_cast<float>(value)));
    reinterpret_cast<unsigned*>(word + group)[k] = static_cast<unsigned>(to) | half << 16U;
  }
};

// ---- How it is built

/// Entries of a pixel, with those that fill gaps.
template <class Model, class Emit>
__device__ void encode_pixel(const Model& model, const ColumnSlices& slices, int slice,
                             const Emit& emit) {
  if (!slices.inside(slice, lane_of_warp())) return;
  StepEncoder<Emit> encode{emit};
  visit_pixel(model, slices.x(slice, lane_of_warp()), slices.y(slice, lane_of_warp()),
              [&](int row, double weight) { encode(row, weight); });
}

/// Groups of each slice: those of its longest column; and all nonzeros. A warp for each slice.
template <class Model>
__global__ void __launch_bounds__(256)
    count_slices(Model model, ColumnSlices slices, std::int64_t* __restrict__ groups,
                 unsigned long long* __restrict__ nonzeros) {
  const int slice = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32);
  if (slice >= slices.count) return;
  int entries = 0, fillers = 0;
  encode_pixel(model, slices, slice, [&](int, double weight) {
    ++entries;
    fillers += weight == 0 ? 1 : 0;
  });
  const int stored = warp_sum(entries - fillers);
  for (int step = 16; step > 0; step /= 2)
    entries = most(entries, __shfl_xor_sync(whole_warp, entries, step));
  if (lane_of_warp() != 0) return;
  groups[slice] = (entries + 3) / 4;
  atomicAdd(nonzeros, static_cast<unsigned long long>(stored));
}

template <bool Half, class Model>
__global__ void __launch_bounds__(256)
    fill_slices(Model model, ColumnSlices slices, const std::int64_t* __restrict__ start,
                ColumnEntries<Half> entries, double per_unit) {
  const int slice = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32);
  if (slice >= slices.count) return;
  const std::int64_t first = start[slice] * 32 + lane_of_warp();
  int k = 0;
  encode_pixel(model, slices, slice, [&](int step, double weight) {
    entries.put(first + std::int64_t{k / 4} * 32, k % 4, step, weight * per_unit);
    ++k;
  });
  for (const int end = static_cast<int>(4 * (start[slice + 1] - start[slice])); k < end; ++k)
    entries.put(first + std::int64_t{k / 4} * 32, k % 4, 0, 0.0);
}

// ---- The product

/// Z[j, g] = sum over the rays of w Y[r, g], in planes of one element. A warp for each slice, a
/// lane for each pixel.
template <int Count, bool Half>
__global__ void __launch_bounds__(256)
    zone_gather(ColumnSlices slices, const std::int64_t* __restrict__ start,
                ColumnEntries<Half> entries, std::size_t rows,
                const typename Copies<Count, Half>::Word* __restrict__ rays,
                float* __restrict__ z) {
  const int slice = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32);
  if (slice >= slices.count) return;
  float sums[Count] = {};
  std::size_t row = 0;
  const std::int64_t end = start[slice + 1];
#pragma unroll 2
  for (std::int64_t group = start[slice]; group < end; ++group)
    entries.stream(group * 32 + lane_of_warp()).each([&](int step, float weight) {
      row += step;
      Copies<Count, Half>::add(weight, rays, rows, row, sums);
    });
  if (!slices.inside(slice, lane_of_warp())) return;
  const std::size_t pixels = static_cast<std::size_t>(slices.nx) * slices.ny,
                    at = static_cast<std::size_t>(slices.y(slice, lane_of_warp())) * slices.nx +
                         slices.x(slice, lane_of_warp());
#pragma unroll
  for (int g = 0; g < Count; ++g) z[g * pixels + at] = sums[g];
}

}  // namespace gantry::device
