#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace gantry {

/// Returns bytes as base64 with padding (RFC 4648).
std::string base64(std::span<const std::byte> bytes);

}  // namespace gantry
