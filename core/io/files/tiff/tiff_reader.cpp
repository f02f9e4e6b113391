#include "core/io/files/tiff/tiff_reader.hpp"

#include "core/base/error.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/foreign_file.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/files/tiff/tiff_orientation.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <tiffio.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr tmsize_t most_at_once = tmsize_t{1} << 30;  // of a single strip, bytes
constexpr long most_images = 1 << 20;                 // as many directories as libtiff follows
constexpr const char* copy_again = "copy it again from where it came";

/// What libtiff says of a file.
struct Said {
  std::string path;
  std::array<char, 300> error{};  ///< the first one
  bool is_abandoned = false;      ///< libtiff was left in the middle of a call
};

/// Throws InputError after a message that follows a refusal of memory: libtiff (4.5) would go on
/// with lists shorter than it believes, or leave out what it could not keep. A refusal sets errno,
/// which has to be 0 before each call.
void require_memory(const TIFF* tiff, Said& said) {
  if (errno != ENOMEM || tiff == nullptr) return;
  said.is_abandoned = true;
  throw memory_exceeded(said.path);
}

int keep_error(TIFF* tiff, void* user, const char*, const char* format, va_list arguments) {
  auto& said = *static_cast<Said*>(user);
  require_memory(tiff, said);
  if (said.error[0] == '\0')
    std::vsnprintf(said.error.data(), said.error.size(), format, arguments);
  return 1;
}

int pass_over_warning(TIFF* tiff, void* user, const char*, const char*, va_list) {
  require_memory(tiff, *static_cast<Said*>(user));
  return 1;
}

/// Goes to a page; to one of the next directly, since libtiff finds others by walking from the
/// first, and several threads share the pages of a file.
bool go_to(TIFF* tiff, tdir_t page) {
  errno = 0;
  constexpr unsigned most_steps = 256;
  tdir_t now = TIFFCurrentDirectory(tiff);
  if (page < now || page - now > most_steps) return TIFFSetDirectory(tiff, page) == 1;
  for (; now != page; ++now)
    if (TIFFReadDirectory(tiff) != 1) return false;
  return true;
}

}  // namespace

struct TiffReader::File {
  Said said;
  TIFF* tiff = nullptr;
  // A stack of ImageJ with one directory for all images: their number, 0 for other files; how many
  // of them the file has room for; and where the first one begins.
  int images = 0;
  std::uint64_t images_held = 0, first_image_at = 0;

  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (tiff == nullptr) return;
    if (said.is_abandoned)
      close(TIFFFileno(tiff));  // what TIFFClose() would release may be incomplete
    else
      TIFFClose(tiff);
  }

  template <class Number>
  Number number(std::uint32_t tag, Number otherwise) const {
    Number value = otherwise;
    return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
  }
  bool is_compressed() const {
    return number(TIFFTAG_COMPRESSION, std::uint16_t{COMPRESSION_NONE}) != COMPRESSION_NONE;
  }
  /// Whether the file states where a strip or tile of so many bytes without compression lies. Of
  /// such strips and tiles libtiff (4.5) reads the start of the file where it states nothing.
  bool states(std::uint32_t strip_or_tile, std::uint64_t bytes) const {
    return TIFFGetStrileOffset(tiff, strip_or_tile) > 0 &&
           TIFFGetStrileByteCount(tiff, strip_or_tile) >= bytes;
  }
};

TiffReader::TiffReader(const std::string& path) : file_(std::make_unique<File>()) {
  refuse_empty_file(path);
  file_->said.path = path;
  errno = 0;
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
  if (options == nullptr) throw std::bad_alloc();
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, most_at_once);
  TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, &file_->said);
  TIFFOpenOptionsSetWarningHandlerExtR(options, pass_over_warning, &file_->said);
  // "h": the first page is read below, since TIFFOpenExt() closes the file after a failure; "m":
  // the file is not mapped into memory.
  file_->tiff = TIFFOpenExt(path.c_str(), "rhm", options);
  TIFFOpenOptionsFree(options);
  if (file_->tiff == nullptr || TIFFReadDirectory(file_->tiff) != 1) fail("cannot be read as TIFF");
  look_for_images_of_one_directory();
}

/// ImageJ states the number of images in the first description, and writes a single directory
/// where the stack has more than 4 GB: the images are without compression then, one after the
/// other.
void TiffReader::look_for_images_of_one_directory() {
  TIFF* tiff = file_->tiff;
  const char* text = nullptr;
  if (TIFFLastDirectory(tiff) == 0 || TIFFIsTiled(tiff) != 0 || file_->is_compressed() ||
      TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) != 1 || text == nullptr)
    return;
  const std::string_view description(text), stated = "\nimages=";
  const std::size_t at = description.find(stated);
  if (!description.starts_with("ImageJ=") || at == std::string_view::npos) return;
  const long images = std::strtol(text + at + stated.size(), nullptr, 10);
  const std::size_t image = page(0).bytes();
  const std::uint64_t begin = TIFFGetStrileOffset(tiff, 0), end = size_of_file(file_->said.path);
  const bool is_behind_directory = begin > TIFFCurrentDirOffset(tiff) && begin < end;
  if (images < 2 || image == 0 || !is_behind_directory || (end - begin) / image < 2) return;
  if (images > most_images)
    throw InputError(
        "states " + std::to_string(images) + " images, more than " + std::to_string(most_images),
        file_->said.path, "save it as several files");
  file_->first_image_at = begin;
  file_->images_held = (end - begin) / image;
  file_->images = static_cast<int>(images);
}

/// Reads an image of a stack with one directory.
void TiffReader::read_image(int index, std::span<std::byte> stored) const {
  auto at =
      static_cast<off_t>(file_->first_image_at + static_cast<std::size_t>(index) * stored.size());
  const std::size_t value = file_->number(TIFFTAG_BITSPERSAMPLE, std::uint16_t{8}) / 8U;
  const auto values = static_cast<tmsize_t>(stored.size() / value);
  for (std::span<std::byte> rest = stored; !rest.empty();) {
    const ssize_t got = pread(TIFFFileno(file_->tiff), rest.data(), rest.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw InputError("cannot be read in image " + std::to_string(index + 1) + ": " +
                           (got < 0 ? std::strerror(errno) : "the file ends"),
                       file_->said.path, copy_again);
    rest = rest.subspan(static_cast<std::size_t>(got));
    at += got;
  }
  if (TIFFIsByteSwapped(file_->tiff) == 0) return;
  if (value == 2) TIFFSwabArrayOfShort(reinterpret_cast<std::uint16_t*>(stored.data()), values);
  if (value == 4) TIFFSwabArrayOfLong(reinterpret_cast<std::uint32_t*>(stored.data()), values);
  if (value == 8) TIFFSwabArrayOfLong8(reinterpret_cast<std::uint64_t*>(stored.data()), values);
}

TiffReader::~TiffReader() = default;

void TiffReader::fail(const std::string& what) const {
  const std::string error = file_->said.error.data();
  if (error.empty()) throw InputError(what, file_->said.path, "save it as a stack of grey values");
  throw InputError(what + " (" + error + ")", file_->said.path, copy_again);
}

int TiffReader::count() const {
  if (static_cast<std::uint64_t>(file_->images) > file_->images_held)
    throw InputError("ends after " + std::to_string(file_->images_held) + " of " +
                         std::to_string(file_->images) + " images",
                     file_->said.path, copy_again);
  if (file_->images > 0) return file_->images;
  errno = 0;
  const auto pages = static_cast<int>(TIFFNumberOfDirectories(file_->tiff));
  if (file_->said.error[0] != '\0') fail("ends after " + std::to_string(pages) + " whole pages");
  return pages;
}

TiffPage TiffReader::page(int index) {
  TiffPage page = stored_page(index);
  if (is_stored_sideways(page)) std::swap(page.columns, page.rows);
  return page;
}

/// Returns a page with the columns and rows that the file has.
TiffPage TiffReader::stored_page(int index) {
  if (index > 0 && index < file_->images) index = 0;  // one directory describes all
  if (!go_to(file_->tiff, static_cast<tdir_t>(index)))
    fail("has no readable page " + std::to_string(index + 1));
  const auto width = file_->number(TIFFTAG_IMAGEWIDTH, std::uint32_t{0}),
             height = file_->number(TIFFTAG_IMAGELENGTH, std::uint32_t{0});
  if (width == 0 || height == 0 || width > 65535 || height > 65535)
    fail("has pages of " + std::to_string(width) + " x " + std::to_string(height) + " pixels");
  const TiffPage page{static_cast<int>(width), static_cast<int>(height),
                      file_->number(TIFFTAG_BITSPERSAMPLE, std::uint16_t{1}),
                      file_->number(TIFFTAG_SAMPLEFORMAT, std::uint16_t{SAMPLEFORMAT_UINT}),
                      file_->number(TIFFTAG_ORIENTATION, std::uint16_t{ORIENTATION_TOPLEFT})};
  if (file_->number(TIFFTAG_SAMPLESPERPIXEL, std::uint16_t{1}) != 1 ||
      file_->number(TIFFTAG_PHOTOMETRIC, std::uint16_t{PHOTOMETRIC_MINISBLACK}) !=
          PHOTOMETRIC_MINISBLACK)
    fail("holds colours or inverted greys instead of grey values");
  const bool whole = page.type == SAMPLEFORMAT_UINT || page.type == SAMPLEFORMAT_INT;
  const bool is_known = (whole && (page.bits == 8 || page.bits == 16 || page.bits == 32)) ||
                        (page.type == SAMPLEFORMAT_IEEEFP && (page.bits == 32 || page.bits == 64));
  if (!is_known) fail("has values of " + std::to_string(page.bits) + " bits of another type");
  return page;
}

TiffPage TiffReader::allowed_page(int index) {
  const TiffPage held = page(index);
  require_allowed_memory("claims " + std::to_string(held.values()) + " values in a page",
                         held.bytes(), size_of_file(file_->said.path), file_->said.path);
  return held;
}

void TiffReader::read(int index, std::span<std::byte> stored) {
  const TiffPage held = stored_page(index);
  if (stored.size() != held.bytes()) throw ShapeError("buffer does not fit", file_->said.path);
  read_stored(index, held, stored);
  turn_upright(held, stored);
}

void TiffReader::read_stored(int index, const TiffPage& held, std::span<std::byte> stored) {
  const std::size_t line = held.bytes() / static_cast<std::size_t>(held.rows);
  if (file_->images > 0) return read_image(index, stored);
  if (TIFFIsTiled(file_->tiff) != 0) return read_tiles(index, held, stored);
  if (TIFFScanlineSize64(file_->tiff) != line)
    fail("has rows of another length in page " + std::to_string(index + 1));
  const auto rows = static_cast<std::uint32_t>(held.rows);
  const std::uint32_t rows_of_strip =
      std::clamp(file_->number(TIFFTAG_ROWSPERSTRIP, rows), std::uint32_t{1}, rows);
  for (std::uint32_t row = 0; row < rows; row += rows_of_strip) {
    const std::size_t bytes = line * std::min(rows_of_strip, rows - row);
    if (!read_strip(row / rows_of_strip, stored.first(bytes)) &&
        !read_lines(row, line, stored.first(bytes)))
      fail("cannot be read in page " + std::to_string(index + 1) + " from row " +
           std::to_string(row) + " on");
    stored = stored.subspan(bytes);
  }
}

/// Reads a strip in one piece. Returns false where the strip is not as the file should state it, or
/// too large to be held in memory twice.
bool TiffReader::read_strip(std::uint32_t strip, std::span<std::byte> stored) const {
  const auto bytes = static_cast<tmsize_t>(stored.size());
  const bool is_plain = file_->is_compressed()
                            ? TIFFGetStrileByteCount(file_->tiff, strip) <= most_at_once
                            : file_->states(strip, stored.size());
  if (!is_plain) return false;
  errno = 0;
  return TIFFReadEncodedStrip(file_->tiff, strip, stored.data(), bytes) == bytes;
}

/// Reads the rows of a strip one by one. Returns false where libtiff refuses one.
bool TiffReader::read_lines(std::uint32_t first, std::size_t line,
                            std::span<std::byte> stored) const {
  file_->said.error[0] = '\0';  // of an attempt to read the strip in one piece
  for (std::uint32_t row = first; !stored.empty(); ++row, stored = stored.subspan(line)) {
    errno = 0;
    if (TIFFReadScanline(file_->tiff, stored.data(), row) != 1) return false;
  }
  return true;
}

void TiffReader::read_tiles(int index, const TiffPage& held, std::span<std::byte> stored) {
  const std::size_t width = file_->number(TIFFTAG_TILEWIDTH, std::uint32_t{0}),
                    height = file_->number(TIFFTAG_TILELENGTH, std::uint32_t{0}),
                    columns = static_cast<std::size_t>(held.columns),
                    rows = static_cast<std::size_t>(held.rows), value = held.bits / 8U;
  const std::uint64_t bytes = TIFFTileSize64(file_->tiff);
  if (width == 0 || height == 0 || bytes / width / height != value)
    fail("has tiles of " + std::to_string(width) + " x " + std::to_string(height) + " pixels");
  require_allowed_memory("has tiles of " + std::to_string(bytes) + " bytes", bytes,
                         size_of_file(file_->said.path), file_->said.path);
  std::vector<std::byte> tile(bytes);
  for (std::size_t top = 0; top < rows; top += height)
    for (std::size_t left = 0; left < columns; left += width) {
      const std::uint32_t number = TIFFComputeTile(file_->tiff, static_cast<std::uint32_t>(left),
                                                   static_cast<std::uint32_t>(top), 0, 0);
      errno = 0;
      if ((!file_->is_compressed() && !file_->states(number, bytes)) ||
          TIFFReadEncodedTile(file_->tiff, number, tile.data(), static_cast<tmsize_t>(bytes)) < 0)
        fail("cannot be read in page " + std::to_string(index + 1) + ", the tile at column " +
             std::to_string(left) + ", row " + std::to_string(top));
      // Tiles at the right and the lower edge are filled up beyond the page.
      const std::size_t count = std::min(width, columns - left);
      for (std::size_t row = 0; row < std::min(height, rows - top); ++row)
        std::memcpy(stored.data() + ((top + row) * columns + left) * value,
                    tile.data() + row * width * value, count * value);
    }
}

TiffResolution TiffReader::resolution() {
  const bool is_sideways = is_stored_sideways(page(0));
  const auto unit = file_->number(TIFFTAG_RESOLUTIONUNIT, std::uint16_t{RESUNIT_NONE});
  TiffResolution stated{file_->number(TIFFTAG_XRESOLUTION, 0.0F),
                        file_->number(TIFFTAG_YRESOLUTION, 0.0F),
                        unit == RESUNIT_CENTIMETER ? TiffUnit::centimetre
                        : unit == RESUNIT_INCH     ? TiffUnit::inch
                                                   : TiffUnit::none};
  if (is_sideways) std::swap(stated.x, stated.y);
  return stated;
}

std::string TiffReader::description() {
  (void)page(0);
  const char* text = nullptr;
  if (TIFFGetField(file_->tiff, TIFFTAG_IMAGEDESCRIPTION, &text) != 1) return {};
  if (text == nullptr)  // libtiff had no memory for it, and said nothing
    throw memory_exceeded(file_->said.path);
  return text;
}

}  // namespace gantry
