#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// Returns the contents of a text file. Throws InputError if the file does not exist, is not a
/// regular file, cannot be read, or has more than `largest_bytes`, which no file of its kind needs.
std::string read_text_file(const std::string& path, std::size_t largest_bytes);

}  // namespace gantry
