#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// Elements along a dimension: `count` of them from `first` on, `step` apart.
struct AxisRange {
  std::uint64_t first = 0, count = 1, step = 1;

  friend bool operator==(const AxisRange&, const AxisRange&) = default;
};
/// Elements of an array: those along each of its dimensions.
using ArrayBox = std::vector<AxisRange>;

/// What a file of several arrays says of one of them, without its numbers.
struct ListedArray {
  std::string path;                 ///< "/scan/flats"; in files without groups "flats"
  std::vector<std::uint64_t> size;  ///< elements along each dimension; empty: a single value
  bool is_number = false;           ///< no texts, records or the like

  /// Returns the last part of the path, "flats".
  std::string name() const { return path.substr(path.rfind('/') + 1); }
  /// Returns the group that it lies in, "/scan/"; nothing in files without groups.
  std::string group() const { return path.substr(0, path.rfind('/') + 1); }
  /// Returns the name of the group that it lies in; nothing of the root.
  std::string group_name() const;
  /// Returns the product of the sizes from a dimension on; the largest number where that is larger.
  std::uint64_t elements(std::size_t first_axis = 0) const;
  /// Returns the sizes as text, "91 x 135 x 160".
  std::string size_text() const;
  /// Returns whether it holds numbers in so many dimensions, none of them 0.
  bool has_dimensions(std::size_t least, std::size_t most) const;
  /// Returns how many numbers a list has: a single number, one dimension, or two of which one is 1,
  /// as many programs store a column. Nothing of what is no list of numbers.
  std::optional<std::uint64_t> list_length() const;

  friend bool operator==(const ListedArray&, const ListedArray&) = default;
};

/// Returns the sizes of an array of frames without dimensions of a single element beyond three.
std::vector<std::uint64_t> without_single_axes(std::vector<std::uint64_t> size);

/// Returns arrays as text for messages: "/a (91 x 135 x 160), /b (2 x 3)"; of many only the first
/// ones.
std::string listed(const std::vector<const ListedArray*>& arrays);
template <class Array>
std::string listed(const std::vector<const Array*>& arrays) {
  return listed(std::vector<const ListedArray*>(arrays.begin(), arrays.end()));
}

}  // namespace gantry
