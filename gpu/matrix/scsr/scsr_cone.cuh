#pragma once

// Products with the stored views of a three-dimensional scan; the formulas are in
// scsr_cone_model.hpp. Both products sum lists of runs: the list of a stored ray refers to orbits,
// the list of an orbit to stored rays.
//
//   cone_forward   a warp for each stored ray; a block has 4 columns x 2 rows of a stored view,
//                  which meet the same orbits; grid (such blocks of rays, listed views)
//   cone_gather    a warp for each orbit, 8 in a block
//   A warp of either kernel, for 8 elements in the plane (InPlane):
//
//     lanes        0 .. 7       8 .. 15      16 .. 23     24 .. 31
//     run of list  a            a + 1        a + 2        a + 3        then a + 4, ...
//     lane         element h = lane % 8 in the plane. For each entry (index, e, w) of its run:
//                  plain += w in[index, h e], mirror += w in[index, h e mirrored]
//     at the end   the lanes of one h add their sums by shuffles
//
//   cone_spread    a warp for each stored ray, 8 in a block; grid (rays of a view / 8, listed
//                  views); lanes as above, but adding to out[orbit, h e] in memory
//   gather_orbits, gather_cone_rays, fold_orbits
//                  a thread for each orbit or stored ray and element in the plane; fold_orbits: for
//                  each orbit and element
#include "gpu/device/copies.cuh"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/scsr/scsr_cone_model.hpp"
#include "gpu/matrix/scsr/tuning.hpp"

namespace gantry::device {

/// The value of an orbit or a stored ray under an element in the plane and, if Mirrored, under the
/// element combined with the mirror along the axis, in one word.
template <bool Mirrored, bool Half>
struct ConeValue;
template <>
struct ConeValue<true, false> {
  using Word = float2;
  static __device__ Word of(float a, float b) { return make_float2(a, b); }
  static __device__ float2 pair(Word word) { return word; }
};
template <>
struct ConeValue<false, false> {
  using Word = float;
  static __device__ Word of(float a, float) { return a; }
  static __device__ float2 pair(Word word) { return make_float2(word, 0); }
};
template <>
struct ConeValue<true, true> {
  using Word = __half2;
  static __device__ Word of(float a, float b) { return __floats2half2_rn(a, b); }
  static __device__ float2 pair(Word word) { return __half22float2(word); }
};
template <>
struct ConeValue<false, true> {
  using Word = __half;
  static __device__ Word of(float a, float) { return __float2half_rn(a); }
  static __device__ float2 pair(Word word) { return make_float2(__half2float(word), 0); }
};

// ---- Runs of entries

/// Returns the k-th of 8 numbers of 16 bits.
__device__ inline unsigned half_word(const uint4& words, int k) {
  const unsigned word = k < 2 ? words.x : k < 4 ? words.y : k < 6 ? words.z : words.w;
  return k % 2 == 0 ? word & 0xFFFFU : word >> 16U;
}

/// The 8 weights of a run.
template <bool Half>
struct RunWeights;
template <>
struct RunWeights<false> {
  float4 low, high;
  __device__ float of(int k) const {
    const float4& four = k < 4 ? low : high;
    return k % 4 == 0 ? four.x : k % 4 == 1 ? four.y : k % 4 == 2 ? four.z : four.w;
  }
  static __device__ RunWeights read(const void* weights, std::size_t run) {
    const auto* from = static_cast<const float4*>(weights) + 2 * run;
    return {__ldcs(from), __ldcs(from + 1)};
  }
  static __device__ void put(void* weights, std::size_t place, float weight) {
    static_cast<float*>(weights)[place] = weight;
  }
};
template <>
struct RunWeights<true> {
  uint4 halves;
  __device__ float of(int k) const {
    return __half2float(__ushort_as_half(static_cast<unsigned short>(half_word(halves, k))));
  }
  static __device__ RunWeights read(const void* weights, std::size_t run) {
    return {__ldcs(static_cast<const uint4*>(weights) + run)};
  }
  static __device__ void put(void* weights, std::size_t place, float weight) {
    static_cast<__half*>(weights)[place] = __float2half_rn(weight);
  }
};

/// Lists of runs: the runs of list i begin at start[i] and end before start[i + 1].
template <bool Half>
struct ConeRuns {
  const std::uint32_t *start, *head;  ///< head: [run] index and element of the first entry
  const uint4* steps;                 ///< [run] 8 offsets of 16 bits from the first index
  const void* weights;                ///< [run][8] floats or halves; 0: the slot is empty

  struct Run {
    std::uint32_t head;
    uint4 steps;
    RunWeights<Half> weights;

    __device__ std::uint32_t place() const { return head >> 4U; }
    __device__ unsigned in_plane() const { return head >> 1U & 7U; }
    __device__ bool mirrored() const { return (head & 1U) != 0; }
  };
  __device__ Run read(std::uint32_t at) const {
    return {__ldcs(head + at), __ldcs(steps + at), RunWeights<Half>::read(weights, at)};
  }
};

/// Returns from[count * Stride]. One instruction computes the address, because a product computes
/// an address for every value that it loads.
template <int Stride, class Word>
__device__ Word strided(const Word* from, unsigned count) {
  const Word* at = nullptr;
  asm("mad.wide.u32 %0, %1, %2, %3;"
      : "=l"(at)
      : "r"(count), "n"(Stride * static_cast<int>(sizeof(Word))), "l"(from));
  return __ldg(at);
}

/// The sums of a list of runs under all elements, computed by a warp: InPlane neighbouring lanes
/// have the elements in the plane, and each such group of lanes takes another run.
template <int InPlane, bool Mirrored, bool Half>
struct ConeSums {
  using Value = ConeValue<Mirrored, Half>;
  using Word = typename Value::Word;
  using Run = typename ConeRuns<Half>::Run;
  static constexpr int at_once = 32 / InPlane, elements = (Mirrored ? 2 : 1) * InPlane;

  float plain = 0, mirror = 0;

  static __device__ int in_plane() { return lane_of_warp() % InPlane; }

  __device__ void add(const ConeRuns<Half>& runs, std::uint32_t first, std::uint32_t last,
                      std::uint32_t times, const Word* __restrict__ in) {
    std::uint32_t at = first + static_cast<unsigned>(lane_of_warp() / InPlane);
#pragma unroll 1
    for (; at < last; at += at_once) add_run(runs.read(at), times, in);
  }
  /// Adds the sums of all groups of lanes; afterwards every lane has the sums of its element.
  __device__ void finish() {
#pragma unroll
    for (int step = InPlane; step < 32; step *= 2) {
      plain += __shfl_xor_sync(whole_warp, plain, step);
      if (Mirrored) mirror += __shfl_xor_sync(whole_warp, mirror, step);
    }
  }
  /// Returns whether the lane outputs a sum under the mirror along the axis: of the first
  /// `elements` lanes, which output the sums, the second half does if Mirrored.
  static __device__ bool takes_mirror() { return Mirrored && lane_of_warp() >= InPlane; }
  __device__ float of_lane() const { return takes_mirror() ? mirror : plain; }

 private:
  __device__ void add_run(const Run& run, std::uint32_t times, const Word* __restrict__ in) {
    const Word* from = in + std::size_t{run.place()} * InPlane + product_of(times, run.in_plane());
    float2 word[run_length];
#pragma unroll
    for (int k = 0; k < run_length; ++k)
      word[k] = Value::pair(strided<InPlane>(from, half_word(run.steps, k)));
    float a = 0, b = 0;
#pragma unroll
    for (int k = 0; k < run_length; ++k) {
      a = fmaf(run.weights.of(k), word[k].x, a);
      if (Mirrored) b = fmaf(run.weights.of(k), word[k].y, b);
    }
    plain += Mirrored && run.mirrored() ? b : a;
    if (Mirrored) mirror += run.mirrored() ? a : b;
  }
};

// ---- Tables

/// The symmetry group and its action on stored views and voxels; see ConeStoredViews.
struct ConeMaps {
  ConeRays rays;
  const std::uint32_t* times;  ///< [h]: products h e in the plane, see product_of
  const StoredView* image;     ///< [stored view][8]
  const int* voxel;            ///< [orbit][element]
  std::int64_t orbits;
  bool has_fixed_voxels;
};

/// Some of the stored views: blocks of a launch have view[blockIdx.y].
struct ViewList {
  std::uint16_t view[scsr::most_listed_views];
};
/// A set of blocks of stored views, a bit for each.
struct BlockSet {
  std::uint32_t bits[scsr::most_view_blocks / 32];
  GANTRY_HD bool has(int block) const { return (bits[block / 32] >> (block % 32) & 1U) != 0; }
};

/// Writes x of the voxels of an orbit; neighbouring lanes have an element each. If elements map
/// voxels onto themselves, several lanes have the same voxel and a part of its sum each: the first
/// of these lanes adds the parts and writes the voxel.
template <int Elements>
__device__ void put_orbit(const ConeMaps& maps, int voxel, float sum, bool taking_part, float* x) {
  float total = sum;
  if (maps.has_fixed_voxels)
#pragma unroll
    for (int other = 1; other < Elements; ++other) {
      const int same = __shfl_xor_sync(whole_warp, voxel, other);
      const float part = __shfl_xor_sync(whole_warp, sum, other);
      if (same != voxel) continue;
      total += part;
      if ((lane_of_warp() ^ other) < lane_of_warp()) taking_part = false;
    }
  if (taking_part) x[voxel] = total;
}

// ---- Vectors by orbits and by stored rays

/// Computes X[o, h] = x[h o].
template <int InPlane, bool Mirrored, bool Half>
__global__ void __launch_bounds__(usual_threads)
    gather_orbits(ConeMaps maps, const float* __restrict__ x, Scale scale,
                  typename ConeValue<Mirrored, Half>::Word* __restrict__ out) {
  const std::int64_t i = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (i >= maps.orbits * InPlane) return;
  const float by = Half ? scale.to() : 1.0F;
  const int* voxel = maps.voxel + (Mirrored ? 2 : 1) * i;
  out[i] = ConeValue<Mirrored, Half>::of(by * x[voxel[0]], Mirrored ? by * x[voxel[1]] : 0.0F);
}

/// Computes Y[r, h] = y[h r] for the stored rays in `blocks` of views. Y is 0 if another element
/// makes that ray, and outside of the subset.
template <int InPlane, bool Mirrored, bool Half>
__global__ void __launch_bounds__(usual_threads)
    gather_cone_rays(ConeMaps maps, const float* __restrict__ y, StoredViewSubset subset,
                     BlockSet blocks, Scale scale,
                     typename ConeValue<Mirrored, Half>::Word* __restrict__ out) {
  const std::int64_t i = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x, ray = i / InPlane;
  if (ray >= maps.rays.count() || !blocks.has(maps.rays.block_of(ray))) return;
  const auto [view, row, column] = maps.rays.place(ray);
  const StoredView to = maps.image[8 * view + i % InPlane];
  const bool wanted = to.view >= 0 && subset.has(to.view);
  const float by = Half ? scale.to() : 1.0F;
  const auto value = [&](bool mirror) {
    const std::int64_t at = wanted ? maps.rays.target(to, row, column, mirror) : -1;
    return at < 0 ? 0.0F : by * y[at];
  };
  out[i] = ConeValue<Mirrored, Half>::of(value(false), Mirrored ? value(true) : 0.0F);
}

// ---- Products

/// Computes y[h r] = unit * sum of w X[o, h e] over the entries of r, for the rays of the subset
/// that are made of the listed views.
template <int InPlane, bool Mirrored, bool Half>
__global__ void __launch_bounds__(usual_threads)
    cone_forward(ConeMaps maps, ConeRuns<Half> runs, ViewList views, StoredViewSubset subset,
                 const typename ConeValue<Mirrored, Half>::Word* __restrict__ in, float unit,
                 Scale scale, float* __restrict__ y) {
  using Sums = ConeSums<InPlane, Mirrored, Half>;
  const ConeRays& rays = maps.rays;
  using scsr::cone_columns;
  const int across = (rays.columns + cone_columns - 1) / cone_columns,
            patch = static_cast<int>(blockIdx.x), warp = static_cast<int>(threadIdx.x / 32),
            view = views.view[blockIdx.y],
            column = patch % across * cone_columns + warp % cone_columns,
            row = patch / across * scsr::cone_rows + warp / cone_columns;
  if (column >= rays.columns || row >= rays.rows) return;
  const std::int64_t ray = rays.number(view, row, column);
  Sums sums;
  sums.add(runs, runs.start[ray], runs.start[ray + 1], maps.times[Sums::in_plane()], in);
  sums.finish();
  if (lane_of_warp() >= Sums::elements) return;
  const StoredView to = maps.image[8 * view + Sums::in_plane()];
  if (to.view < 0 || !subset.has(to.view)) return;
  const std::int64_t at = rays.target(to, row, column, Sums::takes_mirror());
  if (at >= 0) y[at] = sums.of_lane() * (unit * scale.back());
}

/// Computes x[h o] = unit * sum of w Y[r, h e^-1] over the entries of o in the blocks of views
/// `asked`; `all`: these are all blocks.
template <int InPlane, bool Mirrored, bool Half>
__global__ void __launch_bounds__(usual_threads)
    cone_gather(ConeMaps maps, ConeRuns<Half> runs, BlockSet asked, bool all,
                const typename ConeValue<Mirrored, Half>::Word* __restrict__ in, float unit,
                Scale scale, float* __restrict__ x) {
  using Sums = ConeSums<InPlane, Mirrored, Half>;
  const std::int64_t orbit = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (orbit >= maps.orbits) return;
  const int blocks = maps.rays.blocks();
  const std::uint32_t* start = runs.start + orbit * blocks;
  const std::uint32_t times = maps.times[Sums::in_plane()];
  Sums sums;
  for (int block = 0; block < blocks;) {
    int end = all ? blocks : block;
    while (end < blocks && asked.has(end)) ++end;
    if (end > block) sums.add(runs, start[block], start[end], times, in);
    block = end + 1;
  }
  sums.finish();
  const int lane = lane_of_warp() % Sums::elements,
            element = Mirrored ? 2 * (lane % InPlane) + lane / InPlane : lane;
  put_orbit<Sums::elements>(maps, maps.voxel[orbit * Sums::elements + element],
                            __shfl_sync(whole_warp, sums.of_lane(), lane) * (unit * scale.back()),
                            lane_of_warp() < Sums::elements, x);
}

/// Adds w Y[r, h] to X[o, h e] for all entries of the rays of the listed views. Without Atomic,
/// additions race, as cuART's do.
template <int InPlane, bool Mirrored, bool Half, bool Atomic>
__global__ void __launch_bounds__(usual_threads)
    cone_spread(ConeMaps maps, ConeRuns<Half> runs, ViewList views,
                const typename ConeValue<Mirrored, Half>::Word* __restrict__ in, float* out) {
  using Sums = ConeSums<InPlane, Mirrored, Half>;
  const int nth = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32),
            columns = maps.rays.columns;
  if (nth >= maps.rays.rows * columns) return;
  const std::int64_t ray = maps.rays.number(views.view[blockIdx.y], nth / columns, nth % columns);
  const std::uint32_t times = maps.times[Sums::in_plane()], last = runs.start[ray + 1];
  const float2 value = ConeValue<Mirrored, Half>::pair(in[ray * InPlane + Sums::in_plane()]);
  for (std::uint32_t at = runs.start[ray] + static_cast<unsigned>(lane_of_warp() / InPlane);
       at < last; at += Sums::at_once) {
    const auto run = runs.read(at);
    const bool swapped = run.mirrored();
    for (int k = 0; k < run_length; ++k) {
      const float weight = run.weights.of(k);
      if (weight == 0) continue;
      float* to = out + (std::size_t{run.place() + half_word(run.steps, k)} * InPlane +
                         product_of(times, run.in_plane())) *
                            (Mirrored ? 2 : 1);
      const auto add = [](float* place, float part) {
        if (Atomic)
          atomicAdd(place, part);
        else
          *place += part;
      };
      add(to, weight * (Mirrored && swapped ? value.y : value.x));
      if (Mirrored) add(to + 1, weight * (swapped ? value.x : value.y));
    }
  }
}

/// Computes x[h o] = unit * X[o, h].
template <int Elements>
__global__ void __launch_bounds__(usual_threads)
    fold_orbits(ConeMaps maps, const float* __restrict__ sums, float unit, Scale scale,
                float* __restrict__ x) {
  const std::int64_t i = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x,
                     last = maps.orbits * Elements - 1;
  const std::int64_t at = i < last ? i : last;
  put_orbit<Elements>(maps, maps.voxel[at], sums[at] * (unit * scale.back()), i <= last, x);
}

}  // namespace gantry::device
