#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// Returns the processor time in seconds that one answer about so many bytes of a file may take.
double decoding_seconds(std::size_t bytes);

/// Limits the processor time that this process may use from now on. Removes the limit where
/// large_files_confirmed().
void limit_time(double seconds);

/// Limits the memory that this process may allocate from now on to allowed_memory() of the file.
/// Removes the limit where large_files_confirmed().
void limit_memory(const std::string& path);

}  // namespace gantry
