#pragma once

#include "core/mapping/ray_steps.hpp"

#include <memory>

namespace gantry {

/// How the accesses of the lanes of a warp are assigned to steps.
enum class StepAlignment {
  walk,    ///< the k-th voxel of each lane's ray, in the order along the ray (WalkSteps)
  layers,  ///< as the kernel row_correct (gpu/access/rows.cuh) visits the voxels of Siddon or
           ///< Joseph
};

/// Whether the kernel row_correct traces the rays of this projector layer by layer: whether the
/// weights are those of Siddon or Joseph.
bool has_layer_steps(const Projector& projector);

/// Returns the steps of threads that trace a ray each. Throws UsageError if the projector has no
/// single weights, or, for `layers`, unless has_layer_steps().
///
/// When rays are traced by layers, all lanes begin with layer 0 of their rays' main axes and are in
/// step from layer to layer. In a layer, a lane visits up to 3 (Siddon) or 4 (Joseph) voxels, each
/// at a place of its own in the code, where the warp is together again. The emulation runs the
/// kernel's own functions (trace_model.hpp) on the host.
///
/// The counters of these steps (warp_counters.hpp, 8 voxels a segment, all warps of a launch)
/// predict these metrics of Nsight Compute for a launch of row_correct with one thread for each
/// ray. The prefix l1tex__t_ and the suffix .sum are left out.
///
///   requests      requests_pipe_lsu_mem_global_op_ld, of the first pass over x
///   transactions  sectors_pipe_lsu_mem_global_op_ld, of the same: sectors of 32 bytes
///   requests      requests_pipe_lsu_mem_global_op_atom, with atomic writes
///   transactions  sectors_pipe_lsu_mem_global_op_atom, with atomic writes
///   requests      requests_pipe_lsu_mem_global_op_st, with racing writes, and a second time op_ld
///   transactions  sectors_pipe_lsu_mem_global_op_st, likewise
///
/// - Additions are atom, not red, since row_correct uses the values that they return. What counts
///   as red are the few maxima that keep voxels from falling below the lower bound.
/// - op_ld also counts the reading of the list of rays, of b and the weights, one request a warp
///   each, and of the poses, some tens of requests a warp, which have the same sectors as long as
///   the lanes are of one view. With a prior, the reading of its pull adds `requests` and
///   `transactions` once more.
/// - Rays whose squared norm is below the bound are not in the second pass.
/// - `lines` has no metric of its own here; a request takes at least a tag lookup for each line.
std::unique_ptr<RaySteps> make_ray_steps(const Projector& projector, StepAlignment alignment);

}  // namespace gantry
