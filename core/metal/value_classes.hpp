#pragma once

#include <cstddef>
#include <vector>

namespace gantry {

/// A histogram of values with bins of equal width.
class ValueHistogram {
 public:
  /// For values from `low` to `high`, both finite.
  ValueHistogram(float low, float high);

  void add(float value) { ++counts_[bin_of(value)]; }

  std::size_t bins() const { return counts_.size(); }
  /// Returns the value at the lower edge of a bin.
  float value_at(std::size_t bin) const { return low_ + static_cast<float>(bin) * width_; }
  std::size_t bin_of(float value) const;
  /// Return number, mean and median of the values in the bins `first` to `last` - 1.
  std::size_t count(std::size_t first, std::size_t last) const;
  float mean(std::size_t first, std::size_t last) const;
  float median(std::size_t first, std::size_t last) const;
  /// Returns the bin of the quantile `part`, 0 to 1, of the values in the bins `first` to
  /// `last` - 1.
  std::size_t quantile(std::size_t first, std::size_t last, double part) const;

  /// Two classes of values: those below and those from the bin `first_above` on.
  struct Split {
    std::size_t first_above = 0;
    double separation = 0;  ///< variance between the classes over the variance of all, 0 to 1
  };
  /// Returns the split of the bins `first` to `last` - 1 with the largest variance between both
  /// classes. Otsu, "A threshold selection method from gray-level histograms", IEEE Transactions on
  /// Systems, Man, and Cybernetics 9 (1979) 62.
  Split split(std::size_t first, std::size_t last) const;

 private:
  float low_, width_;
  std::vector<std::size_t> counts_;
};

/// Thresholds between air, soft material (of which most of the object consists) and dense material,
/// in the unit of the image.
struct ValueClasses {
  float air_below = 0;    ///< air lies below, soft material above
  float soft = 0;         ///< the median of the soft material
  float dense_above = 0;  ///< Otsu's threshold of all values that are not air
};

/// Finds the classes. All values are split by Otsu's method. Because this split may separate metal
/// from everything else, the lower class is split again as long as its two classes are well apart
/// and the upper one holds a good part of the values that are not air. The lowest and the highest
/// hundredth of the lower class, which are streaks beside metal, are left out of its splits.
ValueClasses classes_of(const ValueHistogram& values);

}  // namespace gantry
