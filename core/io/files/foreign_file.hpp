#pragma once

#include <string>

namespace gantry {

/// Throws InputError about a file that is not of the kind that its reader expects. The message is
/// `what` and `remedy`; for an empty or packed file (gzip, zip, bzip2, xz) it is `what` and that
/// the file is empty or packed; for a file that cannot be opened, that and why.
[[noreturn]] void refuse_foreign_file(const std::string& path, const std::string& what,
                                      const std::string& remedy);

/// Throws InputError if a file can be read and has no bytes, as after a copy that was cut short. A
/// reader calls this first where its own message would speak of the inside of a file.
void refuse_empty_file(const std::string& path);

}  // namespace gantry
