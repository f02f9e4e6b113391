// Chooses the version of all kernel tables (baseline, AVX2 or AVX-512), once, for the processor on
// which the program runs.
#include "core/corrections/kernels/transmission_kernels.hpp"
#include "core/matrix/rows/matrix_kernels.hpp"
#include "core/matrix/symmetric/scsr_kernels.hpp"
#include "core/operator/run_kernels.hpp"
#include "core/projectors/area/area_kernels.hpp"
#include "core/projectors/distance_driven/dd_kernels.hpp"
#include "core/projectors/distance_driven/prefix_kernels.hpp"
#include "core/projectors/separable_footprint/sf_kernels.hpp"
#include "core/projectors/siddon_joseph/siddon_joseph_kernels.hpp"
#include "core/projectors/voxel/voxel_kernels.hpp"

namespace gantry {

#define GANTRY_DECLARE_TABLES(isa)                      \
  namespace isa {                                       \
  extern const AreaKernels area_table;                  \
  extern const DdKernels dd_table;                      \
  extern const SiddonJosephKernels siddon_joseph_table; \
  extern const MatrixKernels matrix_table;              \
  extern const PrefixKernels prefix_table;              \
  extern const RunKernels run_table;                    \
  extern const ScsrKernels scsr_table;                  \
  extern const SfKernels sf_table;                      \
  extern const TransmissionKernels transmission_table;  \
  extern const VoxelKernels voxel_table;                \
  }
GANTRY_DECLARE_TABLES(isa_baseline)
#ifdef GANTRY_HAS_X86_KERNELS
GANTRY_DECLARE_TABLES(isa_avx2)
GANTRY_DECLARE_TABLES(isa_avx512)
#endif
#undef GANTRY_DECLARE_TABLES

namespace {

struct Tables {
  const AreaKernels& area;
  const DdKernels& dd;
  const SiddonJosephKernels& siddon_joseph;
  const MatrixKernels& matrix;
  const PrefixKernels& prefix;
  const RunKernels& run;
  const ScsrKernels& scsr;
  const SfKernels& sf;
  const TransmissionKernels& transmission;
  const VoxelKernels& voxel;
};

#define GANTRY_TABLES_OF(isa)                                                    \
  {                                                                              \
    isa::area_table, isa::dd_table, isa::siddon_joseph_table, isa::matrix_table, \
        isa::prefix_table, isa::run_table, isa::scsr_table, isa::sf_table,       \
        isa::transmission_table, isa::voxel_table                                \
  }

Tables choose() {
#ifdef GANTRY_HAS_X86_KERNELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
    return GANTRY_TABLES_OF(isa_avx512);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return GANTRY_TABLES_OF(isa_avx2);
#endif
  return GANTRY_TABLES_OF(isa_baseline);
}
#undef GANTRY_TABLES_OF

const Tables& tables() {
  static const Tables chosen = choose();
  return chosen;
}

}  // namespace

const AreaKernels& area_kernels() { return tables().area; }
const DdKernels& dd_kernels() { return tables().dd; }
const SiddonJosephKernels& siddon_joseph_kernels() { return tables().siddon_joseph; }
const MatrixKernels& matrix_kernels() { return tables().matrix; }
const PrefixKernels& prefix_kernels() { return tables().prefix; }
const RunKernels& run_kernels() { return tables().run; }
const ScsrKernels& scsr_kernels() { return tables().scsr; }
const SfKernels& sf_kernels() { return tables().sf; }
const TransmissionKernels& transmission_kernels() { return tables().transmission; }
const VoxelKernels& voxel_kernels() { return tables().voxel; }

}  // namespace gantry
