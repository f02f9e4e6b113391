#pragma once

#include "core/job/experiment_data.hpp"
#include "core/worker/preview/corrected_rows.hpp"
#include "core/worker/preview/reduced_run.hpp"

#include <memory>
#include <optional>

namespace gantry {

/// Returns whether each row of the detector measures one slice of the grid, as in a parallel beam,
/// so that a slice can be reconstructed from its row alone.
bool is_stack(const ScanSpec& scan, const VolumeGrid& grid);

/// Returns the rows of the detector that see a slice of the grid in some view: of a stack one, of a
/// cone beam on a circle more, the further the slice is from the plane of the source. Returns
/// nothing for other scans, and for a slice that no row sees.
std::optional<RowRange> rows_of_slice(const ScanSpec& scan, const VolumeGrid& grid, int slice);

/// Data that others are tried for.
struct PresentData {
  Experiment made_from;
  std::shared_ptr<const ExperimentData> data;
};

/// Whether a slice is to follow a slider: then views of a cone beam may be left out.
enum class SliceHaste { follows_slider, at_rest };

/// Returns a slice, reconstructed as finely as takes about a second on two cores: from the
/// rows of the measured scan that see the slice, with the corrections, the geometry and the grid of
/// `tried`. Returns null where the slice is seen by too many rows, where the data are not measured,
/// for a grid that Reduction::for_direct_method leaves as it is, and for one with other slices than
/// that of the present data. Throws UsageError if no direct method suits the scan, what
/// CorrectedRows::of() throws, and Interrupted.
std::shared_ptr<const ReducedImage> reconstruct_slice(const Experiment& tried,
                                                      const PresentData& present, int slice,
                                                      SliceHaste haste, CorrectedRows& corrected,
                                                      const Catalog& catalog,
                                                      const BackendList& backends,
                                                      const Interrupt& interrupt);

/// Returns the present data with the corrections of `tried` instead; the present data themselves
/// where they have the same. Throws UsageError for a scan that is too large to be corrected while a
/// slider is moved, what CorrectedRows::of() throws, and Interrupted.
PresentData with_corrections_of(const Experiment& tried, PresentData present,
                                CorrectedRows& corrected, const Interrupt& interrupt);

}  // namespace gantry
