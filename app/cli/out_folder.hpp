#pragma once

#include <string>
#include <vector>

namespace gantry::cli {

/// Throws OutputError unless files of these names can be written into the folder, which may not
/// exist yet. Meant to be called before a long computation.
void require_writable_folder(const std::string& folder, const std::vector<std::string>& names);
/// Makes the folder and its missing parents. Throws OutputError.
void make_folder(const std::string& folder);

}  // namespace gantry::cli
