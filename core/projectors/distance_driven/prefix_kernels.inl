// The loops behind prefix_kernels.hpp, included once per instruction set after dd_kernels.inl (for
// minf, maxf and difference). As in dd_kernels.inl, no inline function of a header may be called.

namespace gantry::GANTRY_ISA {

namespace {

inline std::int32_t plus(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

/// Positions (gain + rest) * t + whole + part along a row: `whole` is a whole number, `part` lies
/// in [0, 1), and `rest` is the rounding error of `gain` as float32. With the terms kept apart, the
/// position inside a pixel is computed as a number below one and keeps its last bits.
struct Places {
  float gain, rest, whole, part;

  Places(double gain_of, double origin)
      : gain(static_cast<float>(gain_of)), rest(static_cast<float>(gain_of - gain)) {
    const double below = __builtin_floor(origin);
    whole = static_cast<float>(below);
    part = static_cast<float>(origin - below);
  }
};

/// at[e] = S(position of t(e)), for e = 0 .. count - 1.
template <class Coordinate>
inline void evaluate(const std::int32_t* __restrict__ sums, int width, const Places given,
                     const Coordinate t, int count, std::int32_t* __restrict__ at) {
  const float gain = given.gain, rest = given.rest, whole = given.whole, part = given.part;
  const float origin = whole + part, upper = static_cast<float>(width);
#pragma GCC ivdep
  for (int e = 0; e < count; ++e) {
    const float u = minf(maxf(gain * t(e) + origin, 0.0F), upper);
    const int i = static_cast<int>(u);
    const float inside = (gain * t(e) + (whole - static_cast<float>(i))) + (rest * t(e) + part);
    const float fraction = minf(maxf(inside, 0.0F), 1.0F);
    const float value = difference(sums[i + 1], sums[i]);
    at[e] = plus(sums[i], static_cast<std::int32_t>(fraction * value));
  }
}

/// out[c] += weight * (at[c + 1] - at[c])
inline void add_differences(const std::int32_t* __restrict__ at, float weight, int count,
                            float* __restrict__ out) {
#pragma GCC ivdep
  for (int c = 0; c < count; ++c) out[c] += weight * difference(at[c + 1], at[c]);
}

void prefix_forward(const DdMap& map, const std::int32_t* sums, int width, long row_stride,
                    int layer_first, int layer_last, int cell_first, int cell_last,
                    std::int32_t* scratch, float* sum) {
  const float* __restrict__ edge = map.edge + cell_first;
  const int cells = cell_last - cell_first;
  for (int k = layer_first; k < layer_last; ++k) {
    const double scale = map.scale_first + k * map.scale_step;
    const Places places(scale, map.shift_first + k * map.shift_step);
    evaluate(
        sums + (k - layer_first) * row_stride, width, places, [=](int e) { return edge[e]; },
        cells + 1, scratch);
    add_differences(scratch, 1.0F / places.gain, cells, sum + cell_first);
  }
}

void prefix_interpolate(const std::int32_t* __restrict__ low, const std::int32_t* __restrict__ high,
                        float fraction, int count, std::int32_t* __restrict__ out) {
#pragma GCC ivdep
  for (int j = 0; j < count; ++j)
    out[j] = plus(low[j], static_cast<std::int32_t>(fraction * difference(high[j], low[j])));
}

/// Prefix sums are computed in vector registers, scan_lanes at a time: computed one by one, each
/// sum would wait for the previous one.
#ifdef __AVX512F__
constexpr int scan_lanes = 16;
#else
constexpr int scan_lanes = 4;
#endif
using Lanes = std::uint32_t __attribute__((vector_size(4 * scan_lanes)));
using LanesInMemory =
    std::uint32_t __attribute__((vector_size(4 * scan_lanes), aligned(4), may_alias));

/// Returns the vector moved up by `shift` elements, with zeros in the first ones.
template <int shift>
inline Lanes moved_up(Lanes values) {
  Lanes moved{};
#ifdef __clang__  // has no __builtin_shuffle
  for (int j = shift; j < scan_lanes; ++j) moved[j] = values[j - shift];
#else
  Lanes from;
  for (int j = 0; j < scan_lanes; ++j)
    from[j] = static_cast<std::uint32_t>(j < shift ? scan_lanes : j - shift);
  moved = __builtin_shuffle(values, Lanes{}, from);
#endif
  return moved;
}

/// Returns the last element in every element of a vector.
inline Lanes last_everywhere(Lanes values) {
#ifdef __clang__
  return Lanes{} + values[scan_lanes - 1];
#else
  return __builtin_shuffle(values, Lanes{} + (scan_lanes - 1));
#endif
}

void prefix_sum_up_to(const std::int32_t* __restrict__ low, const std::int32_t* __restrict__ high,
                      float fraction, int count, std::int32_t* __restrict__ at,
                      std::int32_t* __restrict__ sums) {
  using Signed = std::int32_t __attribute__((vector_size(4 * scan_lanes)));
  using Floats = float __attribute__((vector_size(4 * scan_lanes)));
  const auto in_memory = [](auto* p) { return reinterpret_cast<LanesInMemory*>(p); };
  const auto load = [](const std::int32_t* p) -> Lanes {
    return *reinterpret_cast<const LanesInMemory*>(p);
  };
  Lanes before{};  // the sum of all values before j, in every element of the vector
  int j = 0;
  sums[0] = 0;
  for (; j + scan_lanes <= count; j += scan_lanes) {
    const Lanes from = load(low + j), step = load(high + j) - from;
    const Floats part = fraction * __builtin_convertvector((Signed)step, Floats);
    const Signed whole = __builtin_convertvector(part, Signed);
    const Lanes now = from + (Lanes)whole;
    Lanes sum = now - load(at + j);
    *in_memory(at + j) = now;
    sum += moved_up<1>(sum);
    sum += moved_up<2>(sum);
#ifdef __AVX512F__
    sum += moved_up<4>(sum);
    sum += moved_up<8>(sum);
#endif
    *in_memory(sums + j + 1) = before + sum;
    before += last_everywhere(sum);
  }
  for (; j < count; ++j) {
    const std::int32_t now =
        plus(low[j], static_cast<std::int32_t>(fraction * difference(high[j], low[j])));
    sums[j + 1] = plus(sums[j], static_cast<std::int32_t>(static_cast<std::uint32_t>(now) -
                                                          static_cast<std::uint32_t>(at[j])));
    at[j] = now;
  }
  sums[count + 1] = sums[count];
}

/// at[q] = S(origin + q pitch), for q = 0 .. out_count.
inline void evaluate_edges(const std::int32_t* sums, int in_count, double origin, double pitch,
                           int out_count, std::int32_t* at) {
  evaluate(
      sums, in_count, Places(pitch, origin), [](int q) { return static_cast<float>(q); },
      out_count + 1, at);
}

void prefix_resample(const std::int32_t* sums, int in_count, double origin, double pitch,
                     float weight, int out_count, std::int32_t* scratch, float* out) {
  evaluate_edges(sums, in_count, origin, pitch, out_count, scratch);
  add_differences(scratch, weight, out_count, out);
}

void prefix_add_means(const std::int32_t* sums, int in_count, double origin, double pitch,
                      float weight, int out_count, std::int32_t* scratch, const std::int32_t* low,
                      std::int32_t* high) {
  evaluate_edges(sums, in_count, origin, pitch, out_count, scratch);
#pragma GCC ivdep
  for (int q = 0; q < out_count; ++q)
    high[q] =
        plus(low[q], static_cast<std::int32_t>(weight * difference(scratch[q + 1], scratch[q])));
}

void prefix_add_up_to(const std::int32_t* __restrict__ low, const std::int32_t* __restrict__ high,
                      float fraction, float weight, int count, std::int32_t* __restrict__ at,
                      float* __restrict__ out) {
#pragma GCC ivdep
  for (int j = 0; j < count; ++j) {
    const std::int32_t now =
        plus(low[j], static_cast<std::int32_t>(fraction * difference(high[j], low[j])));
    out[j] += weight * difference(now, at[j]);
    at[j] = now;
  }
}

}  // namespace

extern const PrefixKernels prefix_table = {prefix_forward,   prefix_interpolate, prefix_resample,
                                           prefix_add_means, prefix_add_up_to,   prefix_sum_up_to};

}  // namespace gantry::GANTRY_ISA
