#pragma once

#include "core/io/files/raw_numbers.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gantry {

// Numbers that are written as text, whatever the locale of the program.

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the number with which a text begins, after blanks and a plus sign, and removes it from
/// the text; nothing without one.
std::optional<double> take_number(std::string_view& text);

/// Returns the number that a word is as a whole.
std::optional<double> number_of_word(std::string_view word);

/// Reads numbers that are written as text, with blanks, commas or line ends between them. Returns
/// how many the source delivered. Throws InputError, naming `where`, for words that are no numbers,
/// for more numbers than values, and where nothing ends the last number, of which digits may be
/// missing; unless `lacks_end`, which then becomes true, is given.
std::size_t read_text_numbers(const ByteSource& source, std::span<float> values,
                              const std::string& where, bool* lacks_end = nullptr);

}  // namespace gantry
