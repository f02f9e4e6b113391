#include "core/base/checksum.hpp"

#include <algorithm>
#include <cstring>

namespace gantry {

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t before) {
  constexpr std::uint64_t prime = 0x100000001b3ULL;
  std::uint64_t sum = before;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min<std::size_t>(8, bytes.size()))) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), std::min<std::size_t>(8, bytes.size()));
    sum = (sum ^ word) * prime;
    sum ^= sum >> 32;  // else the upper half of a word would not affect the lower bits
  }
  return sum;
}

}  // namespace gantry
