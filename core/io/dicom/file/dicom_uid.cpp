#include "core/io/dicom/file/dicom_uid.hpp"

#include "core/base/sha256.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

namespace gantry {

namespace {

/// Returns the decimal digits of a 128-bit number, most significant word first, by long division.
std::string decimal(std::array<std::uint32_t, 4> words) {
  std::string digits;
  while (std::any_of(words.begin(), words.end(), [](std::uint32_t w) { return w != 0; })) {
    std::uint64_t rest = 0;
    for (std::uint32_t& word : words) {
      const std::uint64_t value = rest << 32 | word;
      word = static_cast<std::uint32_t>(value / 10);
      rest = value % 10;
    }
    digits.push_back(static_cast<char>('0' + rest));
  }
  std::reverse(digits.begin(), digits.end());
  return digits.empty() ? "0" : digits;
}

/// Returns the identifier of a UUID of this version, most significant word first.
std::string uid_of(std::array<std::uint32_t, 4> words, std::uint32_t version) {
  words[1] = (words[1] & 0xffff0fffU) | version << 12;
  words[2] = (words[2] & 0x3fffffffU) | 0x80000000U;  // variant 1
  return "2.25." + decimal(words);
}

}  // namespace

std::string new_dicom_uid() {
  std::random_device random;
  std::array<std::uint32_t, 4> words{};
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  return uid_of(words, 4);
}

std::string replaced_dicom_uid(std::string_view uid, std::string_view secret) {
  // The length keeps "a" + "bc" apart from "ab" + "c".
  const std::string text =
      std::to_string(secret.size()) + ':' + std::string(secret) + std::string(uid);
  const std::array<std::uint32_t, 8> digest = sha256(text);
  return uid_of({digest[0], digest[1], digest[2], digest[3]}, 8);
}

bool is_dicom_uid(const std::string& text) {
  if (text.empty() || text.size() > 64) return false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const bool digits = std::all_of(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                    text.begin() + static_cast<std::ptrdiff_t>(end),
                                    [](char c) { return c >= '0' && c <= '9'; });
    if (end == begin || !digits || (end - begin > 1 && text[begin] == '0')) return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace gantry
