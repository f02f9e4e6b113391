#include "app/cli/out_folder.hpp"

#include "core/base/error.hpp"
#include "core/io/files/atomic_file.hpp"

#include <filesystem>

namespace gantry::cli {

void require_writable_folder(const std::string& folder, const std::vector<std::string>& names) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path there = fs::absolute(folder);
  while (!fs::exists(there, error) && there.has_relative_path())
    there = there.parent_path();  // the missing folders would be made
  if (!fs::is_directory(there, error))
    throw OutputError("is not a folder", there.string(), "choose another");
  const AtomicFile probe(there / names.back());
  for (const std::string& name : names) {
    const bool made = fs::exists(folder, error);
    require_file_name((made ? fs::path(folder) : there) / name);
  }
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw OutputError("the folder cannot be made (" + error.message() + ")", folder,
                      "choose another");
}

}  // namespace gantry::cli
