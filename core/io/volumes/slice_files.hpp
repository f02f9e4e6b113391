#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry {

// Files over which the slices of a volume are spread, in the order of the slices. Names are taken
// from the folder of the header.

/// Returns the lines of a text that are not blank.
std::vector<std::string> lines_of(std::string_view text);

/// Returns the files whose names a header lists.
std::vector<std::string> listed_files(const std::vector<std::string>& names,
                                      const std::string& header, const std::string& where);

/// Returns the files of a pattern and its numbers, "slice%03d.raw 1 93 1" (first, last and step; a
/// fourth number is passed over). Throws InputError, naming `where`: no such pattern.
std::vector<std::string> pattern_files(const std::string& text, const std::string& header,
                                       const std::string& where);

}  // namespace gantry
