#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>
#include <vector>

namespace gantry {

// The projectors of Liu, Fu, De Man et al., "GPU-based branchless distance-driven projection and
// backprojection", IEEE Trans. Comput. Imaging 3 (2017) 617, as published: the height of a
// footprint is taken at the cell's central ray going forward and at the voxel going back, where the
// mean over the voxel's shadow is taken. So none of them is an exact pair. They are here to be
// compared.

std::vector<ParamSpec> dd_branchless_params();

/// GPU-BL: tables of sums in textures.
std::unique_ptr<Projector> make_dd_gpu_bl(Backend&, std::shared_ptr<const ScanGeometry>,
                                          const VolumeGrid&, const Params&);
/// GPU-BZ: the same, going back along lines of voxels that share their edges.
std::unique_ptr<Projector> make_dd_gpu_bz(Backend&, std::shared_ptr<const ScanGeometry>,
                                          const VolumeGrid&, const Params&);
/// GPU-DB: tables and interpolation in double precision.
std::unique_ptr<Projector> make_dd_gpu_db(Backend&, std::shared_ptr<const ScanGeometry>,
                                          const VolumeGrid&, const Params&);
/// GPU-BS: no tables, a loop with branches.
std::unique_ptr<Projector> make_dd_gpu_bs(Backend&, std::shared_ptr<const ScanGeometry>,
                                          const VolumeGrid&, const Params&);

}  // namespace gantry
