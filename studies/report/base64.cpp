#include "studies/report/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace gantry {

std::string base64(std::span<const std::byte> bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t first = 0; first < bytes.size(); first += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - first);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8U | (i < count ? std::to_integer<std::uint32_t>(bytes[first + i]) : 0U);
    for (std::size_t digit = 0; digit < 4; ++digit)
      text += digit <= count ? digits[bits >> (18 - 6 * digit) & 63U] : '=';
  }
  return text;
}

}  // namespace gantry
