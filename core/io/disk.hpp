#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

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

}  // namespace gantry
