#pragma once

#include "core/io/files/raw_numbers.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace gantry {

/// Reads numbers that are written as text, with blanks, commas or line ends between them. Returns
/// how many the source delivered. Throws InputError, naming `where`, for words that are no numbers,
/// and for more numbers than values.
std::size_t read_text_numbers(const ByteSource& source, std::span<float> values,
                              const std::string& where);

}  // namespace gantry
