#pragma once

#include <cstddef>

namespace gantry {

/// Asks the system to back memory that is not used yet by large pages. For arrays that are read
/// from place to place, where small pages would have to be looked up each time.
void ask_for_large_pages(void* memory, std::size_t bytes);

}  // namespace gantry
