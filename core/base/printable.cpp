#include "core/base/printable.hpp"

#include <array>
#include <cstdio>

namespace gantry {

std::string printable(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    auto byte = static_cast<unsigned char>(c);
    // U+0080 to U+009F, which terminals interpret as ESC and a letter, are two bytes in UTF-8.
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    const bool is_second_set = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    if (is_second_set) {
      byte = next;
      ++i;
    }
    if (c == '\n' || c == '\r' || c == '\t') {
      line += ' ';
    } else if (is_second_set || byte < 32 || byte == 127) {
      std::array<char, 5> code{};
      std::snprintf(code.data(), code.size(), "\\x%02x", static_cast<unsigned>(byte));
      line += code.data();
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace gantry
