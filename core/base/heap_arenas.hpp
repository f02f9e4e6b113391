#pragma once

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace gantry {

/// Lets all threads take their memory from two arenas of the C library, which by default makes
/// eight for each core. Threads that live for a single run leave small blocks in each of them,
/// between which the memory of larger blocks cannot be given back: after hours the window held
/// several times what it used. To be called before the first thread starts.
inline void limit_heap_arenas() {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 2);
#endif
}

}  // namespace gantry
