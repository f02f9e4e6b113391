#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gantry {

/// Returns four random words by Philox4x32 with 10 rounds: Salmon, Moraes, Dror and Shaw, "Parallel
/// random numbers: as easy as 1, 2, 3", SC'11. For each key the function is a bijection of the
/// counter. Distinct counters give independent random words, so that any thread can compute the
/// numbers of any element.
constexpr std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter,
                                                     std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(first)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

/// The random numbers of one element. A number depends only on the seed, the element and how many
/// numbers were taken before.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t element)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        counter_{static_cast<std::uint32_t>(element), static_cast<std::uint32_t>(element >> 32), 0,
                 0} {}

  /// Returns a number uniform in the open interval (0, 1), one of 2^52 equally spaced values.
  double uniform() {
    if (taken_ == 4) {
      words_ = philox4x32_10(counter_, key_);
      ++counter_[2];
      taken_ = 0;
    }
    const std::uint64_t high = words_[taken_] >> 6, low = words_[taken_ + 1] >> 6;
    taken_ += 2;
    return (static_cast<double>(high << 26 | low) + 0.5) * 0x1p-52;
  }

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_, words_{};
  std::size_t taken_ = 4;
};

}  // namespace gantry
