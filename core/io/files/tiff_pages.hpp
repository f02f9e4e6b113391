#pragma once

#include "core/io/files/file_format.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace gantry {

/// Judges a file by its first bytes, for FileFormat::magic.
Certainty tiff_certainty(std::string_view start);

/// Size and type of a page of a TIFF file.
struct TiffPage {
  int columns = 0, rows = 0;
  std::uint16_t bits = 0, type = 0;  ///< of a value; SAMPLEFORMAT_*

  /// Returns the type of the values for messages: "16-bit whole numbers".
  std::string numbers_text() const;
  friend bool operator==(const TiffPage&, const TiffPage&) = default;
};

/// The resolution that a TIFF file states: pixels in a unit of length; 0: not stated.
enum class TiffUnit { none, inch, centimetre };
struct TiffResolution {
  double x = 0, y = 0;
  TiffUnit unit = TiffUnit::none;
};

/// A TIFF file of grey values, read page by page by libtiff: whole numbers of 8, 16 or 32 bits, or
/// floating-point numbers, in strips or tiles. Functions throw InputError that names the file and
/// what libtiff says. One thread at a time.
class TiffPages {
 public:
  explicit TiffPages(const std::string& path);
  ~TiffPages();
  TiffPages(const TiffPages&) = delete;
  TiffPages& operator=(const TiffPages&) = delete;

  int count() const;
  /// Goes to a page and returns what it holds.
  TiffPage page(int index);
  /// Reads the values of a page as float32, [row][column].
  void read(int index, std::span<float> values);

  /// Returns the lines "key=value" of the first page's description.
  std::map<std::string, std::string> description();
  /// Returns the resolution of the first page.
  TiffResolution resolution();
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void read_tiles(int index, const TiffPage& held, std::span<float> values);
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace gantry
