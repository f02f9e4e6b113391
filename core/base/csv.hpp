#pragma once

#include <string>

namespace gantry {

/// Returns a number with all digits that reading back the same value takes; empty if the number is
/// not finite.
std::string csv_number(double value);
/// Returns `text` as a field: quoted if it holds a comma, a quote or a line break (RFC 4180), or if
/// it begins with #, since its line would be read as a comment.
std::string csv_field(const std::string& text);
/// Returns the comment line "# text" with its line break. Line breaks in `text` become blanks,
/// since what follows them would be read as data.
std::string csv_comment(std::string text);

}  // namespace gantry
