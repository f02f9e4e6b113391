#pragma once

#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Slices that do not know of each other: a parallel or fan beam on a circle with a detector row at
/// the height of each slice. All have the same weights.
bool is_stack(const ScanGeometry& geometry, const VolumeGrid& grid);

/// One slice of a stack, for the weights that all of them share: it gives these singly and has no
/// products. Takes what is_planar as well; asks the same interrupt. `stack` outlives it.
std::unique_ptr<Projector> slice_of_stack(const Projector& stack);

}  // namespace gantry
