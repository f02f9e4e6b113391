#pragma once

// The values that a pixel or ray has under the 4 or 8 elements of a symmetry, side by side: as
// float32 in planes of four, or packed in half precision, scaled by a power of two.
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

  /// Of `places` values.
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
  using Word = std::conditional_t<Count == 8, uint4, uint2>;  // moved in one instruction

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
/// The same with values in memory, of `places`.
template <bool Half, int Count>
__device__ void add_copies(float weight, const typename Copies<Count, Half>::Word* memory,
                           std::size_t places, std::size_t at, float (&sum)[Count]) {
  float value[Count];
  Copies<Count, Half>::load(memory, places, at, value);
  add_to_sums(weight, value, sum);
}

/// Powers of two that bring what has its largest magnitude in `bits` (of a float) to 1 .. 2, and
/// back. Null: values are left alone.
struct Scale {
  const int* bits;

  /// Of a slice of several.
  __device__ Scale of(unsigned slice) const { return {bits == nullptr ? bits : bits + slice}; }
  __device__ float to() const { return scalbnf(1.0F, -exponent()); }
  __device__ float back() const { return scalbnf(1.0F, exponent()); }

 private:
  __device__ int exponent() const {
    if (bits == nullptr || *bits == 0) return 0;
    return min(max(ilogbf(__int_as_float(*bits)), -126), 126);
  }
};

/// Adds to `Count` values side by side, which others add to: by atomics, or without any protection,
/// as cuART does, so that what two threads add at once may get lost.
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
