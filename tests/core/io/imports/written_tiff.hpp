#pragma once

#include <QtGlobal>

#include <cstdint>
#include <string>
#include <tiffio.h>
#include <vector>

namespace gantry::test {

using Page = std::vector<std::uint16_t>;

/// Writes pages of whole numbers by libtiff, the rows of each in one piece.
inline void write_pages(const std::string& path, const std::vector<Page>& pages, int columns) {
  TIFF* tiff = TIFFOpen(path.c_str(), "wl");
  if (tiff == nullptr) qFatal("cannot write the test file %s", path.c_str());
  for (Page page : pages) {
    const auto width = static_cast<std::uint32_t>(columns),
               height = static_cast<std::uint32_t>(page.size()) / width;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    for (std::uint32_t row = 0; row < height; ++row)
      TIFFWriteScanline(tiff, page.data() + std::size_t{row} * width, row);
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

}  // namespace gantry::test
