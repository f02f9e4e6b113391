// Compiled for the default instruction set of the compiler, by core/CMakeLists.txt.
#include "core/corrections/kernels/transmission_kernels.hpp"
#include "core/matrix/half.hpp"
#include "core/matrix/rows/matrix_kernels.hpp"
#include "core/matrix/symmetric/scsr_kernels.hpp"
#include "core/operator/run_kernels.hpp"
#include "core/projectors/area/area_kernels.hpp"
#include "core/projectors/distance_driven/dd_kernels.hpp"
#include "core/projectors/distance_driven/prefix_kernels.hpp"
#include "core/projectors/separable_footprint/sf_kernels.hpp"
#include "core/projectors/siddon_joseph/siddon_joseph_kernels.hpp"
#include "core/projectors/voxel/voxel_kernels.hpp"

#define GANTRY_ISA isa_baseline
// Each file uses functions of the files before it.
// clang-format off
#include "core/projectors/area/area_kernels.inl"
#include "core/projectors/distance_driven/dd_kernels.inl"
#include "core/projectors/distance_driven/prefix_kernels.inl"
#include "core/projectors/siddon_joseph/siddon_joseph_kernels.inl"
#include "core/projectors/separable_footprint/sf_pairs.inl"
#include "core/projectors/separable_footprint/sf_kernels.inl"
#include "core/projectors/voxel/voxel_kernels.inl"
#include "core/matrix/rows/matrix_kernels.inl"
#include "core/matrix/symmetric/scsr_kernels.inl"
#include "core/operator/run_kernels.inl"
#include "core/corrections/kernels/transmission_kernels.inl"
// clang-format on
