#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gantry {

/// Words as pictures: every string a view shows, drawn once by FreeType into one coverage texture.
/// A few hundred bytes a string; a frame then costs one draw call, however much it says.
class TextAtlas {
 public:
  struct Entry {
    int x = 0, y = 0, width = 0, height = 0;  ///< texels; row y is the bottom row of the text
  };

  TextAtlas();

  /// Where the string is, drawn now if it is new; nothing when the atlas is full.
  std::optional<Entry> place(const std::string& text, int size_device, bool bold);
  /// Forgets every string; `larger` doubles the side as well.
  void clear(bool larger);

  int side() const { return side_; }
  const std::vector<std::uint8_t>& coverage() const { return coverage_; }
  /// Changes whenever the picture does.
  std::uint64_t version() const { return version_; }

  /// Size of a string in device pixels; the height is that of a line, whatever its letters.
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
