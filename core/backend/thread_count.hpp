#pragma once

#include "core/backend/cpu_backend.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace gantry {

/// Sets the number of OpenMP threads; the destructor restores the previous number. Does nothing
/// without OpenMP.
class ThreadCount {
 public:
  explicit ThreadCount(int count) { set(count); }
  ~ThreadCount() { set(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  static void set([[maybe_unused]] int count) {
#ifdef _OPENMP
    omp_set_num_threads(count);
#endif
  }
  int before_ = cpu_threads();
};

}  // namespace gantry
