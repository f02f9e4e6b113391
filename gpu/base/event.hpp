#pragma once

#include "gpu/base/check.hpp"

#include <utility>

namespace gantry {

/// A place in a stream that can be waited for, and timed from. Move-only. With the device current.
class Event {
 public:
  enum class Timing { off, on };

  explicit Event(Timing timing = Timing::off) {
    check(cudaEventCreateWithFlags(
              &event_, timing == Timing::on ? cudaEventDefault : cudaEventDisableTiming),
          "make an event");
  }
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
  /// The host waits; at once when nothing was recorded.
  void synchronize() const { check(cudaEventSynchronize(event_), "wait for the GPU"); }
  /// The other stream waits.
  void hold(cudaStream_t other) const {
    check(cudaStreamWaitEvent(other, event_, 0), "order two streams");
  }
  /// Of timed events that have been waited for.
  float milliseconds_since(const Event& start) const {
    float elapsed = 0;
    check(cudaEventElapsedTime(&elapsed, start.event_, event_), "time a stream");
    return elapsed;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace gantry
