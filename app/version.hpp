#pragma once

#include <string>

namespace gantry {

/// "Gantry 0.1.0 (commit 1a2b3c4)"
std::string version_text();
/// "0.1.0"
std::string version_number();
/// Of the sources that the program was built from; "unknown" outside a repository.
std::string commit_id();

}  // namespace gantry
