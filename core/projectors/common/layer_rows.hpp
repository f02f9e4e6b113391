#pragma once

#include "core/projectors/common/layers.hpp"
#include "core/projectors/common/padded_rows.hpp"

#include <algorithm>
#include <vector>

namespace gantry {

/// Copies between an image [iy][ix] and its layers of one kind, y = const or x = const, with each
/// layer as one padded row along memory (see padded_rows.hpp). Layers x = const are transposed.
class LayerRows {
 public:
  LayerRows(const VolumeGrid& grid, bool along_y)
      : grid_(grid), slices_(Layers::of(grid, along_y)) {}

  const Layers& slices() const { return slices_; }
  /// Returns the number of values in `count` rows, padding included.
  std::size_t size(int count) const {
    return static_cast<std::size_t>(count) *
           (static_cast<std::size_t>(slices_.width) + row_padding);
  }

  /// Returns the rows of all layers of an image, followed by `more` zeros.
  std::vector<float> load(const float* image, std::size_t more = 0) const {
    return load_as<float>(
        image, [](float value) { return value; }, more);
  }
  /// Returns the same rows with every pixel converted by `convert`; the padding is 0.
  template <class Value, class Convert>
  std::vector<Value> load_as(const float* image, const Convert& convert,
                             std::size_t more = 0) const {
    constexpr int block = 16;  // layers transposed at a time: 16 floats are a cache line
    std::vector<Value> rows(size(slices_.count) + more, Value{});
#pragma omp parallel for schedule(static)
    for (int k = 0; k < slices_.count; k += block)
      load_into(image, k, std::min(slices_.count, k + block), convert, rows.data() + size(k));
    return rows;
  }
  /// Returns the rows of layers first .. last - 1 alone, for products of few views, where a copy of
  /// all layers would cost too much.
  template <class Value, class Convert>
  std::vector<Value> load_some_as(const float* image, int first, int last,
                                  const Convert& convert) const {
    std::vector<Value> rows(size(last - first), Value{});
    load_into(image, first, last, convert, rows.data());
    return rows;
  }
  /// Adds the rows of layers first .. last - 1 to the image; value(offset) returns the value at an
  /// offset in these rows.
  template <class Value>
  void add(int first, int last, const Value& value, float* image) const {
    for_pixels(first, last,
               [&](std::size_t pixel, std::size_t place) { image[pixel] += value(place); });
  }
  /// Calls use(pixel, offset) for the pixels of layers first .. last - 1: `pixel` is an index in
  /// the image, `offset` the position in the rows of these layers. Pixels come in runs along the
  /// image's memory.
  template <class Use>
  void for_pixels(int first, int last, const Use& use) const {
    // Local copies stay in registers, since nothing that `use` writes can be one of them.
    const auto width = static_cast<std::size_t>(slices_.width),
               count = static_cast<std::size_t>(last - first), row = size(1),
               line = static_cast<std::size_t>(grid_.nx), from = static_cast<std::size_t>(first);
    if (slices_.along_y) {
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < width; ++i) use((from + k) * line + i, k * row + i + 1);
    } else {
      for (std::size_t i = 0; i < width; ++i)
        for (std::size_t k = 0; k < count; ++k) use(i * line + from + k, k * row + i + 1);
    }
  }
  /// Calls use(first pixel, number of pixels before this run, length) for the runs of for_pixels.
  template <class Use>
  void for_runs(int first, int last, const Use& use) const {
    const auto from = static_cast<std::size_t>(first),
               count = static_cast<std::size_t>(last - first),
               line = static_cast<std::size_t>(grid_.nx);
    if (slices_.along_y) return use(from * line, std::size_t{0}, pixels(last - first));
    for (std::size_t i = 0; i < static_cast<std::size_t>(slices_.width); ++i)
      use(i * line + from, i * count, count);
  }
  /// Returns the number of pixels of `count` layers, without padding.
  std::size_t pixels(int count) const {
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(slices_.width);
  }

 private:
  template <class Value, class Convert>
  void load_into(const float* image, int first, int last, const Convert& convert,
                 Value* rows) const {
    for_pixels(first, last, [&convert, image, rows](std::size_t pixel, std::size_t place) {
      rows[place] = convert(image[pixel]);
    });
  }

  VolumeGrid grid_;
  Layers slices_;
};

}  // namespace gantry
