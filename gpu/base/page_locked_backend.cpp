#include "gpu/base/page_locked_backend.hpp"

#include "core/base/large_pages.hpp"
#include "gpu/base/check.hpp"
#include "gpu/base/device_scope.hpp"

#include <cstddef>

namespace gantry {

namespace {

// The system places arrays of at least this size on pages of their own, so that two arrays never
// have a page in common.
constexpr std::size_t large_bytes = std::size_t{64} << 20U;
constexpr std::size_t page_bytes = 4096;

/// Touches all pages in parallel before they are locked, in large pages where the system offers
/// them: locking is then quick, and each page lies near the processor that touched the page first.
void touch(float* memory, std::size_t bytes) {
  ask_for_large_pages(memory, bytes);
  auto* const first = reinterpret_cast<std::byte*>(memory);
  const auto pages = static_cast<std::ptrdiff_t>((bytes + page_bytes - 1) / page_bytes);
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t page = 0; page < pages; ++page)
    first[static_cast<std::size_t>(page) * page_bytes] = std::byte{0};
}

}  // namespace

bool PageLockedBackend::lost() const { return device_lost(device_); }

float* PageLockedBackend::allocate(std::size_t count) {
  float* memory = CpuBackend::allocate(count);
  const std::size_t bytes = count * sizeof(float);
  if (bytes < large_bytes) return memory;
  touch(memory, bytes);
  try {
    const DeviceScope scope(device_);
    // The device is lost; the memory belongs to the host and is released below.
    if (cudaHostRegister(memory, bytes, cudaHostRegisterPortable) != cudaSuccess)
      cudaGetLastError();
  } catch (...) {
    CpuBackend::release(memory);
    throw;
  }
  return memory;
}

void PageLockedBackend::release(float* memory) noexcept {
  try {
    cudaPointerAttributes attributes{};
    if (memory != nullptr && !lost()) {
      const DeviceScope scope(device_);
      if (cudaPointerGetAttributes(&attributes, memory) == cudaSuccess &&
          attributes.type == cudaMemoryTypeHost)
        cudaHostUnregister(memory);
      cudaGetLastError();
    }
  } catch (...) {
    // The device is lost; the memory belongs to the host and is released below.
  }
  CpuBackend::release(memory);
}

}  // namespace gantry
