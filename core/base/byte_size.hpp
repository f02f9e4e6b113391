#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// "4GiB", "1.5 GB", "500000": an amount of memory, in bytes without a unit. Throws UsageError;
/// `where` names the option or variable that it came from.
std::size_t parse_bytes(const std::string& text, const std::string& where);

}  // namespace gantry
