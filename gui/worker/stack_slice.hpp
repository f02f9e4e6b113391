#pragma once

#include "core/job/experiment_data.hpp"
#include "gui/worker/reduced_run.hpp"

#include <memory>

namespace gantry {

/// Returns whether each row of the detector measures one slice of the grid, as in a parallel beam,
/// so that a slice can be reconstructed from its row alone.
bool is_stack(const ScanSpec& scan, const VolumeGrid& grid);

/// Returns a slice of a stack, reconstructed as finely as takes about half a second on two cores:
/// from the measured line integrals of `data`, with the geometry and the grid of `tried`. Returns
/// null for data that are no stack, or not measured, or few enough to be reconstructed as a whole,
/// and for a grid with other slices than that of `data`. Throws UsageError if no direct method
/// suits the scan, and Interrupted.
std::shared_ptr<const ReducedImage> reconstruct_slice(const Experiment& tried,
                                                      const ExperimentData& data, int slice,
                                                      const Catalog& catalog,
                                                      const BackendList& backends,
                                                      const Interrupt& interrupt);

}  // namespace gantry
