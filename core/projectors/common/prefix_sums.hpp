#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry {

/// A unit in which values are counted as whole numbers for prefix sums modulo 2^32. It is a power
/// of two, so that a value whose bits fit is a whole number of units exactly, and so large that the
/// sum of any `most` of the values stays below 2^30 units: differences of prefix sums over so many
/// values are then exact, however long the row is. Nothing like the subtraction of the mean (Liu et
/// al. 2017, for float32 prefix sums) is needed.
///
/// Measured for 512 x 512 pixels and an arc of 888 cells (test_branchless), largest error over the
/// largest ray: the sums alone 1.8e-7 on an image of ones and 2.3e-7 on random ones; with what the
/// table of edges loses as float32, 2.5e-7 and 1.3e-6. Float32 prefix sums lose 4.9e-4 there.
class PrefixUnit {
 public:
  /// Where a value is not finite, value() is NaN: so are then all products.
  PrefixUnit(const float* values, std::size_t count, double most);

  double value() const { return unit_; }
  double per_value() const { return per_unit_; }
  /// A value in units, to the nearest; 0 where value() is NaN.
  std::int32_t count(float value) const {
    if (per_unit_ == 0) return 0;
    const double units = value * per_unit_;
    return static_cast<std::int32_t>(units + (units < 0 ? -0.5 : 0.5));
  }

 private:
  double unit_ = 1, per_unit_ = 0;
};

/// The next prefix sum, modulo 2^32.
inline std::int32_t add_units(std::int32_t sum, std::int32_t units) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) +
                                   static_cast<std::uint32_t>(units));
}

}  // namespace gantry
