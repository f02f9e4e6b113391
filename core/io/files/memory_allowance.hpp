#pragma once

#include "core/base/error.hpp"

#include <cstddef>
#include <string>

namespace gantry {

/// The environment variable GANTRY_ALLOW_LARGE is set, to anything but 0: the user vouches for
/// files that claim or contain far more than their size suggests.
bool large_files_confirmed();
/// Sets it so for this process.
void confirm_large_files(bool confirmed);

/// The memory that reading a compressed file of `file_bytes` may take, so that a file of a few
/// kilobytes cannot ask for all there is: 20 times the file and 256 MB; without a limit where
/// large_files_confirmed().
std::size_t allowed_memory(std::size_t file_bytes);

/// Throws InputError when `needed` bytes exceed allowed_memory(file_bytes). `claim` says what the
/// file holds by its own account, as in "claims 400 pixels in 3 kB"; `where` may be empty.
void require_allowed_memory(const std::string& claim, std::size_t needed, std::size_t file_bytes,
                            const std::string& where);

/// What is said of a file on which memory ran out, be it what is allowed or all there is.
InputError memory_exceeded(const std::string& where);

}  // namespace gantry
