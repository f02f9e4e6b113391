#pragma once

#include <cstdint>

namespace gantry {

/// A point (a, b) of a two-dimensional array.
struct PlanePoint {
  int a, b;
  friend bool operator==(const PlanePoint&, const PlanePoint&) = default;
};

/// The pseudo-Morton order of Nourazar and Goossens (2021), Algorithm 2: tiles of wide x high
/// points; super-tiles of wide x high tiles; the super-tiles one after the other, b running faster.
/// Inside both, too, b runs faster. With B_x = wide, B_y = high, W = padded extent of b:
///   t = (a mod B_x, b mod B_y),  u = (a / B_x mod B_x, b / B_y mod B_y),
///   w = (a / B_x^2, b / B_y^2)
///   index = (t_a B_y + t_b) + B_x B_y ((u_a B_y + u_b) + B_x B_y (w_a W / B_y^2 + w_b))
/// The map is one to one if B_x^2 divides the extent of a and B_y^2 divides the extent of b: the
/// extents are padded accordingly.
class PseudoMorton {
 public:
  static constexpr int wide = 4, high = 2;

  PseudoMorton(int extent_a, int extent_b)
      : across_(up(extent_a, wide * wide)), down_(up(extent_b, high * high)) {}

  int padded_a() const { return across_ * wide * wide; }
  int padded_b() const { return down_ * high * high; }
  std::int64_t size() const { return std::int64_t{padded_a()} * padded_b(); }

  /// Returns the index of a point along the curve.
  std::int64_t index(PlanePoint p) const {
    const int ua = p.a / wide, ub = p.b / high;
    const std::int64_t super = std::int64_t{ua / wide} * down_ + ub / high;
    return (p.a % wide * high + p.b % high) +
           tile * ((ua % wide * high + ub % high) + tile * super);
  }
  /// Returns the point at an index along the curve.
  PlanePoint place(std::int64_t index) const {
    const int t = static_cast<int>(index % tile), u = static_cast<int>(index / tile % tile);
    const std::int64_t super = index / (tile * tile);
    const int wa = static_cast<int>(super / down_), wb = static_cast<int>(super % down_);
    return {(wa * wide + u / high) * wide + t / high, (wb * high + u % high) * high + t % high};
  }

 private:
  static constexpr int tile = wide * high;
  static int up(int extent, int of) { return (extent + of - 1) / of; }

  int across_, down_;  // number of super-tiles along a and along b
};

}  // namespace gantry
