#include "core/io/files/text_numbers.hpp"

#include "core/base/error.hpp"

#include <charconv>
#include <string_view>

namespace gantry {

namespace {

constexpr std::string_view blanks = " \t\r\n,\v\f";
constexpr std::size_t block_bytes = 1 << 16, longest_word = 64;

double number_in(std::string_view word, const std::string& where) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double number = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc{} && rest == word.data() + word.size()) return number;
  throw InputError("\"" + std::string(word.substr(0, 20)) + "\" is no number", where,
                   "correct the data or what the header says of them");
}

}  // namespace

std::size_t read_text_numbers(const ByteSource& source, std::span<float> values,
                              const std::string& where) {
  std::size_t count = 0;
  std::string text;  // what is not read yet
  for (bool has_more = true; has_more;) {
    const std::size_t before = text.size();
    text.resize(before + block_bytes);
    const std::size_t got = source(std::as_writable_bytes(std::span(text)).subspan(before));
    text.resize(before + got);
    has_more = got == block_bytes;
    std::size_t at = 0;
    while (true) {
      const std::size_t first = text.find_first_not_of(blanks, at);
      if (first == std::string::npos) {
        at = text.size();
        break;
      }
      const std::size_t end = text.find_first_of(blanks, first);
      at = first;
      if (end == std::string::npos && has_more && text.size() - first < longest_word) break;
      const std::string_view word = std::string_view(text).substr(first, end - first);
      if (count == values.size())
        throw InputError("holds more than " + std::to_string(count) + " numbers", where,
                         "correct the sizes in the header");
      values[count++] = static_cast<float>(number_in(word, where));
      at = first + word.size();
    }
    text.erase(0, at);
  }
  return count;
}

}  // namespace gantry
