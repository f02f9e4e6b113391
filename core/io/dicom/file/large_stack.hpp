#pragma once

#include <cstddef>
#include <functional>

namespace gantry {

/// Runs `work` on a thread of its own with a stack of that many bytes and waits for it: for
/// libraries that recurse as deep as a file is nested. What `work` throws arrives here. Throws
/// std::system_error when the thread cannot be started.
void on_large_stack(std::size_t bytes, const std::function<void()>& work);

}  // namespace gantry
