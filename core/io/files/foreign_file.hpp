#pragma once

#include <string>

namespace gantry {

/// Throws InputError about a file that is not of the kind its reader knows, adding what it is
/// instead where that is plain: empty, or packed.
[[noreturn]] void refuse_foreign_file(const std::string& path, const std::string& what,
                                      const std::string& remedy);

}  // namespace gantry
