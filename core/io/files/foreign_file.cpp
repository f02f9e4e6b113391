#include "core/io/files/foreign_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/read_text.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

const std::string fetch_again = "fetch it again from where it came";

}  // namespace

void refuse_empty_file(const std::string& path) {
  std::error_code error;  // what cannot be reached is told of by who opens it
  if (fs::is_regular_file(path, error) && fs::file_size(path, error) == 0 && !error)
    throw InputError("the file is empty", path, fetch_again);
}

void refuse_foreign_file(const std::string& path, const std::string& what,
                         const std::string& remedy) {
  std::string start(4, '\0');
  std::ifstream file = open_file(path);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (file.gcount() == 0) throw InputError(what + ": it is empty", path, fetch_again);
  for (const auto& [mark, kind] : {std::pair<std::string_view, std::string>{"\x1f\x8b", "gzip"},
                                   {"PK\x03\x04", "zip"},
                                   {"BZh", "bzip2"},
                                   {"\xFD"
                                    "7zX",
                                    "xz"}})
    if (start.starts_with(mark))
      throw InputError(std::string(what).append(": it is packed (").append(kind).append(")"), path,
                       "unpack it first");
  throw InputError(what, path, remedy);
}

}  // namespace gantry
