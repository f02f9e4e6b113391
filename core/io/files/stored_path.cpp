#include "core/io/files/stored_path.hpp"

#include <filesystem>

namespace gantry {

namespace fs = std::filesystem;

std::string stored_path(const std::string& path, const std::string& folder) {
  if (path.empty()) return path;
  const auto normal = [](const std::string& p) { return fs::absolute(p).lexically_normal(); };
  const fs::path full = normal(path), relative = full.lexically_relative(normal(folder));
  const bool below = !relative.empty() && *relative.begin() != "..";
  return below ? relative.string() : full.string();
}

std::string absolute_path(const std::string& stored, const std::string& folder) {
  const fs::path given(stored);
  if (given.is_absolute() || stored.empty()) return stored;
  const fs::path found = (fs::path(folder) / given).lexically_normal();
  return (found.has_filename() ? found : found.parent_path()).string();  // removes a trailing slash
}

}  // namespace gantry
