#include "core/io/files/text_numbers.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <charconv>

namespace gantry {

namespace {

constexpr std::string_view line_blanks = " \t\r\n\v\f", blanks = " \t\r\n,\v\f";
constexpr std::size_t block_bytes = 1 << 16, longest_word = 4096;

[[noreturn]] void refuse_word(std::string_view word, const std::string& where) {
  throw InputError("\"" + std::string(word.substr(0, 20)) + "\" is no number", where,
                   "correct the data or what the header says of them");
}

double number_in(std::string_view word, const std::string& where) {
  const std::optional<double> number = number_of_word(word);
  if (!number) refuse_word(word, where);
  return *number;
}

}  // namespace

std::optional<double> take_number(std::string_view& text) {
  std::string_view rest = text;
  rest.remove_prefix(std::min(rest.find_first_not_of(line_blanks), rest.size()));
  if (rest.starts_with('+') && !rest.starts_with("+-")) rest.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text = rest.substr(static_cast<std::size_t>(end - rest.data()));
  return number;
}

std::optional<double> number_of_word(std::string_view word) {
  if (word.empty() || line_blanks.find(word.front()) != std::string_view::npos) return std::nullopt;
  const std::optional<double> number = take_number(word);
  return word.empty() ? number : std::nullopt;
}

std::size_t read_text_numbers(const ByteSource& source, std::span<float> values,
                              const std::string& where, bool* lacks_end) {
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
      if (end == std::string::npos && text.size() - first > longest_word)
        refuse_word(std::string_view(text).substr(first), where);
      if (end == std::string::npos && has_more) break;
      const std::string_view word = std::string_view(text).substr(first, end - first);
      if (count == values.size())
        throw InputError("holds more than " + std::to_string(count) + " numbers", where,
                         "correct the sizes in the header");
      values[count++] = static_cast<float>(number_in(word, where));
      const bool is_open = end == std::string::npos && count == values.size();
      if (is_open && lacks_end != nullptr) *lacks_end = true;
      if (is_open && lacks_end == nullptr)
        throw InputError("ends within its last number or right behind it", where,
                         "fetch the file again, or add a line end if it is whole");
      at = first + word.size();
    }
    text.erase(0, at);
  }
  return count;
}

}  // namespace gantry
