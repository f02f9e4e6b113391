#pragma once

#include "core/base/error.hpp"

#include <cstddef>
#include <string>

namespace gantry {

/// Returns what confirm_large_files() has set, or else whether the environment variable
/// GANTRY_ALLOW_LARGE is set, and not to 0. The user then vouches for files that claim or contain
/// far more than their size suggests.
bool large_files_confirmed();
/// Confirms them for this process, or not, whatever the variable says.
void confirm_large_files(bool confirmed);

/// Sets how errors say that a user confirms large files, "set GANTRY_ALLOW_LARGE=1" unless set: a
/// program may have a menu for that. Must be called before files are read.
void set_way_to_confirm_large_files(const std::string& way);
/// Returns what a user can do about a file that takes too much memory or time, for InputError.
std::string large_file_remedy();
/// Returns the text of an error of another process, with the way of this one.
std::string with_own_way_to_confirm(std::string text);

/// Returns the memory that reading a file of `file_bytes` may take: 20 times the file and 256 MB,
/// so that a file of a few kilobytes cannot claim all memory; without a limit if
/// large_files_confirmed().
std::size_t allowed_memory(std::size_t file_bytes);

/// Sets the part of allowed_memory() that does not depend on the file: 256 MB unless set. A fuzzer
/// grants less, because a sanitizer marks each byte that is asked for.
void set_memory_for_any_file(std::size_t bytes);

/// Throws InputError if `needed` bytes exceed allowed_memory(file_bytes). `claim` begins the
/// message with what the file claims to hold, as in "claims 400 pixels in 3 kB"; `where` may be
/// empty.
void require_allowed_memory(const std::string& claim, std::size_t needed, std::size_t file_bytes,
                            const std::string& where);

/// Returns the error for a file on which the allowed memory, or all memory, was used up.
InputError memory_exceeded(const std::string& where);

}  // namespace gantry
