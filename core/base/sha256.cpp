#include "core/base/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace gantry {

namespace {

using Words = std::array<std::uint32_t, 8>;
constexpr std::size_t block_bytes = 64, length_bytes = 8;
using Block = std::array<unsigned char, block_bytes>;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// Returns the message schedule of a block, W in the standard.
std::array<std::uint32_t, 64> schedule_of(const Block& block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t)
    for (std::size_t byte = 0; byte < 4; ++byte) w[t] = w[t] << 8 | block[4 * t + byte];
  for (std::size_t t = 16; t < w.size(); ++t) {
    const std::uint32_t a = w[t - 15], b = w[t - 2];
    const std::uint32_t small_0 = std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3,
                        small_1 = std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10;
    w[t] = small_1 + w[t - 7] + small_0 + w[t - 16];
  }
  return w;
}

/// Adds a block to the digest of those before it.
void add_block(const Block& block, Words& digest) {
  const std::array<std::uint32_t, 64> w = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = digest;
  for (std::size_t t = 0; t < w.size(); ++t) {
    const std::uint32_t large_1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25),
                        choice = (e & f) ^ (~e & g),
                        large_0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22),
                        majority = (a & b) ^ (a & c) ^ (b & c);
    const std::uint32_t first = h + large_1 + choice + round_constants[t] + w[t],
                        second = large_0 + majority;
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const Words added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < added.size(); ++i) digest[i] += added[i];
}

}  // namespace

Words sha256(std::string_view bytes) {
  // The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  Words digest = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  Block block{};
  std::string_view rest = bytes;
  for (; rest.size() >= block_bytes; rest.remove_prefix(block_bytes)) {
    std::ranges::copy(rest.substr(0, block_bytes), block.begin());
    add_block(block, digest);
  }
  // The rest, a bit 1, zeros, and the length in bits at the end of a block.
  block = {};
  std::ranges::copy(rest, block.begin());
  block[rest.size()] = 0x80;
  if (rest.size() >= block_bytes - length_bytes) {
    add_block(block, digest);
    block = {};
  }
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(bytes.size());
  for (std::size_t i = 0; i < length_bytes; ++i)
    block[block_bytes - 1 - i] = static_cast<unsigned char>(bits >> 8 * i);
  add_block(block, digest);
  return digest;
}

}  // namespace gantry
