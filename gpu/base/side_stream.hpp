#pragma once

#include "gpu/base/event.hpp"

namespace gantry {

/// A second stream for launches that do not need those beside them, so that one begins where the
/// blocks of another run out: what is queued on it between fork and join comes after what `main`
/// had before, and before what it gets after. May be recorded with `main`. With the device current.
class SideStream {
 public:
  SideStream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream");
  }
  ~SideStream() {
    if (cudaStreamDestroy(stream_) != cudaSuccess) cudaGetLastError();
  }
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

  cudaStream_t stream() const { return stream_; }
  void fork(cudaStream_t main) {
    fork_.record(main);
    fork_.hold(stream_);
  }
  void join(cudaStream_t main) {
    join_.record(stream_);
    join_.hold(main);
  }

 private:
  cudaStream_t stream_ = nullptr;
  Event fork_, join_;
};

}  // namespace gantry
