#include "app/resources.hpp"

#include <cstdlib>

namespace gantry {

std::filesystem::path resource_folder() {
  if (const char* folder = std::getenv("GANTRY_RESOURCES"); folder != nullptr && *folder != '\0')
    return folder;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path installed = program.parent_path().parent_path() / "share" / "gantry";
  if (!error && std::filesystem::is_directory(installed, error)) return installed;
  return GANTRY_SOURCE_RESOURCES;
}

}  // namespace gantry
