#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>
#include <vector>

namespace gantry {

// The projectors of Liu, Fu, De Man et al., "GPU-based branchless distance-driven projection and
// backprojection", IEEE Trans. Comput. Imaging 3 (2017) 617, as published, for comparisons. None of
// them is an exact pair: the forward product takes the height of a footprint at the cell's central
// ray, the backprojection at the voxel, and the latter averages the view over the voxel's footprint
// on the detector.

std::vector<ParamSpec> dd_branchless_params();

/// GPU-BL: summed-area tables in textures.
std::unique_ptr<Projector> make_dd_gpu_bl(Backend&, std::shared_ptr<const ScanGeometry>,
                                          const VolumeGrid&, const Params&);
/// Returns the memory of that projector's products.
ProductMemory dd_gpu_bl_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                               int multiprocessors);
/// GPU-BZ: as GPU-BL, but the backprojection looks up the common edge of two voxels of a line once.
std::unique_ptr<Projector> make_dd_gpu_bz(Backend&, std::shared_ptr<const ScanGeometry>,
                                          const VolumeGrid&, const Params&);
/// Returns the memory of that projector's products.
ProductMemory dd_gpu_bz_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                               int multiprocessors);
/// GPU-DB: tables and interpolation in double precision.
std::unique_ptr<Projector> make_dd_gpu_db(Backend&, std::shared_ptr<const ScanGeometry>,
                                          const VolumeGrid&, const Params&);
/// Returns the memory of that projector's products.
ProductMemory dd_gpu_db_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                               int multiprocessors);
/// GPU-BS: no tables, a loop with branches.
std::unique_ptr<Projector> make_dd_gpu_bs(Backend&, std::shared_ptr<const ScanGeometry>,
                                          const VolumeGrid&, const Params&);
/// Returns the memory of that projector's products.
ProductMemory dd_gpu_bs_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                               int multiprocessors);

}  // namespace gantry
