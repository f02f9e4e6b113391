#pragma once

#include <string>

namespace gantry {

/// Empty for what is no finite number; else all its digits.
std::string csv_number(double value);
/// Quoted where a comma, quote or line break asks for it (RFC 4180), and where the line would pass
/// for a comment.
std::string csv_field(const std::string& text);
/// "# text" and a line break; those inside the text become blanks, so that it does not go on as
/// data.
std::string csv_comment(std::string text);

}  // namespace gantry
