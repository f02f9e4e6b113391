#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

namespace gantry {

/// Returns the number of threads that OpenMP would use now; 1 without OpenMP.
inline int cpu_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

}  // namespace gantry
