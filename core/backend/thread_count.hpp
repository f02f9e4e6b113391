#pragma once

#include "core/backend/cpu_backend.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace gantry {

/// Sets the number of OpenMP's threads, and what it was before when it goes. Nothing where there is
/// no OpenMP.
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
