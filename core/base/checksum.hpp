#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gantry {

constexpr std::uint64_t empty_checksum = 0xcbf29ce484222325ULL;
/// Returns the 64-bit FNV-1a checksum of bytes, taken in words of 8 bytes. It detects damage, but
/// not deliberate forgery. `before` is the checksum of the preceding bytes.
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t before = empty_checksum);

}  // namespace gantry
