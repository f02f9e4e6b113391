// The loops behind dd_kernels.hpp, included once per instruction set by a file that defines
// GANTRY_ISA as the name of a namespace. No inline function of a header may be called here: of its
// copies the linker keeps one, which might be compiled for a newer processor than the present one.

namespace gantry::GANTRY_ISA {

namespace {

inline float minf(float a, float b) { return a < b ? a : b; }
inline float maxf(float a, float b) { return a > b ? a : b; }
inline int mini(int a, int b) { return a < b ? a : b; }
inline int maxi(int a, int b) { return a > b ? a : b; }

/// Returns 2 atan z to 2e-7 for |z| <= 0.84, by an odd polynomial fitted to this range.
inline float twice_atan(float z) {
  const float z2 = z * z;
  const float poly =
      0.999999904F +
      z2 * (-0.333318923F +
            z2 * (0.199645968F +
                  z2 * (-0.139533508F +
                        z2 * (0.0956464926F + z2 * (-0.0507124979F + z2 * 0.0138478459F)))));
  return 2.0F * z * poly;
}

/// Returns atan x to 2e-7 for |x| <= tan(80 degrees), by halving the angle.
inline float fast_atan(float x) { return twice_atan(x / (1.0F + __builtin_sqrtf(1.0F + x * x))); }

// Offsets within a layer are 32-bit, so that the processor can gather eight values at a time.
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result)

/// Returns the sum of `taps` pixels, from the pixel that contains u on, weighted by their overlaps
/// with [u, w]; 0 <= u <= w <= width.
template <int taps>
inline float gather(const float* row, int stride, int width, float u, float w) {
  const int first = mini(static_cast<int>(u), width - 1);
  const float base = static_cast<float>(first);
  float sum = (minf(w, base + 1.0F) - u) * row[first * stride];
  for (int t = 1; t < taps; ++t) {
    const float overlap = maxf(minf(w - (base + static_cast<float>(t)), 1.0F), 0.0F);
    sum += overlap * row[mini(first + t, width - 1) * stride];
  }
  return sum;
}

template <int taps>
void forward_slice(const float* edge, float scale, float shift, const float* row, int stride,
                   int width, int first, int last, float* sum) {
  const float inverse = 1.0F / scale, upper = static_cast<float>(width);
#pragma GCC ivdep
  for (int c = first; c < last; ++c) {
    const float u = minf(maxf(scale * edge[c] + shift, 0.0F), upper);
    const float w = minf(maxf(scale * edge[c + 1] + shift, 0.0F), upper);
    sum[c] += inverse * gather<taps>(row, stride, width, u, w);
  }
}

/// For footprints of any width: a plain loop over the pixels of each cell.
void forward_slice_wide(const float* edge, float scale, float shift, const float* row, int stride,
                        int width, int first, int last, float* sum) {
  const float inverse = 1.0F / scale, upper = static_cast<float>(width);
  for (int c = first; c < last; ++c) {
    const float u = minf(maxf(scale * edge[c] + shift, 0.0F), upper);
    const float w = minf(maxf(scale * edge[c + 1] + shift, 0.0F), upper);
    float part = 0;
    for (int i = static_cast<int>(u); i < width && static_cast<float>(i) < w; ++i) {
      const float pixel = static_cast<float>(i);
      part += (minf(w, pixel + 1.0F) - maxf(u, pixel)) * row[i * stride];
    }
    sum[c] += inverse * part;
  }
}

// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)

void forward(const DdMap& map, const DdPlane& plane, const float* image, int layer_first,
             int layer_last, int cell_first, int cell_last, float* sum) {
  for (int k = layer_first; k < layer_last; ++k) {
    const float scale = static_cast<float>(map.scale_first + k * map.scale_step);
    const float shift = static_cast<float>(map.shift_first + k * map.shift_step);
    const float* row = image + static_cast<long>(k - layer_first) * plane.layer_stride;
    const float widest =
        scale * map.widest;  // a footprint this wide touches at most floor(widest) + 2 pixels
    const auto slice = widest < 0.999F   ? forward_slice<2>
                       : widest < 1.999F ? forward_slice<3>
                       : widest < 2.999F ? forward_slice<4>
                                         : forward_slice_wide;
    slice(map.edge, scale, shift, row, plane.pixel_stride, plane.width, cell_first, cell_last, sum);
  }
}

/// Returns the cell that contains an edge value s, and the distance of s from the cell's lower
/// edge. Holds copies of map and locator, so that the compiler sees that no store changes them.
template <bool arc>
struct Locator {
  const float* edge;
  float low, high, top, a, b, c, d, gain, bias;

  Locator(const DdMap& map, const DdLocate& at)
      : edge(map.edge),
        low(map.edge[0]),
        high(map.edge[map.cells]),
        top(static_cast<float>(map.cells) - 0.5F),
        a(at.a),
        b(at.b),
        c(at.c),
        d(at.d),
        gain(at.gain),
        bias(at.bias) {}

  int operator()(float s, float& beyond) const {
    s = minf(maxf(s, low), high);
    float q = (a * s + b) / (c * s + d);
    if (arc) q = fast_atan(q);
    const int cell = static_cast<int>(minf(maxf(gain * q + bias, 0.0F), top));
    beyond = s - edge[cell];
    return cell;
  }
};

/// Integrals of a density from the start of the table up to each of several edge values: in whole
/// units (modulo 2^32) up to the lower edge of the value's cell, and the remainder within the cell.
struct Integrals {
  std::int32_t* __restrict__ whole;
  float* __restrict__ part;
};

inline float difference(std::int32_t high, std::int32_t low) {
  return static_cast<float>(static_cast<std::int32_t>(static_cast<std::uint32_t>(high) -
                                                      static_cast<std::uint32_t>(low)));
}

/// Computes the integrals of one or two densities up to the edge values position(i), for i = 0 ..
/// count - 1.
template <bool arc, bool two, class Position>
inline void integrate_row(const Locator<arc> locate, const DdPrefix& first, const DdPrefix* second,
                          int count, const Position position, const Integrals a,
                          const Integrals b) {
  const std::int32_t* __restrict__ sum_a = first.sum;
  const float* __restrict__ density_a = first.density;
  const std::int32_t* __restrict__ sum_b = two ? second->sum : nullptr;
  const float* __restrict__ density_b = two ? second->density : nullptr;
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    float beyond;
    const int cell = locate(position(i), beyond);
    a.whole[i] = sum_a[cell];
    a.part[i] = beyond * density_a[cell];
    if (two) {
      b.whole[i] = sum_b[cell];
      b.part[i] = beyond * density_b[cell];
    }
  }
}

/// row[i] += integral between low[i] and high[i].
inline void add_between(const Integrals low, const Integrals high, float unit, int count,
                        float* __restrict__ row) {
#pragma GCC ivdep
  for (int i = 0; i < count; ++i)
    row[i] += difference(high.whole[i], low.whole[i]) * unit + (high.part[i] - low.part[i]);
}

/// row[i] += integral between at[i] and at[i + 1].
inline void add_steps(const Integrals at, float unit, int count, float* __restrict__ row) {
#pragma GCC ivdep
  for (int i = 0; i < count; ++i)
    row[i] += difference(at.whole[i + 1], at.whole[i]) * unit + (at.part[i + 1] - at.part[i]);
}

inline Integrals integrals_in(float* scratch, int place, int length) {
  return {reinterpret_cast<std::int32_t*>(scratch + 2L * place * length),
          scratch + (2L * place + 1) * length};
}

template <bool arc, bool two>
void adjoint_along_kind(const DdMap& map, const DdLocate& at, const DdPlane& plane, int layer_first,
                        int layer_last, const DdPrefix& first, float* first_image,
                        const DdPrefix* second, float* second_image, float* scratch) {
  const Locator<arc> locate(map, at);
  const int width = plane.width;
  const Integrals a = integrals_in(scratch, 0, width + 1), b = integrals_in(scratch, 1, width + 1);
  for (int k = layer_first; k < layer_last; ++k) {
    const double inverse = 1.0 / (map.scale_first + k * map.scale_step);
    const float step = static_cast<float>(inverse);
    const float start = static_cast<float>(-(map.shift_first + k * map.shift_step) * inverse);
    integrate_row<arc, two>(
        locate, first, second, width + 1,
        [=](int i) { return start + step * static_cast<float>(i); }, a, b);
    const long row = static_cast<long>(k - layer_first) * plane.layer_stride;
    add_steps(a, first.unit, width, first_image + row);
    if (two) add_steps(b, second->unit, width, second_image + row);
  }
}

template <bool arc, bool two>
void adjoint_across_kind(const DdMap& map, const DdLocate& at, const DdPlane& plane,
                         int pixel_first, int pixel_last, const DdPrefix& first, float* first_image,
                         const DdPrefix* second, float* second_image, float* scratch) {
  const Locator<arc> locate(map, at);
  const int n = plane.slices;
  float* __restrict__ step = scratch;
  float* __restrict__ start = scratch + n;
  scratch += 2L * n;
  const Integrals a[2] = {integrals_in(scratch, 0, n), integrals_in(scratch, 1, n)};
  const Integrals b[2] = {integrals_in(scratch, 2, n), integrals_in(scratch, 3, n)};
  for (int k = 0; k < n; ++k) {
    const double inverse = 1.0 / (map.scale_first + k * map.scale_step);
    step[k] = static_cast<float>(inverse);
    start[k] = static_cast<float>(-(map.shift_first + k * map.shift_step) * inverse);
  }
  for (int i = pixel_first; i <= pixel_last; ++i) {
    const int now = i & 1, before = now ^ 1;
    const float pixel = static_cast<float>(i);
    integrate_row<arc, two>(
        locate, first, second, n, [=](int k) { return start[k] + step[k] * pixel; }, a[now],
        b[now]);
    if (i == pixel_first) continue;
    const long row = static_cast<long>(i - 1 - pixel_first) * plane.pixel_stride;
    add_between(a[before], a[now], first.unit, n, first_image + row);
    if (two) add_between(b[before], b[now], second->unit, n, second_image + row);
  }
}

void adjoint_along(const DdMap& map, const DdLocate& at, const DdPlane& plane, int layer_first,
                   int layer_last, const DdPrefix& first, float* first_image,
                   const DdPrefix* second, float* second_image, float* scratch) {
  const auto kind =
      second == nullptr
          ? (at.arc ? adjoint_along_kind<true, false> : adjoint_along_kind<false, false>)
          : (at.arc ? adjoint_along_kind<true, true> : adjoint_along_kind<false, true>);
  kind(map, at, plane, layer_first, layer_last, first, first_image, second, second_image, scratch);
}

void adjoint_across(const DdMap& map, const DdLocate& at, const DdPlane& plane, int pixel_first,
                    int pixel_last, const DdPrefix& first, float* first_image,
                    const DdPrefix* second, float* second_image, float* scratch) {
  const auto kind =
      second == nullptr
          ? (at.arc ? adjoint_across_kind<true, false> : adjoint_across_kind<false, false>)
          : (at.arc ? adjoint_across_kind<true, true> : adjoint_across_kind<false, true>);
  kind(map, at, plane, pixel_first, pixel_last, first, first_image, second, second_image, scratch);
}

template <int taps>
void resample_narrow(const float* in, int in_count, float origin, float pitch, float weight,
                     int out_count, float* out) {
  const float upper = static_cast<float>(in_count);
#pragma GCC ivdep
  for (int q = 0; q < out_count; ++q) {
    const float u = minf(maxf(origin + pitch * static_cast<float>(q), 0.0F), upper);
    const float w = minf(maxf(origin + pitch * static_cast<float>(q + 1), 0.0F), upper);
    out[q] += weight * gather<taps>(in, 1, in_count, u, w);
  }
}

void resample_wide(const float* in, int in_count, float origin, float pitch, float weight,
                   int out_count, float* out) {
  const float upper = static_cast<float>(in_count);
  for (int q = 0; q < out_count; ++q) {
    const float u = minf(maxf(origin + pitch * static_cast<float>(q), 0.0F), upper);
    const float w = minf(maxf(origin + pitch * static_cast<float>(q + 1), 0.0F), upper);
    float sum = 0;
    for (int i = static_cast<int>(u); i < in_count && static_cast<float>(i) < w; ++i)
      sum += (minf(w, static_cast<float>(i + 1)) - maxf(u, static_cast<float>(i))) * in[i];
    out[q] += weight * sum;
  }
}

void resample(const float* in, int in_count, float origin, float pitch, float weight, int out_count,
              float* out) {
  const auto run = pitch < 0.999F   ? resample_narrow<2>
                   : pitch < 1.999F ? resample_narrow<3>
                                    : resample_wide;
  run(in, in_count, origin, pitch, weight, out_count, out);
}

void add_scaled(float a, const float* x, int count, float* y) {
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) y[i] += a * x[i];
}

}  // namespace

extern const DdKernels dd_table = {forward, adjoint_along, adjoint_across, resample, add_scaled};

}  // namespace gantry::GANTRY_ISA
