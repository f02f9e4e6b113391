#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// Returns bytes as base64 with padding (RFC 4648).
std::string base64(std::span<const std::byte> bytes);

/// Returns the bytes of base64 with padding; nothing if the text is not such.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

}  // namespace gantry
