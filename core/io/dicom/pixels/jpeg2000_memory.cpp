#include "core/io/dicom/pixels/jpeg2000_memory.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace gantry {

namespace {

using Bytes = std::span<const std::uint8_t>;

// Markers of ISO/IEC 15444-1, annex A.
constexpr std::uint32_t start_and_size = 0xff4fff51;  // SOC, directly followed by SIZ
constexpr std::uint32_t coding_style = 0xff52, component_style = 0xff53;
constexpr std::uint32_t start_of_tile = 0xff90, start_of_data = 0xff93;
constexpr std::size_t smallest_tile_part = 14;  // bytes of the SOT segment and the SOD marker

// The memory that OpenJPEG 2.5 allocates for one of each, rounded up.
constexpr double bytes_for_a_tile = 8192, bytes_for_a_block = 1000, bytes_for_a_precinct = 300;
constexpr double bytes_for_a_pixel = 2 * sizeof(std::int32_t);  // in the image and in the tile

[[noreturn]] void fail(const std::string& reason) {
  throw InputError("the JPEG 2000 data cannot be decoded (" + reason + ")", {},
                   "copy the file again from where it came");
}

/// Returns `count` bytes from offset `at` on as a big-endian number; bytes beyond the end are
/// zeros.
std::uint32_t number(Bytes bytes, std::size_t at, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + count; ++i)
    value = value << 8 | (i < bytes.size() ? bytes[i] : 0U);
  return value;
}

/// The size of the image and of a tile in pixels, and the number of tiles.
struct Extent {
  double width = 0, height = 0;
  double tiles = 0, tile_width = 0, tile_height = 0;
};

/// Reads the SIZ segment, the length field of which is at offset `at`.
Extent read_extent(Bytes bytes, std::size_t at) {
  std::array<double, 8> v{};  // Xsiz, Ysiz, XOsiz, YOsiz, XTsiz, YTsiz, XTOsiz, YTOsiz
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = number(bytes, at + 4 + 4 * i, 4);
  Extent extent;
  extent.width = v[0] - v[2];
  extent.height = v[1] - v[3];
  if (!(extent.width > 0 && extent.height > 0 && v[4] > 0 && v[5] > 0)) fail("its size is empty");
  if (v[6] > v[2] || v[7] > v[3]) fail("its first tile begins behind the image");
  extent.tiles = std::ceil((v[0] - v[6]) / v[4]) * std::ceil((v[1] - v[7]) / v[5]);
  extent.tile_width = std::min(v[4], extent.width);
  extent.tile_height = std::min(v[5], extent.height);
  return extent;
}

/// Returns the greatest number of pieces into which a length is divided, whatever its alignment.
double pieces(double length, double piece) { return std::ceil(length / piece) + 1; }

/// Returns the memory in bytes of the decoder's records of one tile, for a coding style whose SPcod
/// fields start at offset `at`. `layers` is the number of quality layers.
double style_memory(Bytes bytes, std::size_t at, bool own_precincts, double layers,
                    const Extent& extent) {
  const int levels = static_cast<int>(std::min(number(bytes, at, 1), 32U));
  const int block_x = static_cast<int>(number(bytes, at + 1, 1) & 15U) + 2;
  const int block_y = static_cast<int>(number(bytes, at + 2, 1) & 15U) + 2;
  double memory = 0, most_precincts = 0;
  for (int r = 0; r <= levels; ++r) {
    const std::uint32_t exponents =
        own_precincts ? number(bytes, at + 5 + static_cast<std::size_t>(r), 1) : 0xffU;
    const int precinct_x = static_cast<int>(exponents & 15U);
    const int precinct_y = static_cast<int>(exponents >> 4);
    const int split = r == 0 ? 0 : 1;  // bands are half as wide above the lowest resolution
    const int bands = r == 0 ? 1 : 3;
    const double width = std::ldexp(extent.tile_width, r - levels);
    const double height = std::ldexp(extent.tile_height, r - levels);
    const double precincts =
        pieces(width, std::ldexp(1, precinct_x)) * pieces(height, std::ldexp(1, precinct_y));
    const double blocks =
        pieces(std::ldexp(width, -split),
               std::ldexp(1, std::max(0, std::min(block_x, precinct_x - split)))) *
        pieces(std::ldexp(height, -split),
               std::ldexp(1, std::max(0, std::min(block_y, precinct_y - split))));
    // Code-blocks end at the borders of precincts: each precinct has at least one code-block.
    memory += bands *
              (precincts * bytes_for_a_precinct + std::max(blocks, precincts) * bytes_for_a_block);
    most_precincts = std::max(most_precincts, precincts);
  }
  // OpenJPEG keeps a flag of two bytes for each packet that the tile may have.
  return memory + 2 * (layers + 1) * most_precincts * (levels + 1);
}

/// Returns the greatest style_memory() of the coding styles in the headers of the image and of its
/// tiles.
double greatest_style_memory(Bytes bytes, const Extent& extent) {
  double greatest = 0, layers = 1;
  std::size_t tile_end = bytes.size();
  for (std::size_t at = 2; at + 4 <= bytes.size();) {
    const std::uint32_t marker = number(bytes, at, 2);
    if (marker == start_of_data) {
      if (tile_end <= at) fail("a part of a tile ends before its data");
      at = tile_end;
      continue;
    }
    if (marker < 0xff00) break;  // not a marker: the headers have ended
    const std::size_t length = number(bytes, at + 2, 2);
    if (marker == start_of_tile) {
      const std::size_t tile_length = number(bytes, at + 6, 4);
      tile_end = tile_length < smallest_tile_part ? bytes.size() : at + tile_length;
    } else if (marker == coding_style) {
      layers = std::max<double>(layers, number(bytes, at + 6, 2));
      greatest = std::max(
          greatest,
          style_memory(bytes, at + 9, (number(bytes, at + 4, 1) & 1U) != 0, layers, extent));
    } else if (marker == component_style) {
      greatest = std::max(
          greatest,
          style_memory(bytes, at + 6, (number(bytes, at + 5, 1) & 1U) != 0, layers, extent));
    }
    if (length < 2) break;
    at += 2 + length;
  }
  return greatest;
}

}  // namespace

Bytes jpeg2000_codestream(Bytes bytes) {
  constexpr std::uint32_t signature = 0x6a502020, jp2c = 0x6a703263;  // "jP  ", "jp2c"
  if (number(bytes, 4, 4) != signature) return bytes;
  for (std::size_t at = 0; at + 8 <= bytes.size();) {
    std::uint64_t length = number(bytes, at, 4);
    std::size_t header = 8;
    if (length == 1) {
      length = std::uint64_t{number(bytes, at + 8, 4)} << 32 | number(bytes, at + 12, 4);
      header = 16;
    }
    if (length == 0) length = bytes.size() - at;  // the box extends to the end
    if (length < header || length > bytes.size() - at) fail("a box of the JP2 file is cut short");
    if (number(bytes, at + 4, 4) == jp2c)
      return bytes.subspan(at + header, static_cast<std::size_t>(length) - header);
    at += static_cast<std::size_t>(length);
  }
  fail("there is no codestream in the JP2 file");
}

std::size_t jpeg2000_memory(Bytes bytes) {
  const Bytes stream = jpeg2000_codestream(bytes);
  if (stream.size() < 45 || number(stream, 0, 4) != start_and_size)
    fail("it does not start as a codestream");
  const Extent extent = read_extent(stream, 4);
  if (extent.tiles * static_cast<double>(smallest_tile_part) > static_cast<double>(stream.size()))
    fail(std::to_string(static_cast<long long>(extent.tiles)) + " tiles in " +
         format_bytes(stream.size()));
  const double memory = extent.tiles * bytes_for_a_tile + greatest_style_memory(stream, extent) +
                        extent.width * extent.height * bytes_for_a_pixel;
  return static_cast<std::size_t>(std::min(memory, 1e18));
}

}  // namespace gantry
