#include "core/io/files/read_text.hpp"

#include "core/base/error.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

namespace gantry {

namespace {

/// Appends a character as UTF-8.
void append_utf8(std::uint32_t c, std::string& text) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6);
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

/// Returns a text of UTF-16, whose byte order mark says which byte comes first, as UTF-8. Halves of
/// pairs that stand alone become a question mark.
std::string from_utf16(std::string_view bytes) {
  const std::size_t high = bytes.starts_with("\xFE\xFF") ? 0 : 1;
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    return static_cast<unsigned char>(bytes[at + high]) << 8 |
           static_cast<unsigned char>(bytes[at + 1 - high]);
  };
  std::string text;
  for (std::size_t at = 2; at + 1 < bytes.size(); at += 2) {
    std::uint32_t c = unit(at);
    const bool begins_pair = c >= 0xD800 && c < 0xDC00 && at + 3 < bytes.size() &&
                             unit(at + 2) >= 0xDC00 && unit(at + 2) < 0xE000;
    if (begins_pair) {
      c = 0x10000 + ((c - 0xD800) << 10) + (unit(at + 2) - 0xDC00);
      at += 2;
    }
    append_utf8(c >= 0xD800 && c < 0xE000 ? '?' : c, text);
  }
  return text;
}

}  // namespace

std::ifstream open_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError("is a folder, not a file", path, "name the file in it");
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    throw InputError("is not a regular file", path, "choose a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file && errno == ENOMEM) throw std::bad_alloc();
  if (!file)
    throw InputError("cannot be opened (" + std::generic_category().message(errno) + ")", path,
                     "check the path and the right to read it");
  return file;
}

std::string without_byte_order_mark(std::string text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) text = from_utf16(text);
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

bool is_utf8(const std::string& text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

std::string utf8_of(std::string text) {
  if (is_utf8(text)) return text;
  std::string converted;
  for (const char c : text) append_utf8(static_cast<unsigned char>(c), converted);
  return converted;
}

std::string read_text_file(const std::string& path, std::size_t largest_bytes) {
  std::ifstream file = open_file(path);
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  if (size < 0 || static_cast<std::size_t>(size) > largest_bytes)
    throw InputError("is too large for a file of its kind", path,
                     "check that it is the right file");
  std::string text(static_cast<std::size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(text.data(), size)) throw InputError("cannot be read", path, "check the disk");
  return without_byte_order_mark(std::move(text));
}

bool begins_json_object(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && text[first] == '{';
}

}  // namespace gantry
