#pragma once

namespace gantry {

/// Makes idle OpenMP threads wait without using the processor. By default, threads that have
/// finished their part may spin until the others have finished. Where a window draws on the same
/// processor, or another program runs, spinning takes time from the others: SART, with two short
/// parallel regions a view, becomes ten times slower. The OpenMP runtime reads its policy before
/// main(); therefore the program executes itself again with another policy, unless the user has set
/// one. Returns if a policy is set already, or if the execution fails.
void wait_without_spinning(char** argv);

/// Reduces the number of OpenMP threads where the address space is limited (ulimit -v) and too
/// small for the stacks of all threads; the OpenMP runtime would end the program. Tries to start as
/// many threads to find out.
void limit_threads_to_memory();

}  // namespace gantry
