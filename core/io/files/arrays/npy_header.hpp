#pragma once

#include "core/io/files/raw_numbers.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// What the header of an array of NumPy says (numpy.lib.format, versions 1 to 3).
struct NpyHeader {
  NumberFormat numbers;
  bool first_axis_is_fastest = false;  ///< Fortran order
  std::vector<std::uint64_t> size;
  std::uint64_t bytes = 0;  ///< length of the header; the numbers follow it
};

/// The first bytes of every such array.
inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// Reads a header. Throws InputError naming `where`: it is damaged, or the elements are no numbers
/// that can be read (complex numbers, texts, records).
NpyHeader read_npy_header(const ByteSource& bytes, const std::string& where);

/// Returns a header of version 1 for float32 in C order, after which the numbers lie at a multiple
/// of 64 bytes.
std::string npy_header_text(const std::vector<std::uint64_t>& size);

}  // namespace gantry
