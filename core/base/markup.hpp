#pragma once

#include <string>
#include <string_view>

namespace gantry {

/// Returns text for elements and quoted attributes of XML and HTML: & < > and " are escaped,
/// control characters are made visible, and bytes that are not UTF-8 become "?".
std::string escaped(std::string_view text);

}  // namespace gantry
