#pragma once

#include "core/io/files/file_parts.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// A frame of a file in ESRF's data format: a header of lines "key = value ;" in braces, padded to
/// a multiple of 512 bytes, and numbers [row][column].
struct EdfFrame {
  int columns = 0, rows = 0;
  NumberFormat numbers;
  FilePart data;
  std::map<std::string, std::string> fields;  ///< of the header, keys in lower case
};

/// Returns the frames of a file. Throws InputError: no such file, a damaged header, a type of
/// numbers that is not known, fewer bytes than a header claims.
std::vector<EdfFrame> read_edf_headers(const std::string& path);

/// Reads the numbers of a frame. Throws InputError.
void read_edf_frame(const EdfFrame& frame, std::span<float> values);

/// Returns whether a file begins as one of these does.
bool begins_edf(std::string_view start);

}  // namespace gantry
