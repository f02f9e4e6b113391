#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// Returns how many lines a text of at most a megabyte has from its first number on, if all of them
/// have a number in one column; 0 for any other file.
std::size_t lines_of_numbers(const std::string& path);

}  // namespace gantry
