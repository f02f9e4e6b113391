#pragma once

#include <cstddef>

namespace gantry {

/// Asks the system to back memory that is not used yet by large pages. For arrays that are read
/// from place to place, where small pages would have to be looked up each time.
void ask_for_large_pages(void* memory, std::size_t bytes);

/// Has the system make the pages of memory that will be written from its beginning to its end, by
/// all threads at once: a single thread that writes first waits for each page. Takes the memory.
void make_pages(void* memory, std::size_t bytes);

}  // namespace gantry
