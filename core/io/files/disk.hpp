#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Throws OutputError: "ACTION (why)" about `where`, with what helps against this errno.
[[noreturn]] void fail_output(const std::string& action, const std::filesystem::path& where,
                              int error_number);

/// write() until everything has reached the file; 0 or an errno.
int write_all(int descriptor, std::span<const std::byte> bytes);

/// Brings a file to the disk; 0 or an errno.
int sync_file(int descriptor);

/// Brings the names in a folder to the disk. Some file systems cannot; the names are then in place
/// all the same.
void sync_folder(const std::filesystem::path& folder);

/// Removes a file, or a folder with all that is in it; what cannot be removed stays. (As
/// libstdc++'s directory_iterator, std::filesystem::remove_all allocates in functions that are
/// noexcept, and thus ends the program where memory is short.)
void remove_tree(const std::filesystem::path& path) noexcept;

/// The names in a folder, without "." and "..", in no order. Throws
/// std::filesystem::filesystem_error where the folder cannot be read.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace gantry
