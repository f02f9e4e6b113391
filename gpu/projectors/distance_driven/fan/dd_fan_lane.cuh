#pragma once

// Arithmetic of one lane of the 2D distance-driven kernels, for device and host.
//
// A position here is a number from 0 to 1 along a line of pixels or of detector cells. Positions
// beyond the line are clamped, which costs no instruction (it is a modifier of the multiplication)
// and makes tests for the border needless: a footprint beyond the line has both edges at its end,
// and so the difference of the prefix sums is 0.
#ifdef __CUDACC__
#define GANTRY_LANE __host__ __device__ __forceinline__
#else
#define GANTRY_LANE inline
#endif

#include "gpu/device/device_math.hpp"

#include <cmath>
#include <cstddef>

namespace gantry::device {

enum class FanKind { flat, arc, parallel };

/// A linear function of a pixel edge i and a layer k, both counted from the middle of the image.
struct Linear {
  float constant, per_i, per_k;
};

/// Where a view projects the edges of pixels, for the transpose; the host fills it from DdView.
///
/// The edge i of a pixel on layer k falls, in units of the width of the whole detector, at
///   bias + numerator / denominator            (flat)
///   bias + gain atan(numerator / denominator) (arc; gain belongs to the scan)
///   numerator                                 (parallel),
/// and the curvature h by which fraction_below corrects the fraction of a cell is there
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
  int along_y;   ///< 1: layers are planes y = const; 0: x = const
  int reversed;  ///< table cell c is detector column columns - 1 - c
};

/// The edge of a pixel on the detector: its position along the cells, and h of fraction_below.
struct EdgeInView {
  float position, bend;
};

/// A position as the index of a cell or pixel and the fraction of it that lies below.
struct CellFraction {
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

/// Returns the cell of `position` among `count` cells, count below 2^22. On the device, 1.5 * 2^23
/// is added with rounding down, which leaves the whole number in the low bits of the float;
/// conversion instructions have a quarter of the throughput.
GANTRY_LANE CellFraction place(float position, float count) {
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

/// The numerator and the denominator of FanLocate at an edge. Those of the same edge on another
/// layer follow from them by one operation each (layers_further).
struct FanQuotient {
  float numerator, denominator;
};
template <FanKind kind>
GANTRY_LANE FanQuotient fan_quotient(const FanLocate& view, float i, float k) {
  return {at_edge(view.numerator, i, k),
          kind == FanKind::parallel ? 1.0F : at_edge(view.denominator, i, k)};
}
template <FanKind kind>
GANTRY_LANE FanQuotient layers_further(const FanQuotient& from, const FanLocate& view, int slices) {
  const float by = static_cast<float>(slices);
  return {fmaf(view.numerator.per_k, by, from.numerator),
          kind == FanKind::parallel ? 1.0F : fmaf(view.denominator.per_k, by, from.denominator)};
}

/// Projects the edge i; per_scale: bend / scale_k.
template <FanKind kind>
GANTRY_LANE EdgeInView edge_in_view(const FanLocate& view, float gain, const FanQuotient& at,
                                    float i, float per_scale) {
  if (kind == FanKind::parallel) return {saturate(at.numerator), 0};
  const float inverse = quick_reciprocal(at.denominator);
  if (kind == FanKind::flat)
    return {saturate(fmaf(at.numerator, inverse, view.bias)), at.denominator * per_scale};
  return {saturate(fmaf(gain, atanf(at.numerator * inverse), view.bias)),
          (i + view.start) * per_scale};
}

/// Returns bend / scale_k.
template <FanKind kind>
GANTRY_LANE float bend_over_scale(const FanLocate& view, float k) {
  if (kind == FanKind::parallel) return 0;
  return view.bend * quick_reciprocal(fmaf(view.scale_step, k, view.scale));
}

/// Projects the edge i of a pixel on layer k.
template <FanKind kind>
GANTRY_LANE EdgeInView locate_edge(const FanLocate& view, float gain, float i, float k) {
  return edge_in_view<kind>(view, gain, fan_quotient<kind>(view, i, k), i,
                            bend_over_scale<kind>(view, k));
}

/// Returns the fraction of a cell's footprint that lies below the edge of a pixel, whose projection
/// lies at the fraction f of the cell's width. Footprints are linear in the slope T = du/dw of the
/// rays, not in the position t on the detector (cells): with t0 the lower edge of the cell and
/// h = -T'' / (2 T') (`bend`) at the projected edge,
///   (T(t) - T(t0)) / (T(t0 + 1) - T(t0)) = f + f (1 - f) h.
/// - Flat: T is a quotient of linear functions of t, and this is exact. With q the tangent of the
///   fan angle, T ~ 1 / (a - c q) gives h = -c / (gain (a d - b c)) * (c s + d) (letters:
///   DdLocate).
/// - Arc: T is a tangent, h = -g T with g the angle of a cell. With u = 2 f - 1, w = f (1 - f):
///   the exact fraction, sin(f g) / sin(g) (cos((1 - f) g) - T sin((1 - f) g)), is
///   f + w (h (1 + w g^2 / 3) + u g^2 / 3 (1 + (1 + 3 w) g^2 / 15)), except for terms of T g^5
///   and g^6.
/// - Parallel: T is linear in t, h = 0.
template <FanKind kind>
GANTRY_LANE float fraction_below(float bend, float angle_square_third, float fraction) {
  if (kind == FanKind::parallel) return fraction;
  const float w = fmaf(-fraction, fraction, fraction);
  float h = bend;
  if (kind == FanKind::arc) {  // angle_square_third = g^2 / 3
    const float u = fmaf(2.0F, fraction, -1.0F), more = angle_square_third * fmaf(0.6F, w, 0.2F);
    h = fmaf(angle_square_third, fmaf(h, w, fmaf(u, more, u)), h);
  }
  return fmaf(w, h, fraction);
}

/// Returns 1 / scale of layer k of `count`; 0 beyond the last layer.
GANTRY_LANE float layer_weight(const DdFanView& view, int k, int count) {
  const float from_middle = static_cast<float>(k) - 0.5F * static_cast<float>(count - 1);
  return k < count ? 1 / fmaf(view.locate.scale_step, from_middle, view.locate.scale) : 0.0F;
}

}  // namespace gantry::device
