#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// One grey-scale image out of a JPEG 2000 codestream.
struct Jpeg2000Image {
  int columns = 0, rows = 0;
  int precision = 0;       ///< bits per value, as the codestream says
  bool is_signed = false;  ///< as the codestream says
  std::vector<std::int32_t> values;
  std::vector<std::string> warnings;  ///< of the decoder, one line each
};

/// Reads the header only, so that a wrong size is found before memory is asked for.
/// Throws InputError when it is not of one component and the given size.
void check_jpeg2000(std::span<const std::uint8_t> bytes, int columns, int rows);

/// Decodes a codestream, or a JP2 file, of one component and the given size.
/// Throws InputError (no place named: the caller knows the file) when it cannot be decoded.
Jpeg2000Image decode_jpeg2000(std::span<const std::uint8_t> bytes, int columns, int rows);

}  // namespace gantry
