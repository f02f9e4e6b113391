#pragma once

#include "core/io/files/tiff/tiff_page.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace gantry {

/// A TIFF file of grey values that libtiff reads in this process: whole numbers of 8, 16 or 32
/// bits, or floating-point numbers, in strips or tiles. A page has a directory of its own, except
/// in stacks of more than 4 GB that ImageJ writes: there one directory describes all images, which
/// follow each other. Functions throw InputError that names the file and what libtiff says. One
/// thread at a time.
class TiffReader {
 public:
  explicit TiffReader(const std::string& path);
  ~TiffReader();
  TiffReader(const TiffReader&) = delete;
  TiffReader& operator=(const TiffReader&) = delete;

  int count() const;
  /// Goes to a page and returns what it holds, turned as its orientation says.
  TiffPage page(int index);
  /// As page(); throws also where the values take more memory than a file of this size may.
  TiffPage allowed_page(int index);
  /// Reads the values of a page in the stored type, page(index).bytes() bytes, [row][column],
  /// turned so that the first row is the uppermost and the first column the leftmost.
  void read(int index, std::span<std::byte> stored);

  /// Returns the description of the first page; an empty text where it has none.
  std::string description();
  /// Returns the resolution of the first page, as it is looked at.
  TiffResolution resolution();

 private:
  TiffPage stored_page(int index);
  void look_for_images_of_one_directory();
  void read_stored(int index, const TiffPage& held, std::span<std::byte> stored);
  void read_image(int index, std::span<std::byte> stored) const;
  bool read_strip(std::uint32_t strip, std::span<std::byte> stored) const;
  bool read_lines(std::uint32_t first, std::size_t line, std::span<std::byte> stored) const;
  void read_tiles(int index, const TiffPage& held, std::span<std::byte> stored);
  [[noreturn]] void fail(const std::string& what) const;
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace gantry
