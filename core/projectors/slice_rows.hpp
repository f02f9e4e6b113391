#pragma once

#include "core/projectors/interval_kernels.hpp"
#include "core/projectors/slices.hpp"

#include <algorithm>
#include <vector>

namespace gantry {

/// Slices of one kind of an image [iy][ix], each as a padded row along memory (see
/// interval_kernels.hpp), whichever way the slices lie in the image.
class SliceRows {
 public:
  SliceRows(const VolumeGrid& grid, bool along_y)
      : grid_(grid), slices_(Slices::of(grid, along_y)) {}

  const Slices& slices() const { return slices_; }
  /// Values of `count` rows, padding included.
  std::size_t size(int count) const {
    return static_cast<std::size_t>(count) *
           (static_cast<std::size_t>(slices_.width) + row_padding);
  }

  /// All slices of an image.
  std::vector<float> load(const float* image) const {
    return load_as<float>(image, [](float value) { return value; });
  }
  /// The same, each value converted; the padding is 0.
  template <class Value, class Convert>
  std::vector<Value> load_as(const float* image, const Convert& convert) const {
    constexpr int block = 16;  // slices turned at once: a cache line of the image across
    std::vector<Value> rows(size(slices_.count), Value{});
#pragma omp parallel for schedule(static)
    for (int k = 0; k < slices_.count; k += block)
      for_pixels(k, std::min(slices_.count, k + block),
                 [&, first = rows.data() + size(k)](std::size_t pixel, std::size_t place) {
                   first[place] = convert(image[pixel]);
                 });
    return rows;
  }
  /// image += the rows of slices first .. last - 1. A row is anything that has value(place).
  template <class Value>
  void add(int first, int last, const Value& value, float* image) const {
    for_pixels(first, last,
               [&](std::size_t pixel, std::size_t place) { image[pixel] += value(place); });
  }

 private:
  /// Calls use(pixel of the image, its place in the rows), in runs along the image's memory.
  template <class Use>
  void for_pixels(int first, int last, const Use& use) const {
    const auto place = [&](int k, int i) {
      return size(k - first) + static_cast<std::size_t>(i) + 1;
    };
    if (slices_.along_y) {
      for (int k = first; k < last; ++k)
        for (int i = 0; i < slices_.width; ++i) use(grid_.index(i, k, 0), place(k, i));
    } else {
      for (int i = 0; i < slices_.width; ++i)
        for (int k = first; k < last; ++k) use(grid_.index(k, i, 0), place(k, i));
    }
  }

  VolumeGrid grid_;
  Slices slices_;
};

}  // namespace gantry
