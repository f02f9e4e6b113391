#include "gpu/base/allocation.hpp"

#include <atomic>

namespace gantry {

namespace {

std::atomic<AllocationFilter> filter = nullptr;

}  // namespace

void set_allocation_filter(AllocationFilter refuses) { filter = refuses; }

bool allocation_refused() {
  const AllocationFilter refuses = filter;
  return refuses != nullptr && refuses();
}

}  // namespace gantry
