#include "gpu/base/stream_workers.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr std::size_t lanes_of_a_device = 2;
// Pools take memory in pieces that do not fill the available memory to the last byte.
constexpr double usable = 0.94;

}  // namespace

std::vector<Backend*> StreamWorkers::workers() {
  const std::scoped_lock lock(mutex_);
  const CudaBackend& first = cuda_backend(first_->require());
  if (workers_.empty()) {
    std::vector<std::unique_ptr<CudaBackend>> made;
    for (const int device : chosen_->chosen_first())
      for (std::size_t i = 0; i < lanes_of_a_device; ++i)
        made.push_back(std::make_unique<CudaBackend>(device));
    workers_ = std::move(made);
  }
  for (std::size_t i = 0; i < workers_.size(); i += lanes_of_a_device) share_memory(first, i);
  std::vector<Backend*> pointers;
  // The first worker of every device comes before all second workers, so that a small number of
  // tasks is spread over the devices.
  for (std::size_t n = 0; n < lanes_of_a_device; ++n)
    for (std::size_t i = n; i < workers_.size(); i += lanes_of_a_device)
      pointers.push_back(workers_[i].get());
  return pointers;
}

/// Divides the memory of a device among its workers: the free memory, what the workers hold already
/// and what the first backend holds unused, at most up to the user's limit.
void StreamWorkers::share_memory(const CudaBackend& first, std::size_t begin) const {
  const int device = workers_[begin]->device();
  const bool is_first = device == first.device();
  const std::size_t used = is_first ? first.used_bytes() : 0,
                    held = is_first ? first.held_bytes() : 0, limit = first.limit_bytes();
  std::size_t unused = held - std::min(held, used);
  for (std::size_t i = begin; i < begin + lanes_of_a_device; ++i)
    unused += workers_[i]->held_bytes();
  const std::size_t all = std::min(plannable_bytes(device, unused), limit - std::min(limit, used));
  if (held > used) first.trim();
  for (std::size_t i = begin; i < begin + lanes_of_a_device; ++i)
    workers_[i]->limit_memory(static_cast<std::size_t>(usable * static_cast<double>(all)) /
                              lanes_of_a_device);
}

}  // namespace gantry
