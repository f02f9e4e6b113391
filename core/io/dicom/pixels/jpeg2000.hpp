#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// One grey-scale image decoded from a JPEG 2000 codestream.
struct Jpeg2000Image {
  int columns = 0, rows = 0;
  int precision = 0;                  ///< bits per value, according to the codestream
  bool is_signed = false;             ///< according to the codestream
  std::vector<std::int32_t> values;   ///< [row][column]
  std::vector<std::string> warnings;  ///< of the decoder, one line each
};

/// Checks the header only, so that a wrong size is found before memory is allocated for the pixels.
/// Throws InputError (without the file, which the caller adds) when the image is not of one
/// component, 1 to 16 bits per value and the given size.
void check_jpeg2000(std::span<const std::uint8_t> bytes, int columns, int rows);

/// Decodes a codestream, or a JP2 file, of one component and the given size. Throws as
/// check_jpeg2000(), and when the data cannot be decoded or are cut short.
Jpeg2000Image decode_jpeg2000(std::span<const std::uint8_t> bytes, int columns, int rows);

}  // namespace gantry
