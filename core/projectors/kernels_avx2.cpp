// Compiled for x86-64-v3 (AVX2, FMA) by core/CMakeLists.txt.
#include "core/matrix/half.hpp"
#include "core/matrix/matrix_kernels.hpp"
#include "core/matrix/scsr_kernels.hpp"
#include "core/projectors/dd_kernels.hpp"
#include "core/projectors/interval_kernels.hpp"
#include "core/projectors/prefix_kernels.hpp"
#include "core/projectors/sf_kernels.hpp"
#include "core/projectors/voxel_kernels.hpp"

#include <immintrin.h>

#define GANTRY_ISA isa_avx2
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
