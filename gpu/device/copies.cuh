#pragma once

// The values of a pixel or ray under the `Count` (4 or 8) elements of a symmetry group, stored
// together: as float32 in Count / 4 planes of float4, or in half precision packed into one word.
// Half-precision values are scaled by a power of two (Scale).
//
//             index 0      1      2   ...
//   float32   plane 0:  g0..g3 g0..g3 g0..g3      (g: element of the group; one float4 per index)
//             plane 1:  g4..g7 g4..g7 g4..g7      (only for Count = 8)
//   half      plane 0:  g0..g7 g0..g7 g0..g7      (one uint4 or uint2 per index)
#include <cuda_fp16.h>

#include <cstddef>
#include <type_traits>

namespace gantry::device {

template <int Count, bool Half>
struct Copies;

template <int Count>
struct Copies<Count, false> {
  static constexpr int bytes = 4 * Count, planes = Count / 4;
  using Word = float4;

  /// Stores the values of index `at`; a plane has `places` indices.
  static __device__ void store(Word* memory, std::size_t places, std::size_t at,
                               const float (&value)[Count]) {
#pragma unroll
    for (int i = 0; i < planes; ++i)
      memory[i * places + at] =
          make_float4(value[4 * i], value[4 * i + 1], value[4 * i + 2], value[4 * i + 3]);
  }
  static __device__ void load(const Word* memory, std::size_t places, std::size_t at,
                              float (&value)[Count]) {
#pragma unroll
    for (int i = 0; i < planes; ++i) {
      const Word w = memory[i * places + at];
      value[4 * i] = w.x;
      value[4 * i + 1] = w.y;
      value[4 * i + 2] = w.z;
      value[4 * i + 3] = w.w;
    }
  }
};

template <int Count>
struct Copies<Count, true> {
  static constexpr int bytes = 2 * Count, planes = 1;
  using Word = std::conditional_t<Count == 8, uint4, uint2>;  // one load or store instruction

  static __device__ void store(Word* memory, std::size_t, std::size_t at,
                               const float (&value)[Count]) {
    Word word;
    auto* half = reinterpret_cast<unsigned*>(&word);
#pragma unroll
    for (int i = 0; i < Count / 2; ++i) {
      const __half2 pair = __floats2half2_rn(value[2 * i], value[2 * i + 1]);
      half[i] = __half_as_ushort(__low2half(pair)) |
                static_cast<unsigned>(__half_as_ushort(__high2half(pair))) << 16U;
    }
    memory[at] = word;
  }
  static __device__ void load(const Word* memory, std::size_t, std::size_t at,
                              float (&value)[Count]) {
    const Word word = memory[at];
    const auto* half = reinterpret_cast<const unsigned*>(&word);
#pragma unroll
    for (int i = 0; i < Count / 2; ++i) {
      value[2 * i] = value_of(half[i] & 0xFFFFU);
      value[2 * i + 1] = value_of(half[i] >> 16U);
    }
  }

 private:
  static __device__ float value_of(unsigned half) {
    return __half2float(__ushort_as_half(static_cast<unsigned short>(half)));
  }
};

template <int Count>
__device__ void add_to_sums(float weight, const float (&value)[Count], float (&sum)[Count]) {
#pragma unroll
  for (int g = 0; g < Count; ++g) sum[g] = fmaf(weight, value[g], sum[g]);
}
/// Adds weight times the values of index `at` in memory to the sums; a plane has `places` indices.
template <bool Half, int Count>
__device__ void add_copies(float weight, const typename Copies<Count, Half>::Word* memory,
                           std::size_t places, std::size_t at, float (&sum)[Count]) {
  float value[Count];
  Copies<Count, Half>::load(memory, places, at, value);
  add_to_sums(weight, value, sum);
}

/// Powers of two that scale values to a largest magnitude in [1, 2), and back. `bits` holds the
/// largest magnitude as the bits of a float; a null pointer means that values are not scaled.
struct Scale {
  const int* bits;

  /// Returns the scale of one slice, where `bits` has an entry per slice.
  __device__ Scale of(unsigned slice) const { return {bits == nullptr ? bits : bits + slice}; }
  __device__ float to() const { return scalbnf(1.0F, -exponent()); }
  __device__ float back() const { return scalbnf(1.0F, exponent()); }

 private:
  __device__ int exponent() const {
    if (bits == nullptr || *bits == 0) return 0;
    return min(max(ilogbf(__int_as_float(*bits)), -126), 126);
  }
};

/// Adds `Count` adjacent values in memory that several threads add to: by atomics (Safe), or
/// without protection as cuART does, in which case one of two simultaneous additions may be lost.
template <int Count, bool Safe = true>
__device__ void add_values(float* to, const float (&value)[Count]) {
#pragma unroll
  for (int g = 0; g < Count; g += 4) {
    const float4 add = make_float4(value[g], value[g + 1], value[g + 2], value[g + 3]);
    auto* four = reinterpret_cast<float4*>(to + g);
    if constexpr (!Safe) {
      const float4 old = *four;
      *four = make_float4(old.x + add.x, old.y + add.y, old.z + add.z, old.w + add.w);
    } else {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
      atomicAdd(four, add);
#else
#pragma unroll
      for (int i = g; i < g + 4; ++i) atomicAdd(to + i, value[i]);
#endif
    }
  }
}

}  // namespace gantry::device
