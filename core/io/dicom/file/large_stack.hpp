#pragma once

#include <cstddef>
#include <functional>

namespace gantry {

/// Runs `work` on a new thread with a stack of `bytes` bytes and waits until `work` returns. Meant
/// for libraries that recurse as deep as a file is nested. An exception of `work` is rethrown on
/// the calling thread. Throws std::bad_alloc when the new thread cannot be started.
void on_large_stack(std::size_t bytes, const std::function<void()>& work);

}  // namespace gantry
