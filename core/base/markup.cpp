#include "core/base/markup.hpp"

#include "core/base/printable.hpp"

#include <algorithm>

namespace gantry {

namespace {

/// Returns the length of the UTF-8 character at the beginning of `text`; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (length == 0 || first > 0xF4 || text.size() < length) return 0;
  const bool continued = std::ranges::all_of(text.substr(1, length - 1), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
  });
  if (!continued) return 0;
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  const auto second = static_cast<unsigned char>(text[1]);
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return wrong ? 0 : length;
}

}  // namespace

std::string escaped(std::string_view text) {
  const std::string visible = printable(text);
  std::string_view rest = visible;
  std::string out;
  while (!rest.empty()) {
    const std::size_t length = character_length(rest);
    const std::string_view character = rest.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0)
      out += '?';
    else if (character == "&")
      out += "&amp;";
    else if (character == "<")
      out += "&lt;";
    else if (character == ">")
      out += "&gt;";
    else if (character == "\"")
      out += "&quot;";
    else
      out += character;
    rest.remove_prefix(character.size());
  }
  return out;
}

}  // namespace gantry
