#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gantry {

/// Returns the SHA-256 digest of the bytes (FIPS 180-4), most significant word first. Takes no
/// memory from the heap: libraries that offer the function end the program where there is none.
std::array<std::uint32_t, 8> sha256(std::string_view bytes);

}  // namespace gantry
