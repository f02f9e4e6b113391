#include "studies/report/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace gantry {

namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
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

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t first = 0; first < text.size(); first += 4) {
    const bool is_last = first + 4 == text.size();
    std::size_t count = 4;  // of digits, of which the last may be padding
    while (is_last && count > 2 && text[first + count - 1] == '=') --count;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t digit = i < count ? digits.find(text[first + i]) : 0;
      if (digit == std::string_view::npos) return {};
      bits = bits << 6U | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t i = 0; i + 1 < count; ++i)
      bytes.push_back(static_cast<std::byte>(bits >> (16 - 8 * i) & 255U));
  }
  return bytes;
}

}  // namespace gantry
