#pragma once

#include "core/base/params.hpp"
#include "core/solvers/coordinate/icd.hpp"
#include "core/solvers/direct/filtered_backprojection.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Super-voxel ICD (Wang et al., PPoPP 2016, for the CPU; Sabne et al., PPoPP 2017, GPU-ICD): the
/// objective and the Newton step of `icd`, with the voxels in another order. The volume is divided
/// into super-voxels, boxes of voxels. Those of a batch are worked on at the same time, each with a
/// copy of the residuals of the rays that it meets (in a GPU's shared memory), in which its voxels
/// are changed one after another; at the end of a batch the changes of the copies are added up.
/// After the first iteration, voxels at the bound 0 whose neighbours are 0 as well are passed over,
/// except in every tenth iteration: as published, regions that have become 0 would stay so, and
/// runs on noisy data would end up to 6e-3 above the minimum.
///
/// After the first iteration, three of five passes visit the fifth of the super-voxels that changed
/// the most when they were visited last, as published; the other two visit a random fifth, so that
/// each super-voxel is visited at least once in three iterations. Every tenth iteration visits all
/// alike.
///
/// What differs from the publications: the voxels of a pass over the super-voxels are a colour (the
/// lattices of stride 2), so that no two voxels that change at the same time are neighbours; there,
/// super-voxels are coloured instead, since a super-voxel overlaps the next by a voxel. An
/// iteration is as many visits as there are super-voxels; there, from the second on, a fifth of
/// these.
///
/// The super-voxels of a batch meet rays in common, and overshoot together if they are too many, so
/// that the objective may rise. A step is a colour of a pass. Needs access to columns of A and an
/// exact pair.
inline constexpr SolverTraits supervoxel_icd_traits = icd_traits;
std::vector<ParamSpec> supervoxel_icd_params();
std::unique_ptr<Solver> make_supervoxel_icd(const Params& params);

/// Makes the method with the filtered backprojection of another device.
std::unique_ptr<Solver> make_supervoxel_icd_with(const Params& params, FilteredSumMaker make_sum);

}  // namespace gantry
