#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// Bytes that this process may still take of the host's memory: the least of what the system has
/// available, what the process's limits on address space and data leave (RLIMIT_AS, RLIMIT_DATA),
/// and what each control group that it lies in leaves, of version 1 or 2. Files that are kept in
/// memory and can be read again count as free. `root` stands before /proc and /sys.
std::size_t free_host_bytes(const std::string& root = {});

}  // namespace gantry
