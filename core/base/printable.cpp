#include "core/base/printable.hpp"

#include <array>
#include <cstdio>

namespace gantry {

std::string printable(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\r' || c == '\t') {
      line += ' ';
    } else if (byte < 32 || byte == 127) {
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
