#include "core/io/files/foreign_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/read_text.hpp"

#include <string_view>
#include <utility>

namespace gantry {

void refuse_foreign_file(const std::string& path, const std::string& what,
                         const std::string& remedy) {
  std::string start(4, '\0');
  std::ifstream file = open_file(path);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (file.gcount() == 0)
    throw InputError(what + ": it is empty", path, "fetch it again from where it came");
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
