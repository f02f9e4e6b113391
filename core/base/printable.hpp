#pragma once

#include <string>
#include <string_view>

namespace gantry {

/// A text on one line: line ends and tabs become spaces, other control characters \xNN, those from
/// U+0080 to U+009F as well, so that a name from a file cannot move a terminal's cursor or end a
/// line of a log.
std::string printable(std::string_view text);

}  // namespace gantry
