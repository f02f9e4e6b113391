#pragma once

#include <cstddef>
#include <string>

namespace gantry {

/// Returns the bytes of host memory that this process may still take: the least of the memory that
/// the system has available, the remainder under the limits of the process on address space and
/// data (RLIMIT_AS, RLIMIT_DATA), and the remainder under each control group (version 1 or 2)
/// around the process. Cached files that can be read again count as free. `root` is put before
/// /proc and /sys.
std::size_t free_host_bytes(const std::string& root = {});

}  // namespace gantry
