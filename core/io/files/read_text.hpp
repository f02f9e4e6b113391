#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

namespace gantry {

/// Opens a file for reading its bytes. Throws InputError with the system's reason where that fails,
/// also for a folder, and for what is no regular file: reading from a pipe would wait for ever.
std::ifstream open_file(const std::string& path);

/// Returns a text, or the beginning of one, without a byte order mark of UTF-8; a text of UTF-16
/// with such a mark as UTF-8.
std::string without_byte_order_mark(std::string text);

/// Returns whether a text is UTF-8.
bool is_utf8(const std::string& text);

/// Returns a text that is no UTF-8 as UTF-8, taken for the code page of Western Windows or Latin-1,
/// in which programs of that system write letters such as umlauts; other texts as they are.
std::string utf8_of(std::string text);

/// Returns the contents of a text file by without_byte_order_mark(). Throws InputError if the file
/// does not exist, is not a regular file, cannot be read, or has more than `largest_bytes`, which
/// no file of its kind needs.
std::string read_text_file(const std::string& path, std::size_t largest_bytes);

/// Returns whether a text begins as a JSON object does, after blanks and a byte order mark.
bool begins_json_object(std::string_view text);

}  // namespace gantry
