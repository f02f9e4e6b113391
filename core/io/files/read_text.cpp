#include "core/io/files/read_text.hpp"

#include "core/base/error.hpp"

#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>

namespace gantry {

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
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

bool begins_json_object(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && text[first] == '{';
}

}  // namespace gantry
