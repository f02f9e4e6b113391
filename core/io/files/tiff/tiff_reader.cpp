#include "core/io/files/tiff/tiff_reader.hpp"

#include "core/base/error.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/foreign_file.hpp"
#include "core/io/files/memory_allowance.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <tiffio.h>
#include <unistd.h>
#include <vector>

namespace gantry {

namespace {

constexpr tmsize_t most_at_once = tmsize_t{1} << 30;  // of a single strip, bytes

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
}

TiffReader::~TiffReader() = default;

void TiffReader::fail(const std::string& what) const {
  const std::string error = file_->said.error.data();
  if (error.empty()) throw InputError(what, file_->said.path, "save it as a stack of grey values");
  throw InputError(what + " (" + error + ")", file_->said.path, "copy it again from where it came");
}

int TiffReader::count() const {
  errno = 0;
  const auto pages = static_cast<int>(TIFFNumberOfDirectories(file_->tiff));
  if (file_->said.error[0] != '\0') fail("ends after " + std::to_string(pages) + " whole pages");
  return pages;
}

TiffPage TiffReader::page(int index) {
  if (!go_to(file_->tiff, static_cast<tdir_t>(index)))
    fail("has no readable page " + std::to_string(index + 1));
  const auto width = file_->number(TIFFTAG_IMAGEWIDTH, std::uint32_t{0}),
             height = file_->number(TIFFTAG_IMAGELENGTH, std::uint32_t{0});
  if (width == 0 || height == 0 || width > 65535 || height > 65535)
    fail("has pages of " + std::to_string(width) + " x " + std::to_string(height) + " pixels");
  const TiffPage page{static_cast<int>(width), static_cast<int>(height),
                      file_->number(TIFFTAG_BITSPERSAMPLE, std::uint16_t{1}),
                      file_->number(TIFFTAG_SAMPLEFORMAT, std::uint16_t{SAMPLEFORMAT_UINT})};
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
  const TiffPage held = page(index);
  const std::size_t line = held.bytes() / static_cast<std::size_t>(held.rows);
  if (stored.size() != held.bytes()) throw ShapeError("buffer does not fit", file_->said.path);
  if (TIFFIsTiled(file_->tiff) != 0) return read_tiles(index, held, stored);
  if (TIFFScanlineSize64(file_->tiff) != line)
    fail("has rows of another length in page " + std::to_string(index + 1));
  for (int row = 0; row < held.rows; ++row, stored = stored.subspan(line)) {
    errno = 0;
    if (TIFFReadScanline(file_->tiff, stored.data(), static_cast<std::uint32_t>(row)) != 1)
      fail("cannot be read in page " + std::to_string(index + 1) + ", row " + std::to_string(row));
  }
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
      errno = 0;
      if (TIFFReadTile(file_->tiff, tile.data(), static_cast<std::uint32_t>(left),
                       static_cast<std::uint32_t>(top), 0, 0) < 0)
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
  (void)page(0);
  const auto unit = file_->number(TIFFTAG_RESOLUTIONUNIT, std::uint16_t{RESUNIT_NONE});
  return {file_->number(TIFFTAG_XRESOLUTION, 0.0F), file_->number(TIFFTAG_YRESOLUTION, 0.0F),
          unit == RESUNIT_CENTIMETER ? TiffUnit::centimetre
          : unit == RESUNIT_INCH     ? TiffUnit::inch
                                     : TiffUnit::none};
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
