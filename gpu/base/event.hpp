#pragma once

#include "gpu/base/check.hpp"

#include <utility>

namespace gantry {

/// A mark in a stream, to wait for (a CUDA event without a time). Move-only. The device must be
/// current.
class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "make an event"); }
  ~Event() {
    if (event_ != nullptr && cudaEventDestroy(event_) != cudaSuccess) cudaGetLastError();
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "mark a stream"); }
  /// Makes the host wait for the mark; returns at once when no mark was recorded.
  void synchronize() const { check(cudaEventSynchronize(event_), "wait for the GPU"); }
  /// Makes the stream `other` wait for the mark.
  void hold(cudaStream_t other) const {
    check(cudaStreamWaitEvent(other, event_, 0), "order two streams");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace gantry
