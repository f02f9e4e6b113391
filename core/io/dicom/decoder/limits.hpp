#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// Returns the processor time in seconds that one answer about a file of that size may take.
double decoding_seconds(std::size_t file_bytes);

/// Limits the processor time that this process may use from now on to decoding_seconds() of the
/// file. Removes the limit where large_files_confirmed().
void limit_time(const std::string& path);

/// Limits the memory that this process may allocate from now on to allowed_memory() of the file.
/// Removes the limit where large_files_confirmed().
void limit_memory(const std::string& path);

}  // namespace gantry
