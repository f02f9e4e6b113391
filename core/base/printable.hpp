#pragma once

#include <string>
#include <string_view>

namespace gantry {

/// Returns `text` on one line: line ends and tabs become spaces, other control characters (U+0080
/// to U+009F included) become \xNN. A name from a file can thus neither move a terminal's cursor
/// nor end a line of a log.
std::string printable(std::string_view text);

}  // namespace gantry
