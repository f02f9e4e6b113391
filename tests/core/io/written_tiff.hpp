#pragma once

#include <QtGlobal>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tiffio.h>
#include <type_traits>
#include <vector>

namespace gantry::test {

/// Values of 16 bits, [row][column].
using Page = std::vector<std::uint16_t>;

/// How libtiff lays out a file.
struct TiffLayout {
  const char* mode = "wl";  ///< of TIFFOpen: "wb" is big-endian, "w8" is BigTIFF
  std::uint32_t tile_width = 0, tile_height = 0;  ///< multiples of 16; 0: strips
  std::uint32_t rows_per_strip = 0;               ///< 0: all
  std::uint16_t compression = COMPRESSION_NONE, predictor = PREDICTOR_NONE,
                planes = PLANARCONFIG_CONTIG, orientation = ORIENTATION_TOPLEFT;
  const char* description = nullptr;
  float across = 0, along = 0;  ///< resolution; 0: not stated
  std::uint16_t unit = RESUNIT_NONE;
};

/// Writes a page of an open file as tiles, which are filled up with 1 beyond the page.
template <class Number>
void write_tiles(TIFF* tiff, const std::vector<Number>& page, std::size_t width,
                 const TiffLayout& layout) {
  const std::size_t across = layout.tile_width, along = layout.tile_height,
                    height = page.size() / width;
  for (std::size_t top = 0; top < height; top += along)
    for (std::size_t left = 0; left < width; left += across) {
      std::vector<Number> tile(across * along, Number{1});
      for (std::size_t row = top; row < std::min(top + along, height); ++row)
        for (std::size_t column = left; column < std::min(left + across, width); ++column)
          tile[(row - top) * across + column - left] = page[row * width + column];
      TIFFWriteTile(tiff, tile.data(), static_cast<std::uint32_t>(left),
                    static_cast<std::uint32_t>(top), 0, 0);
    }
}

/// Writes pages of numbers by libtiff.
template <class Number>
void write_numbers(const std::string& path, const std::vector<std::vector<Number>>& pages,
                   int columns, const TiffLayout& layout) {
  TIFF* tiff = TIFFOpen(path.c_str(), layout.mode);
  if (tiff == nullptr) qFatal("cannot write the test file %s", path.c_str());
  for (std::vector<Number> page : pages) {
    const auto width = static_cast<std::uint32_t>(columns),
               height = static_cast<std::uint32_t>(page.size()) / width;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8 * sizeof(Number));
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                 std::is_floating_point_v<Number> ? SAMPLEFORMAT_IEEEFP
                 : std::is_signed_v<Number>       ? SAMPLEFORMAT_INT
                                                  : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, layout.planes);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, layout.compression);
    if (layout.orientation != ORIENTATION_TOPLEFT)
      TIFFSetField(tiff, TIFFTAG_ORIENTATION, layout.orientation);
    if (layout.description != nullptr)
      TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, layout.description);
    if (layout.across > 0) {
      TIFFSetField(tiff, TIFFTAG_XRESOLUTION, layout.across);
      TIFFSetField(tiff, TIFFTAG_YRESOLUTION, layout.along);
      TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, layout.unit);
    }
    if (layout.predictor != PREDICTOR_NONE) TIFFSetField(tiff, TIFFTAG_PREDICTOR, layout.predictor);
    if (layout.tile_width > 0) {
      TIFFSetField(tiff, TIFFTAG_TILEWIDTH, layout.tile_width);
      TIFFSetField(tiff, TIFFTAG_TILELENGTH, layout.tile_height);
      write_tiles(tiff, page, width, layout);
    } else {
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP,
                   layout.rows_per_strip > 0 ? layout.rows_per_strip : height);
      for (std::uint32_t row = 0; row < height; ++row)
        TIFFWriteScanline(tiff, page.data() + std::size_t{row} * width, row);
    }
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

/// Writes pages of whole numbers, the rows of each in one piece unless the layout says otherwise.
inline void write_pages(const std::string& path, const std::vector<Page>& pages, int columns,
                        const TiffLayout& layout = {}) {
  write_numbers(path, pages, columns, layout);
}

}  // namespace gantry::test
