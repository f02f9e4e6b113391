#pragma once

namespace gantry {

/// OpenMP threads that have finished their part may spin until the others are done. Where a window
/// draws with the same processor, or another program runs, spinning takes the time that the others
/// need: SART, with two short parallel regions a view, then becomes ten times slower. The runtime
/// reads its policy before main(), so the program starts itself once more with a waiting policy of
/// its own, unless the user has set one. Returns when that is already so.
void wait_without_spinning(char** argv);

/// Where the address space is limited (ulimit -v) there may be no room for the stacks of OpenMP's
/// threads, and its runtime then ends the program. Tries to make as many threads, and has OpenMP
/// take fewer where that fails.
void make_do_with_fewer_threads();

}  // namespace gantry
