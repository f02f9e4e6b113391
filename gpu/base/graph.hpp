#pragma once

#include "gpu/base/check.hpp"

#include <utility>

namespace gantry {

/// A sequence of kernel launches and copies on a stream, recorded once and launched as a whole (a
/// CUDA graph). The recorded work must neither wait for the stream (no dot, no download) nor
/// allocate memory. Each launch uses the arguments of the recording, so the memory they point to
/// must remain valid. Move-only. The device must be current.
class CapturedGraph {
 public:
  CapturedGraph() = default;
  ~CapturedGraph() { release(); }
  CapturedGraph(CapturedGraph&& other) noexcept
      : executable_(std::exchange(other.executable_, nullptr)) {}
  CapturedGraph& operator=(CapturedGraph&& other) noexcept {
    std::swap(executable_, other.executable_);
    return *this;
  }
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;

  /// Records what `queue` puts on `stream`, without executing it. Exceptions of `queue` are passed
  /// on; the recording is then discarded.
  template <class Queue>
  static CapturedGraph capture(cudaStream_t stream, const Queue& queue) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record a graph");
    try {
      queue();
    } catch (...) {
      abandon(stream);
      throw;
    }
    return finish(stream);
  }

  void launch(cudaStream_t stream) const {
    check(cudaGraphLaunch(executable_, stream), "launch a graph");
  }
  bool empty() const { return executable_ == nullptr; }

 private:
  static CapturedGraph finish(cudaStream_t stream);
  static void abandon(cudaStream_t stream) noexcept;
  void release() noexcept;

  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace gantry
