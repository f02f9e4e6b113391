#pragma once

#include "gpu/base/event.hpp"

namespace gantry {

/// A second stream for launches that are independent of those on `main`, so that the blocks of one
/// launch fill the multiprocessors that another leaves idle at its end. Work queued here between
/// fork() and join() runs after the earlier work of `main` and before the later work of `main`. May
/// be recorded together with `main` (CapturedGraph). The device must be current.
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
