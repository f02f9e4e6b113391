#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gantry {

/// Returns the contents of a text file. Throws InputError if the file does not exist, is not a
/// regular file, cannot be read, or has more than `largest_bytes`, which no file of its kind needs.
std::string read_text_file(const std::string& path, std::size_t largest_bytes);

/// Returns whether a text begins as a JSON object does, after blanks and a byte order mark.
bool begins_json_object(std::string_view text);

}  // namespace gantry
