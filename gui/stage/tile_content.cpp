#include "gui/stage/tile_content.hpp"

namespace gantry {

namespace {

bool same_shape(const SliceImage& a, const SliceImage& b) {
  return a.width == b.width && a.height == b.height && a.u0_mm == b.u0_mm && a.v0_mm == b.v0_mm &&
         a.du_mm == b.du_mm && a.dv_mm == b.dv_mm;
}

/// Returns the slice whose pixel values are join(value of a, value of b there, u).
template <class Join>
std::shared_ptr<const SliceImage> joined(const SliceImage& a, const SliceImage& b,
                                         const Join& join) {
  auto result = std::make_shared<SliceImage>(a);
  const bool aligned = same_shape(a, b);
  for (int iv = 0; iv < a.height; ++iv)
    for (int iu = 0; iu < a.width; ++iu) {
      const auto i = static_cast<std::size_t>(iv) * static_cast<std::size_t>(a.width) +
                     static_cast<std::size_t>(iu);
      const double u_mm = a.u0_mm + iu * a.du_mm;
      const double other = aligned ? b.values[i] : b.value_at(u_mm, a.v0_mm + iv * a.dv_mm);
      result->values[i] = static_cast<float>(join(a.values[i], other, u_mm));
    }
  return result;
}

}  // namespace

std::shared_ptr<const SliceImage> difference(const SliceImage& a, const SliceImage& b) {
  return joined(a, b, [](double own, double other, double) { return own - other; });
}

std::shared_ptr<const SliceImage> divided(const SliceImage& left, const SliceImage& right,
                                          double divider_mm) {
  return joined(left, right, [divider_mm](double own, double other, double u_mm) {
    return u_mm <= divider_mm ? own : other;
  });
}

SliceImage over_window(const SliceImage& fractions, double window, double level) {
  SliceImage result = fractions;
  for (float& value : result.values)
    value = static_cast<float>(level + window * (static_cast<double>(value) - 0.5));
  return result;
}

}  // namespace gantry
