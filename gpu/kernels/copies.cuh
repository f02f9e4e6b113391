#pragma once

// The values that a pixel or ray has under the 4 or 8 elements of a symmetry, side by side: as
// float32 in planes of four, or packed in half precision, scaled by a power of two.
#include <cuda_fp16.h>

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
  static __device__ void add(float weight, const Word* memory, std::size_t places, std::size_t at,
                             float (&sum)[Count]) {
#pragma unroll
    for (int i = 0; i < planes; ++i) {
      const Word w = memory[i * places + at];
      sum[4 * i] = fmaf(weight, w.x, sum[4 * i]);
      sum[4 * i + 1] = fmaf(weight, w.y, sum[4 * i + 1]);
      sum[4 * i + 2] = fmaf(weight, w.z, sum[4 * i + 2]);
      sum[4 * i + 3] = fmaf(weight, w.w, sum[4 * i + 3]);
    }
  }
};

template <int Count>
struct Copies<Count, true> {
  static constexpr int bytes = 2 * Count, planes = 1;
  struct alignas(2 * Count) Word {
    __half2 pair[Count / 2];
  };

  static __device__ void store(Word* memory, std::size_t, std::size_t at,
                               const float (&value)[Count]) {
    Word word;
#pragma unroll
    for (int i = 0; i < Count / 2; ++i)
      word.pair[i] = __floats2half2_rn(value[2 * i], value[2 * i + 1]);
    memory[at] = word;
  }
  static __device__ void add(float weight, const Word* memory, std::size_t, std::size_t at,
                             float (&sum)[Count]) {
    const Word word = memory[at];
#pragma unroll
    for (int i = 0; i < Count / 2; ++i) {
      const float2 two = __half22float2(word.pair[i]);
      sum[2 * i] = fmaf(weight, two.x, sum[2 * i]);
      sum[2 * i + 1] = fmaf(weight, two.y, sum[2 * i + 1]);
    }
  }
};

/// Powers of two that bring what has its largest magnitude in `bits` (of a float) to 1 .. 2, and
/// back. Null: values are left alone.
struct Scale {
  const int* bits;

  __device__ float to() const { return scalbnf(1.0F, -exponent()); }
  __device__ float back() const { return scalbnf(1.0F, exponent()); }

 private:
  __device__ int exponent() const {
    if (bits == nullptr || *bits == 0) return 0;
    return min(max(ilogbf(__int_as_float(*bits)), -126), 126);
  }
};

}  // namespace gantry::device
