// Chooses the instruction set once, by what the processor can run.
#include "core/matrix/scsr_kernels.hpp"
#include "core/projectors/dd_kernels.hpp"
#include "core/projectors/interval_kernels.hpp"
#include "core/projectors/prefix_kernels.hpp"
#include "core/projectors/sf_kernels.hpp"
#include "core/projectors/voxel_kernels.hpp"

namespace gantry {

#define GANTRY_DECLARE_TABLES(isa)             \
  namespace isa {                              \
  extern const DdKernels dd_table;             \
  extern const IntervalKernels interval_table; \
  extern const PrefixKernels prefix_table;     \
  extern const ScsrKernels scsr_table;         \
  extern const SfKernels sf_table;             \
  extern const VoxelKernels voxel_table;       \
  }
GANTRY_DECLARE_TABLES(isa_baseline)
#ifdef GANTRY_HAS_X86_KERNELS
GANTRY_DECLARE_TABLES(isa_avx2)
GANTRY_DECLARE_TABLES(isa_avx512)
#endif
#undef GANTRY_DECLARE_TABLES

namespace {

struct Tables {
  const DdKernels& dd;
  const IntervalKernels& interval;
  const PrefixKernels& prefix;
  const ScsrKernels& scsr;
  const SfKernels& sf;
  const VoxelKernels& voxel;
};

Tables choose() {
#ifdef GANTRY_HAS_X86_KERNELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
    return {isa_avx512::dd_table,   isa_avx512::interval_table, isa_avx512::prefix_table,
            isa_avx512::scsr_table, isa_avx512::sf_table,       isa_avx512::voxel_table};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {isa_avx2::dd_table,   isa_avx2::interval_table, isa_avx2::prefix_table,
            isa_avx2::scsr_table, isa_avx2::sf_table,       isa_avx2::voxel_table};
#endif
  return {isa_baseline::dd_table,   isa_baseline::interval_table, isa_baseline::prefix_table,
          isa_baseline::scsr_table, isa_baseline::sf_table,       isa_baseline::voxel_table};
}

const Tables& tables() {
  static const Tables chosen = choose();
  return chosen;
}

}  // namespace

const DdKernels& dd_kernels() { return tables().dd; }
const IntervalKernels& interval_kernels() { return tables().interval; }
const PrefixKernels& prefix_kernels() { return tables().prefix; }
const ScsrKernels& scsr_kernels() { return tables().scsr; }
const SfKernels& sf_kernels() { return tables().sf; }
const VoxelKernels& voxel_kernels() { return tables().voxel; }

}  // namespace gantry
