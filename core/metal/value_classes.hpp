#pragma once

#include <cstddef>
#include <vector>

namespace gantry {

/// How often values occur, in bins of one width.
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
  /// Returns the bin among `first` to `last` - 1 that holds the value below which a part, 0 to 1,
  /// of those in these bins lies.
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

/// Values that part an image into air, soft material (what most of the object is made of) and dense
/// material, in the unit of the image.
struct ValueClasses {
  float air_below = 0;    ///< air lies below, soft material above
  float soft = 0;         ///< the median of the soft material
  float dense_above = 0;  ///< Otsu's threshold of all that is not air
};

/// Finds the classes: all values are split by Otsu's method, then the lower class again as long as
/// its classes are well apart and the upper of them is a good part of what is not air, since the
/// first split may be that of metal from everything else. Of the lower class, the hundredth parts
/// at both ends do not count, which are the streaks beside metal.
ValueClasses classes_of(const ValueHistogram& values);

}  // namespace gantry
