#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// Returns the number of bytes that `text` states, with a unit ("4GiB", "1.5 GB") or without
/// ("500000"). Throws UsageError for any other text and for amounts below 1 byte or from 2^60 bytes
/// on; `where` names the option or variable in the message.
std::size_t parse_bytes(const std::string& text, const std::string& where);

}  // namespace gantry
