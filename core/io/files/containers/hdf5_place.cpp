#include "core/io/files/containers/hdf5_place.hpp"

#include <filesystem>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

Hdf5Place hdf5_place(const std::string& text) {
  std::error_code error;
  if (fs::exists(text, error)) return {text, {}};
  for (std::size_t at = text.find(":/"); at != std::string::npos; at = text.find(":/", at + 1)) {
    const bool is_double = at > 0 && text[at - 1] == ':';
    const std::string file = text.substr(0, is_double ? at - 1 : at);
    if (fs::is_regular_file(file, error)) return {file, text.substr(at + 1)};
  }
  return {text, {}};
}

}  // namespace gantry
