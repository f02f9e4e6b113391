// The loops behind dd_kernels.hpp, included once per instruction set by a file that sets
// GANTRY_ISA to a namespace name. Nothing inline from a header is called here: the linker
// might otherwise keep a version that an older processor cannot run.

namespace gantry::GANTRY_ISA {

namespace {

inline float minf(float a, float b) { return a < b ? a : b; }
inline float maxf(float a, float b) { return a > b ? a : b; }
inline int mini(int a, int b) { return a < b ? a : b; }

/// Atan to 2e-7 for |x| <= tan(80 degrees): half-angle reduction, then an odd polynomial fitted on |z| <= 0.84.
inline float fast_atan(float x) {
  const float z = x / (1.0F + __builtin_sqrtf(1.0F + x * x));  // atan x = 2 atan z
  const float z2 = z * z;
  const float poly = 0.999999904F + z2 * (-0.333318923F + z2 * (0.199645968F + z2 * (-0.139533508F +
                     z2 * (0.0956464926F + z2 * (-0.0507124979F + z2 * 0.0138478459F)))));
  return 2.0F * z * poly;
}

/// Overlap-weighted sum of `taps` pixels from the one that holds u, u <= w both inside [0, width].
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
void forward_slice(const float* edge, float scale, float shift, const float* row, int stride, int width, int first,
                   int last, float* sum) {
  const float inverse = 1.0F / scale, upper = static_cast<float>(width);
#pragma GCC ivdep
  for (int c = first; c < last; ++c) {
    const float u = minf(maxf(scale * edge[c] + shift, 0.0F), upper);
    const float w = minf(maxf(scale * edge[c + 1] + shift, 0.0F), upper);
    sum[c] += inverse * gather<taps>(row, stride, width, u, w);
  }
}

/// Any footprint width: a plain loop over the pixels of each cell.
void forward_slice_wide(const float* edge, float scale, float shift, const float* row, int stride, int width, int first,
                        int last, float* sum) {
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

void forward(const DdMap& map, const DdPlane& plane, const float* image, int slice_first, int slice_last, int cell_first,
             int cell_last, float* sum) {
  for (int k = slice_first; k < slice_last; ++k) {
    const float scale = static_cast<float>(map.scale_first + k * map.scale_step);
    const float shift = static_cast<float>(map.shift_first + k * map.shift_step);
    const float* row = image + static_cast<long>(k - slice_first) * plane.slice_stride;
    const float widest = scale * map.widest;  // a footprint this wide touches at most floor(widest) + 2 pixels
    const auto slice = widest < 0.999F ? forward_slice<2> : widest < 1.999F ? forward_slice<3>
                       : widest < 2.999F ? forward_slice<4> : forward_slice_wide;
    slice(map.edge, scale, shift, row, plane.pixel_stride, plane.width, cell_first, cell_last, sum);
  }
}

/// Integral of the density from the table's start to s, as a whole part (modulo 2^32) and a remainder.
/// A value of its own, so that the compiler sees that no store changes it.
template <bool arc>
struct Integral {
  const float* edge;
  const std::int32_t* sum;
  const float* density;
  float low, high, top, a, b, c, d, gain, bias;

  Integral(const DdMap& map, const DdLocate& at, const DdPrefix& prefix)
      : edge(map.edge), sum(prefix.sum), density(prefix.density), low(map.edge[0]), high(map.edge[map.cells]),
        top(static_cast<float>(map.cells) - 0.5F), a(at.a), b(at.b), c(at.c), d(at.d), gain(at.gain), bias(at.bias) {}

  void operator()(float s, std::int32_t& whole, float& part) const {
    s = minf(maxf(s, low), high);
    float q = (a * s + b) / (c * s + d);
    if (arc) q = fast_atan(q);
    const int cell = static_cast<int>(minf(maxf(gain * q + bias, 0.0F), top));
    whole = sum[cell];
    part = (s - edge[cell]) * density[cell];
  }
};

inline float difference(std::int32_t high, std::int32_t low) {
  return static_cast<float>(static_cast<std::int32_t>(static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(low)));
}

template <bool arc>
void adjoint_along_kind(const DdMap& map, const DdLocate& at, const DdPrefix& prefix, const DdPlane& plane,
                        int slice_first, int slice_last, float* image, float* scratch) {
  const Integral<arc> integral(map, at, prefix);
  auto* __restrict__ whole = reinterpret_cast<std::int32_t*>(scratch);
  float* __restrict__ part = scratch + plane.width + 1;
  const float unit = prefix.unit;
  const int width = plane.width;
  for (int k = slice_first; k < slice_last; ++k) {
    const double inverse = 1.0 / (map.scale_first + k * map.scale_step);
    const float step = static_cast<float>(inverse);
    const float start = static_cast<float>(-(map.shift_first + k * map.shift_step) * inverse);
#pragma GCC ivdep
    for (int i = 0; i <= width; ++i) integral(start + step * static_cast<float>(i), whole[i], part[i]);
    float* __restrict__ row = image + static_cast<long>(k) * plane.slice_stride;
#pragma GCC ivdep
    for (int i = 0; i < width; ++i) row[i] += difference(whole[i + 1], whole[i]) * unit + (part[i + 1] - part[i]);
  }
}

template <bool arc>
void adjoint_across_kind(const DdMap& map, const DdLocate& at, const DdPrefix& prefix, const DdPlane& plane,
                         int pixel_first, int pixel_last, float* image, float* scratch) {
  const Integral<arc> integral(map, at, prefix);
  const int n = plane.slices;
  float* step = scratch;
  float* start = scratch + n;
  std::int32_t* whole[2] = {reinterpret_cast<std::int32_t*>(scratch + 2L * n), reinterpret_cast<std::int32_t*>(scratch + 3L * n)};
  float* part[2] = {scratch + 4L * n, scratch + 5L * n};
  for (int k = 0; k < n; ++k) {
    const double inverse = 1.0 / (map.scale_first + k * map.scale_step);
    step[k] = static_cast<float>(inverse);
    start[k] = static_cast<float>(-(map.shift_first + k * map.shift_step) * inverse);
  }
  const float unit = prefix.unit;
  for (int i = pixel_first; i <= pixel_last; ++i) {
    std::int32_t* __restrict__ whole_now = whole[i & 1];
    float* __restrict__ part_now = part[i & 1];
    const float pixel = static_cast<float>(i);
#pragma GCC ivdep
    for (int k = 0; k < n; ++k) integral(start[k] + step[k] * pixel, whole_now[k], part_now[k]);
    if (i == pixel_first) continue;
    const std::int32_t* whole_before = whole[(i & 1) ^ 1];
    const float* part_before = part[(i & 1) ^ 1];
    float* __restrict__ row = image + static_cast<long>(i - 1) * plane.pixel_stride;
#pragma GCC ivdep
    for (int k = 0; k < n; ++k) row[k] += difference(whole_now[k], whole_before[k]) * unit + (part_now[k] - part_before[k]);
  }
}

void adjoint_along(const DdMap& map, const DdLocate& at, const DdPrefix& prefix, const DdPlane& plane, int slice_first,
                   int slice_last, float* image, float* scratch) {
  (at.arc ? adjoint_along_kind<true> : adjoint_along_kind<false>)(map, at, prefix, plane, slice_first, slice_last, image, scratch);
}

void adjoint_across(const DdMap& map, const DdLocate& at, const DdPrefix& prefix, const DdPlane& plane, int pixel_first,
                    int pixel_last, float* image, float* scratch) {
  (at.arc ? adjoint_across_kind<true> : adjoint_across_kind<false>)(map, at, prefix, plane, pixel_first, pixel_last, image, scratch);
}

template <int taps>
void resample_narrow(const float* in, int in_count, float origin, float pitch, float weight, int out_count, float* out) {
  const float upper = static_cast<float>(in_count);
#pragma GCC ivdep
  for (int q = 0; q < out_count; ++q) {
    const float u = minf(maxf(origin + pitch * static_cast<float>(q), 0.0F), upper);
    const float w = minf(maxf(origin + pitch * static_cast<float>(q + 1), 0.0F), upper);
    out[q] += weight * gather<taps>(in, 1, in_count, u, w);
  }
}

void resample_wide(const float* in, int in_count, float origin, float pitch, float weight, int out_count, float* out) {
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

void resample(const float* in, int in_count, float origin, float pitch, float weight, int out_count, float* out) {
  const auto run = pitch < 0.999F ? resample_narrow<2> : pitch < 1.999F ? resample_narrow<3> : resample_wide;
  run(in, in_count, origin, pitch, weight, out_count, out);
}

void add_scaled(float a, const float* x, int count, float* y) {
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) y[i] += a * x[i];
}

}  // namespace

extern const DdKernels kernels = {forward, adjoint_along, adjoint_across, resample, add_scaled};

}  // namespace gantry::GANTRY_ISA
