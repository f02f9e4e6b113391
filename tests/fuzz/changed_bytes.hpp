#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

namespace gantry::test {

/// Returns the same changes of the same bytes, drawn from `random`: one to four of those that
/// damage and malice make, as in bits that are turned over, numbers that become extreme, and
/// pieces that are cut out, doubled or cut off.
inline std::vector<std::uint8_t> changed_bytes(std::vector<std::uint8_t> bytes,
                                               std::mt19937& random) {
  // A remainder instead of std::uniform_int_distribution, which each library draws in its own way.
  const auto below = [&](std::size_t count) { return count == 0 ? 0 : random() % count; };
  static constexpr std::array<std::uint32_t, 8> extremes = {
      0, 1, 0x7F, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FC00000};
  static constexpr std::array<std::string_view, 10> words = {
      "0", "-1", "1e308", "nan", "99999999999999999999", "\n", " ", "{", "\"", "%s%d"};
  const auto at = [&](std::size_t place) {
    return bytes.begin() + static_cast<std::ptrdiff_t>(place);
  };
  for (std::size_t left = 1 + below(4); left > 0 && !bytes.empty(); --left) {
    const std::size_t place = below(bytes.size()), rest = bytes.size() - place,
                      length = 1 + below(std::min<std::size_t>(rest, 32));
    switch (below(7)) {
      case 0:
        bytes[place] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 1:
        bytes[place] = static_cast<std::uint8_t>(below(256));
        break;
      case 2: {
        const std::uint32_t number = extremes[below(extremes.size())];
        std::memcpy(&bytes[place], &number, std::min<std::size_t>(rest, 1U << below(3)));
        break;
      }
      case 3:
        bytes.erase(at(place), at(place + length));
        break;
      case 4: {
        const std::vector<std::uint8_t> piece(at(place), at(place + length));
        bytes.insert(at(below(bytes.size())), piece.begin(), piece.end());
        break;
      }
      case 5: {
        const std::string_view word = words[below(words.size())];
        bytes.insert(at(place), word.begin(), word.end());
        break;
      }
      default:
        bytes.resize(place);
    }
  }
  return bytes;
}

}  // namespace gantry::test
