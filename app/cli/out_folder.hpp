#pragma once

#include <string>
#include <vector>

namespace gantry::cli {

/// Throws OutputError unless files of these names can be written into the folder, which need not
/// exist yet: said before hours of work, not after them.
void require_writable_folder(const std::string& folder, const std::vector<std::string>& names);
/// Makes the folder and those above it. Throws OutputError.
void make_folder(const std::string& folder);

}  // namespace gantry::cli
