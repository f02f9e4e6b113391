#include "gpu/base/staged_copies.hpp"

#include "core/backend/cpu_backend.hpp"

#include <algorithm>
#include <cstring>

namespace gantry {

namespace {

constexpr std::size_t slot_bytes = std::size_t{8} << 20;
// Copies of at most this size skip the query whether the host memory is page-locked.
constexpr std::size_t small_bytes = std::size_t{64} << 10;
constexpr std::size_t largest_pitch = 0x7fffffff;  // of a 2D copy, bytes
constexpr int copying_threads = 4;                 // one thread is slower than the bus

void copy_on_host(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t block = std::size_t{1} << 20;
  const auto blocks = static_cast<std::ptrdiff_t>((bytes + block - 1) / block);
  [[maybe_unused]] const int threads = std::min(copying_threads, cpu_threads());
#pragma omp parallel for schedule(static) num_threads(threads) if (blocks > 1)
  for (std::ptrdiff_t b = 0; b < blocks; ++b) {
    const std::size_t first = static_cast<std::size_t>(b) * block;
    std::memcpy(to + first, from + first, std::min(block, bytes - first));
  }
}

}  // namespace

StagedCopies::Slot& StagedCopies::slot(std::size_t index) {
  auto& slot = slots_[index % slots_.size()];
  if (!slot) slot.emplace(Slot{PinnedBuffer<std::byte>(slot_bytes), Event()});
  return *slot;
}

bool StagedCopies::is_page_locked(const void* host) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type == cudaMemoryTypeHost;
}

bool StagedCopies::upload_lines(const float* host, std::size_t pitch, float* device,
                                std::size_t count, std::size_t lines) {
  if (pitch * sizeof(float) > largest_pitch || !is_page_locked(host)) return false;
  const std::size_t line = count * sizeof(float);
  check(cudaMemcpy2DAsync(device, line, host, pitch * sizeof(float), line, lines,
                          cudaMemcpyHostToDevice, stream_),
        "upload to the GPU");
  check(cudaStreamSynchronize(stream_), "upload to the GPU");
  return true;
}

bool StagedCopies::download_lines(const float* device, std::size_t count, std::size_t lines,
                                  float* host, std::size_t pitch) {
  if (pitch * sizeof(float) > largest_pitch || !is_page_locked(host)) return false;
  const std::size_t line = count * sizeof(float);
  check(cudaMemcpy2DAsync(host, pitch * sizeof(float), device, line, line, lines,
                          cudaMemcpyDeviceToHost, stream_),
        "download from the GPU");
  check(cudaStreamSynchronize(stream_), "download from the GPU");
  return true;
}

/// Copies without slots if the host memory is page-locked; returns whether it did.
bool StagedCopies::copies_directly(const void* host, void* to, const void* from, std::size_t bytes,
                                   cudaMemcpyKind kind) const {
  if (bytes <= small_bytes || !is_page_locked(host)) return false;
  check(cudaMemcpyAsync(to, from, bytes, kind, stream_), "copy page-locked memory");
  check(cudaStreamSynchronize(stream_), "copy page-locked memory");
  return true;
}

void StagedCopies::upload(const void* host, void* device, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (copies_directly(host, device, host, bytes, cudaMemcpyHostToDevice)) return;
  const auto* from = static_cast<const std::byte*>(host);
  auto* to = static_cast<std::byte*>(device);
  for (std::size_t at = 0; at < bytes; at += slot_bytes) {
    const std::size_t part = std::min(slot_bytes, bytes - at);
    Slot& through = slot(next_++);
    through.done.synchronize();
    copy_on_host(through.memory.data(), from + at, part);
    check(cudaMemcpyAsync(to + at, through.memory.data(), part, cudaMemcpyHostToDevice, stream_),
          "upload to the GPU");
    through.done.record(stream_);
  }
}

void StagedCopies::download(const void* device, void* host, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (copies_directly(host, host, device, bytes, cudaMemcpyDeviceToHost)) return;
  const auto* from = static_cast<const std::byte*>(device);
  auto* to = static_cast<std::byte*>(host);
  // An upload may still read this slot; the order of the stream keeps the two copies apart.
  for (std::size_t queued = 0, taken = 0; taken < bytes;) {
    while (queued < bytes && queued - taken < slots_.size() * slot_bytes) {
      const std::size_t part = std::min(slot_bytes, bytes - queued);
      Slot& through = slot(queued / slot_bytes);
      check(cudaMemcpyAsync(through.memory.data(), from + queued, part, cudaMemcpyDeviceToHost,
                            stream_),
            "download from the GPU");
      through.done.record(stream_);
      queued += part;
    }
    const std::size_t part = std::min(slot_bytes, bytes - taken);
    Slot& through = slot(taken / slot_bytes);
    through.done.synchronize();
    copy_on_host(to + taken, through.memory.data(), part);
    taken += part;
  }
}

}  // namespace gantry
