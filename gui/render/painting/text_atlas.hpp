#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gantry {

/// A texture with all strings that a view shows: FreeType draws each string once, as coverage. A
/// string takes a few hundred bytes; a frame needs one draw call, however many strings it shows.
class TextAtlas {
 public:
  struct Entry {
    int x = 0, y = 0, width = 0, height = 0;  ///< texels; row y is the bottom row of the text
  };

  TextAtlas();

  /// Returns the position of a string in the atlas, after drawing the string there if it is new;
  /// none when the atlas is full.
  std::optional<Entry> place(const std::string& text, int size_device, bool bold);
  /// Removes all strings; `larger` also doubles the side of the atlas.
  void clear(bool larger);

  /// Side of the square atlas, texels.
  int side() const { return side_; }
  const std::vector<std::uint8_t>& coverage() const { return coverage_; }
  /// Returns a number that changes whenever coverage() changes.
  std::uint64_t version() const { return version_; }

  /// Returns the width and height of a string in device pixels; the height is that of a line of
  /// text, independent of the letters.
  static std::pair<int, int> measure(const std::string& text, int size_device, bool bold);

 private:
  std::optional<Entry> reserve(int width, int height);

  int side_ = 512;
  std::vector<std::uint8_t> coverage_;
  std::map<std::tuple<std::string, int, bool>, Entry> entries_;
  int shelf_x_ = 0, shelf_y_ = 0, shelf_height_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace gantry
