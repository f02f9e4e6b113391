#pragma once

#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Whether the scan measures slice by slice (a stack): a parallel or fan beam on a circle, with a
/// detector row at the height of each slice. All slices then have the same weights.
bool is_stack(const ScanGeometry& geometry, const VolumeGrid& grid);

/// Returns a projector of one slice of a stack (or of an is_planar problem). It gives the single
/// weights that all slices share, but has no products. It checks the interrupt of `stack`, which
/// must outlive it.
std::unique_ptr<Projector> slice_of_stack(const Projector& stack);

}  // namespace gantry
