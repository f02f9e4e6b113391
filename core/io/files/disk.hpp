#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Throws OutputError about `where`: "ACTION (reason)", with a remedy for this errno.
[[noreturn]] void fail_output(const std::string& action, const std::filesystem::path& where,
                              int error_number);

/// Writes all bytes to a descriptor. Returns 0 or an errno.
int write_all(int descriptor, std::span<const std::byte> bytes);

/// Flushes a file to the disk. Returns 0 or an errno; 0 also on file systems that cannot flush.
int sync_file(int descriptor);

/// Flushes the entries of a folder to the disk. Errors are ignored: on file systems that cannot
/// flush folders the entries are in place as well.
void sync_folder(const std::filesystem::path& folder);

/// Returns the number of bytes in a file; 0 if the file system does not tell.
std::size_t size_of_file(const std::filesystem::path& file);

/// Returns whether a path lies in a file system that the kernel makes up, as /proc and /sys, whose
/// files have no size, and may wait for ever or change while they are read.
bool is_of_kernel(const std::filesystem::path& path);

/// Removes a file, or a folder with everything in it; entries that cannot be removed stay.
/// (std::filesystem::remove_all and libstdc++'s directory_iterator allocate in noexcept functions,
/// and so end the program when memory is short.)
void remove_tree(const std::filesystem::path& path) noexcept;

/// Returns the names in a folder, without "." and "..", in no particular order. Throws
/// std::filesystem::filesystem_error if the folder cannot be read.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace gantry
