#pragma once

#include <string>

namespace gantry {

/// Returns the program's name, version and commit: "Gantry 0.1.0 (commit 1a2b3c4)".
std::string version_text();
/// Returns the version: "0.1.0".
std::string version_number();
/// Returns the commit of the sources that the program was built from; "unknown" if they were not in
/// a repository.
std::string commit_id();

}  // namespace gantry
