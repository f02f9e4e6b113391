#pragma once

// What one lane of the 2D distance-driven kernels computes, for device and host alike.
//
// A position is a number from 0 to 1 along a line of pixels or of detector cells; what lies beyond
// is clamped, which costs nothing (a modifier of the instruction) and is all that borders need: a
// footprint beyond the line has both edges at its end, and no share of it.
#ifdef __CUDACC__
#define GANTRY_LANE __host__ __device__ __forceinline__
#else
#define GANTRY_LANE inline
#endif

#include <cmath>
#include <cstddef>

namespace gantry::device {

enum class FanKind { flat, arc, parallel };

/// A linear function of a pixel edge i and a slice k, both counted from the middle of the image.
struct Linear {
  float constant, per_i, per_k;
};

/// A view as the transpose sees it; the host fills it from DdView.
///
/// The edge i of a pixel on slice k falls, in units of all cells of the detector, at
///   bias + numerator / denominator            (flat)
///   bias + gain atan(numerator / denominator) (arc; gain belongs to the scan)
///   numerator                                 (parallel),
/// and there the shares of a cell bend by h (see share_below), in terms of the slope of rays
///   h = bend denominator / scale_k            (flat)
///   h = bend (i + start) / scale_k            (arc).
struct FanLocate {
  Linear numerator, denominator;
  float bias, bend, start;
  float scale, scale_step;  ///< scale_k = scale + k scale_step, k from the middle
};

/// One view on the device.
struct DdFanView {
  FanLocate locate;
  int along_y;   ///< slices are planes y = const
  int reversed;  ///< table cell c is detector column columns - 1 - c
};

/// What an edge sees of a view: its position along the cells, and how their shares bend there.
struct EdgeInView {
  float position, bend;
};

/// A position, as a cell and how far into it.
struct Place {
  int index;
  float fraction;
};

GANTRY_LANE float saturate(float value) {
#ifdef __CUDA_ARCH__
  return __saturatef(value);
#else
  return value > 0 ? (value < 1 ? value : 1.0F) : 0.0F;
#endif
}

/// 1 / value to 1 unit in the last place.
GANTRY_LANE float reciprocal(float value) {
#ifdef __CUDA_ARCH__
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
  return result;
#else
  return 1 / value;
#endif
}

/// Where `position` falls among `count` cells, count below 2^22: adding 1.5 * 2^23, rounded down,
/// leaves the whole number in the low bits. The conversion unit has a quarter of the rate.
GANTRY_LANE Place place(float position, float count) {
#ifdef __CUDA_ARCH__
  constexpr float magic = 12582912.0F;
  constexpr int magic_bits = 0x4B400000;
  const float shifted = __fmaf_rd(position, count, magic);
  return {__float_as_int(shifted) - magic_bits, fmaf(position, count, -(shifted - magic))};
#else
  const double exact = static_cast<double>(position) * count, whole = std::floor(exact);
  return {static_cast<int>(whole), static_cast<float>(exact - whole)};
#endif
}

GANTRY_LANE float at_edge(const Linear& of, float i, float k) {
  return fmaf(of.per_i, i, fmaf(of.per_k, k, of.constant));
}

/// The numerator and the denominator of a view at an edge. Those of the same edge on other slices
/// follow from them by one operation each.
struct FanQuotient {
  float numerator, denominator;
};
template <FanKind kind>
GANTRY_LANE FanQuotient fan_quotient(const FanLocate& view, float i, float k) {
  return {at_edge(view.numerator, i, k),
          kind == FanKind::parallel ? 1.0F : at_edge(view.denominator, i, k)};
}
template <FanKind kind>
GANTRY_LANE FanQuotient slices_on(const FanQuotient& from, const FanLocate& view, int slices) {
  const float by = static_cast<float>(slices);
  return {fmaf(view.numerator.per_k, by, from.numerator),
          kind == FanKind::parallel ? 1.0F : fmaf(view.denominator.per_k, by, from.denominator)};
}

/// What the edge i sees of a view; per_scale: bend / scale_k.
template <FanKind kind>
GANTRY_LANE EdgeInView edge_in_view(const FanLocate& view, float gain, const FanQuotient& at,
                                    float i, float per_scale) {
  if (kind == FanKind::parallel) return {saturate(at.numerator), 0};
  const float inverse = reciprocal(at.denominator);
  if (kind == FanKind::flat)
    return {saturate(fmaf(at.numerator, inverse, view.bias)), at.denominator * per_scale};
  return {saturate(fmaf(gain, atanf(at.numerator * inverse), view.bias)),
          (i + view.start) * per_scale};
}

/// bend / scale_k
template <FanKind kind>
GANTRY_LANE float bend_over_scale(const FanLocate& view, float k) {
  if (kind == FanKind::parallel) return 0;
  return view.bend * reciprocal(fmaf(view.scale_step, k, view.scale));
}

/// Where the edge i of a pixel on slice k falls among the cells.
template <FanKind kind>
GANTRY_LANE EdgeInView locate_edge(const FanLocate& view, float gain, float i, float k) {
  return edge_in_view<kind>(view, gain, fan_quotient<kind>(view, i, k), i,
                            bend_over_scale<kind>(view, k));
}

/// How much of a cell's footprint lies below the edge i of a pixel, which is `fraction` of the way
/// into the cell. Footprints are shared out by slope T = du/dw of the rays, not by place t on the
/// detector; with h = -T'' / (2 T') at the edge,
///   (T(t) - T(t0)) / (T(t0 + 1) - T(t0)) = f + f (1 - f) h.
/// - Flat: T is a quotient of linear functions of t, and this is exact. With q the tangent of the
///   fan angle, T ~ 1 / (a - c q) gives h = -c / (gain (a d - b c)) * (c s + d) (letters:
///   DdLocate).
/// - Arc: T is a tangent, h = -g T with g the angle of a cell. With u = 2 f - 1 and w = f (1 - f)
/// the
///   exact share, sin(f g) / sin(g) (cos((1 - f) g) - T sin((1 - f) g)), is
///   f + w (h (1 + w g^2 / 3) + u g^2 / 3 (1 + (1 + 3 w) g^2 / 15)), but for terms of T g^5 and
///   g^6.
/// - Parallel: T grows evenly, h = 0.
template <FanKind kind>
GANTRY_LANE float share_below(float bend, float third_of_square, float fraction) {
  if (kind == FanKind::parallel) return fraction;
  const float w = fmaf(-fraction, fraction, fraction);
  float h = bend;
  if (kind == FanKind::arc) {  // third_of_square = g^2 / 3
    const float u = fmaf(2.0F, fraction, -1.0F), more = third_of_square * fmaf(0.6F, w, 0.2F);
    h = fmaf(third_of_square, fmaf(h, w, fmaf(u, more, u)), h);
  }
  return fmaf(w, h, fraction);
}

/// 1 / scale of the slice k from the middle; 0 for slices that are none.
GANTRY_LANE float slice_weight(const DdFanView& view, int k, int count) {
  const float from_middle = static_cast<float>(k) - 0.5F * static_cast<float>(count - 1);
  return k < count ? 1 / fmaf(view.locate.scale_step, from_middle, view.locate.scale) : 0.0F;
}

}  // namespace gantry::device
