// Chooses the instruction set once, by what the processor can run.
#include "core/projectors/dd_kernels.hpp"
#include "core/projectors/interval_kernels.hpp"
#include "core/projectors/sf_kernels.hpp"
#include "core/projectors/voxel_kernels.hpp"

namespace gantry {

namespace isa_baseline {
extern const DdKernels dd_table;
extern const IntervalKernels interval_table;
extern const SfKernels sf_table;
extern const VoxelKernels voxel_table;
}  // namespace isa_baseline

#ifdef GANTRY_HAS_AVX2_KERNELS

namespace isa_avx2 {
extern const DdKernels dd_table;
extern const IntervalKernels interval_table;
extern const SfKernels sf_table;
extern const VoxelKernels voxel_table;
}  // namespace isa_avx2

namespace {

bool has_avx2() {
  static const bool modern = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return modern;
}

}  // namespace

const DdKernels& dd_kernels() { return has_avx2() ? isa_avx2::dd_table : isa_baseline::dd_table; }
const IntervalKernels& interval_kernels() {
  return has_avx2() ? isa_avx2::interval_table : isa_baseline::interval_table;
}
const SfKernels& sf_kernels() { return has_avx2() ? isa_avx2::sf_table : isa_baseline::sf_table; }
const VoxelKernels& voxel_kernels() {
  return has_avx2() ? isa_avx2::voxel_table : isa_baseline::voxel_table;
}

#else

const DdKernels& dd_kernels() { return isa_baseline::dd_table; }
const IntervalKernels& interval_kernels() { return isa_baseline::interval_table; }
const SfKernels& sf_kernels() { return isa_baseline::sf_table; }
const VoxelKernels& voxel_kernels() { return isa_baseline::voxel_table; }

#endif

}  // namespace gantry
