#include "core/projectors/dd_kernels.hpp"

namespace gantry {

namespace dd_baseline {
extern const DdKernels kernels;
}
#ifdef GANTRY_HAS_AVX2_KERNELS
namespace dd_avx2 {
extern const DdKernels kernels;
}
#endif

const DdKernels& dd_kernels() {
#ifdef GANTRY_HAS_AVX2_KERNELS
  static const bool modern = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (modern) return dd_avx2::kernels;
#endif
  return dd_baseline::kernels;
}

}  // namespace gantry
