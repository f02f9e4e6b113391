#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// The processor time that one answer about a file of that size may take, in seconds.
double decoding_seconds(std::size_t file_bytes);

/// Bounds the processor time of this process from now on by decoding_seconds(), and its memory by
/// allowed_memory() of the file. Without a limit where large_files_confirmed().
void limit_time(const std::string& path);
void limit_memory(const std::string& path);

}  // namespace gantry
