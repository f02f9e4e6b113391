#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gantry {

/// Size and type of a page of a TIFF file, as it is looked at: turned as the file says.
struct TiffPage {
  int columns = 0, rows = 0;
  std::uint16_t bits = 0, type = 0;  ///< of a value; SAMPLEFORMAT_*
  std::uint16_t orientation = 1;     ///< of the stored values, ORIENTATION_*; 1: that of the page

  std::size_t values() const {
    return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  }
  /// Returns the number of bytes of the values.
  std::size_t bytes() const { return values() * (bits / 8U); }
  /// Returns the type of the values for messages: "16-bit whole numbers", "16-bit signed whole
  /// numbers".
  std::string numbers_text() const;
  /// Returns what was done to the stored values: "mirrored"; empty for orientation 1.
  std::string turned_text() const;
  /// Whether pages are of one size and type, however they are stored.
  friend bool operator==(const TiffPage& a, const TiffPage& b) {
    return a.columns == b.columns && a.rows == b.rows && a.bits == b.bits && a.type == b.type;
  }
};

/// The resolution that a TIFF file states: pixels in a unit of length; 0: not stated.
enum class TiffUnit { none, inch, centimetre };
struct TiffResolution {
  double x = 0, y = 0;
  TiffUnit unit = TiffUnit::none;

  friend bool operator==(const TiffResolution&, const TiffResolution&) = default;
};

/// What the decoder says of a file that it opened: its first page, the number of pages, the page
/// whose values follow, if these were asked for, and the resolution of the first page.
struct TiffOpened {
  TiffPage first;
  int pages = 0;
  TiffPage loaded;
  TiffResolution resolution;
};

}  // namespace gantry
