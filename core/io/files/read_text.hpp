#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// The whole of a text file. Throws InputError: no such file, a folder, no permission, or more than
/// `largest_bytes`, which no file of its kind needs.
std::string read_text_file(const std::string& path, std::size_t largest_bytes);

}  // namespace gantry
