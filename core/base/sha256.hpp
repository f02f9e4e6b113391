#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gantry {

/// Returns the SHA-256 digest of bytes (FIPS 180-4, 6.2).
std::array<std::uint8_t, 32> sha256(std::span<const std::byte> bytes);

}  // namespace gantry
