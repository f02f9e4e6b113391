#pragma once

// The transpose of the matrix rows W of the stored views, for the backprojection. It has a list of
// entries for each pair of pixels that are neighbours along the direction of most rays, and
// therefore are seen by about the same rays: an entry has a ray and the weights of both pixels, so
// that the values of a ray are loaded once for both. Lists are padded to the longest in chunks
// (sliced ELL: slices) of 32 pairs, 8 x 8 pixels. The ray of an entry is stored as the step from
// the entry before it (StepEncoder).
//
//   count_chunks, fill_chunks, scsr_gather: a warp for each chunk, 8 chunks in a block; a lane for
//   each pair of pixels
//
//     pixels of a chunk, pairs along y      memory of a chunk
//       y 6, 7   lanes 24 .. 31                        group 0         group 1         ...
//       y 4, 5   lanes 16 .. 23               lane 0   e0 e1 e2 e3     e4 e5 e6 e7
//       y 2, 3   lanes  8 ..  15              lane 1   e0 e1 e2 e3     e4 e5 padding
//       y 0, 1   lanes  0 ..  7               ...      (groups: 4 entries of a lane, those of the
//          x     0  ..  7                     lane 31   32 lanes are neighbours in memory)
#include "gpu/device/block_shape.hpp"
#include "gpu/device/copies.cuh"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/stored_row_model.hpp"
#include "gpu/matrix/scsr/scsr_model.hpp"

namespace gantry::device {

/// Chunks of 8 x 8 pixels, in 32 pairs along y or along x. Pixels outside of the image have no
/// entries.
struct ColumnChunks {
  int nx, ny, across, count;
  bool along_y;

  static GANTRY_HD ColumnChunks of(int nx, int ny, bool along_y) {
    const int across = (nx + 7) / 8;
    return {nx, ny, across, across * ((ny + 7) / 8), along_y};
  }
  GANTRY_HD PixelPair pair(int chunk, int lane) const {
    const int x = chunk % across * 8, y = chunk / across * 8, side = lane % 8, along = lane / 8 * 2;
    return along_y ? PixelPair{x + side, y + along, x + side, y + along + 1}
                   : PixelPair{x + along, y + side, x + along + 1, y + side};
  }
  GANTRY_HD bool has(int x, int y) const { return x < nx && y < ny; }
};

/// The entries of all chunks, in groups of four of a lane: steps, and the weights of the first and
/// the second pixel; in half precision, both weights are in one word.
template <bool Half>
struct ColumnEntries;
template <>
struct ColumnEntries<false> {
  ushort4* step;
  float4* weight;  ///< [group][first or second pixel][lane]

  struct Group {
    ushort4 step;
    float4 weight, next;
    template <class Use>
    __device__ void each(const Use& use) const {
      use(step.x, weight.x, next.x);
      use(step.y, weight.y, next.y);
      use(step.z, weight.z, next.z);
      use(step.w, weight.w, next.w);
    }
  };
  __device__ Group stream(std::int64_t group) const {
    const int lane = lane_of_warp();
    return {__ldcs(step + (group * 32 + lane)), __ldcs(weight + (group * 64 + lane)),
            __ldcs(weight + (group * 64 + 32 + lane))};
  }
  __device__ void put(std::int64_t group, int k, int to, double value, double next) const {
    const int lane = lane_of_warp();
    reinterpret_cast<unsigned short*>(step + (group * 32 + lane))[k] =
        static_cast<unsigned short>(to);
    reinterpret_cast<float*>(weight + (group * 64 + lane))[k] = static_cast<float>(value);
    reinterpret_cast<float*>(weight + (group * 64 + 32 + lane))[k] = static_cast<float>(next);
  }
};
template <>
struct ColumnEntries<true> {
  ushort4* step;
  uint4* weight;

  struct Group {
    ushort4 step;
    uint4 weight;
    template <class Use>
    __device__ void each(const Use& use) const {
      const auto one = [&](unsigned to, unsigned both) {
        use(to, half_of(both & 0xFFFFU), half_of(both >> 16U));
      };
      one(step.x, weight.x);
      one(step.y, weight.y);
      one(step.z, weight.z);
      one(step.w, weight.w);
    }

   private:
    static __device__ float half_of(unsigned bits) {
      return __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
    }
  };
  __device__ Group stream(std::int64_t group) const {
    const std::int64_t at = group * 32 + lane_of_warp();
    return {__ldcs(step + at), __ldcs(weight + at)};
  }
  __device__ void put(std::int64_t group, int k, int to, double value, double next) const {
    const std::int64_t at = group * 32 + lane_of_warp();
    const auto bits = [](double of) -> unsigned {
      return __half_as_ushort(__float2half_rn(static_cast<float>(of)));
    };
    reinterpret_cast<unsigned short*>(step + at)[k] = static_cast<unsigned short>(to);
    reinterpret_cast<unsigned*>(weight + at)[k] = bits(value) | bits(next) << 16U;
  }
};

// ---- Building the transpose

/// Calls put(step, weight, weight of the second pixel) for the entries of a lane's pair, and for
/// those without weight that fill wide gaps between rays.
template <class Model, class Put>
__device__ void encode_pair(const Model& model, const ColumnChunks& chunks, int chunk,
                            const Put& put) {
  const PixelPair pair = chunks.pair(chunk, lane_of_warp());
  if (!chunks.has(pair.x, pair.y)) return;
  StepEncoder<Put> encode{put};
  if (chunks.has(pair.next_x, pair.next_y))
    visit_pair(model, pair,
               [&](int row, double weight, double next) { encode(row, weight, next); });
  else
    visit_pixel(model, pair.x, pair.y, [&](int row, double weight) { encode(row, weight, 0.0); });
}

/// Computes the groups of each chunk, which its longest list needs, and counts all nonzeros.
template <class Model>
__global__ void __launch_bounds__(usual_threads)
    count_chunks(Model model, ColumnChunks chunks, std::int64_t* __restrict__ groups,
                 unsigned long long* __restrict__ nonzeros) {
  const int chunk = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32);
  if (chunk >= chunks.count) return;
  int entries = 0, stored = 0;
  encode_pair(model, chunks, chunk, [&](int, double weight, double next) {
    ++entries;
    stored += (weight > 0 ? 1 : 0) + (next > 0 ? 1 : 0);
  });
  stored = warp_sum(stored);
  entries = warp_max(entries);
  if (lane_of_warp() != 0) return;
  groups[chunk] = (entries + 3) / 4;
  atomicAdd(nonzeros, static_cast<unsigned long long>(stored));
}

/// Writes the entries and the padding of all chunks; weights are multiplied by per_unit.
template <bool Half, class Model>
__global__ void __launch_bounds__(usual_threads)
    fill_chunks(Model model, ColumnChunks chunks, const std::int64_t* __restrict__ start,
                ColumnEntries<Half> entries, double per_unit) {
  const int chunk = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32);
  if (chunk >= chunks.count) return;
  int k = 0;
  encode_pair(model, chunks, chunk, [&](int step, double weight, double next) {
    entries.put(start[chunk] + k / 4, k % 4, step, weight * per_unit, next * per_unit);
    ++k;
  });
  for (const int end = static_cast<int>(4 * (start[chunk + 1] - start[chunk])); k < end; ++k)
    entries.put(start[chunk] + k / 4, k % 4, 0, 0.0, 0.0);
}

// ---- The product

/// Computes Z[j, g] = sum of w Y[r, g] over the stored rays r, as one image z[g] for each element.
/// For several slices of a stack (`images`), their blocks follow each other as in scsr_forward.
template <int Count, bool Half>
__global__ void __launch_bounds__(usual_threads)
    scsr_gather(ColumnChunks chunks, const std::int64_t* __restrict__ start,
                ColumnEntries<Half> entries, std::size_t rows, unsigned images,
                const typename Copies<Count, Half>::Word* __restrict__ rays,
                float* __restrict__ z) {
  const unsigned nth = blockIdx.x % images;
  const int chunk = static_cast<int>(blockIdx.x / images * usual_warps + threadIdx.x / 32);
  if (chunk >= chunks.count) return;
  const std::size_t pixels = static_cast<std::size_t>(chunks.nx) * chunks.ny;
  rays += nth * rows * Copies<Count, Half>::planes;
  z += nth * pixels * Count;
  float sums[Count] = {}, next_sums[Count] = {};
  unsigned row = 0;
  const std::int64_t end = start[chunk + 1];
#pragma unroll 2
  for (std::int64_t group = start[chunk]; group < end; ++group)
    entries.stream(group).each([&](unsigned step, float weight, float next) {
      row += step;
      float value[Count];
      Copies<Count, Half>::load(rays, rows, row, value);
      add_to_sums(weight, value, sums);
      add_to_sums(next, value, next_sums);
    });
  const auto put = [&](int x, int y, const float(&of)[Count]) {
    if (!chunks.has(x, y)) return;
    float* to = z + (static_cast<std::size_t>(y) * chunks.nx + x);
#pragma unroll
    for (int g = 0; g < Count; ++g) to[g * pixels] = of[g];
  };
  const PixelPair pair = chunks.pair(chunk, lane_of_warp());
  put(pair.x, pair.y, sums);
  put(pair.next_x, pair.next_y, next_sums);
}

}  // namespace gantry::device
