#include "core/matrix/half.hpp"
#include "core/matrix/matrix_kernels.hpp"
#include "core/matrix/scsr_kernels.hpp"
#include "core/projectors/dd_kernels.hpp"
#include "core/projectors/interval_kernels.hpp"
#include "core/projectors/prefix_kernels.hpp"
#include "core/projectors/sf_kernels.hpp"
#include "core/projectors/voxel_kernels.hpp"

#define GANTRY_ISA isa_baseline
// Each needs those before it.
// clang-format off
#include "core/projectors/dd_kernels.inl"
#include "core/projectors/prefix_kernels.inl"
#include "core/projectors/interval_kernels.inl"
#include "core/projectors/sf_pairs.inl"
#include "core/projectors/sf_kernels.inl"
#include "core/projectors/voxel_kernels.inl"
#include "core/matrix/matrix_kernels.inl"
#include "core/matrix/scsr_kernels.inl"
// clang-format on
