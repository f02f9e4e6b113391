#pragma once

#include "studies/branchless_dd/branchless_context.hpp"

namespace gantry::branchless_dd {

// Each part adds its tables and charts to the result.

void times(BranchlessContext& context, StudyResult& result);         ///< Tables I to III
void sweeps(BranchlessContext& context, StudyResult& result);        ///< Figs 7 to 10
void staircase(BranchlessContext& context, StudyResult& result);     ///< Fig. 11
void accuracy(BranchlessContext& context, StudyResult& result);      ///< Figs 12 to 15
void several_gpus(BranchlessContext& context, StudyResult& result);  ///< Table IV
void phantoms(BranchlessContext& context, StudyResult& result);      ///< Table V, Figs 16 and 17
void helical(BranchlessContext& context, StudyResult& result);       ///< Fig. 18, substitute
void momentum(BranchlessContext& context, StudyResult& result);      ///< Fig. 19, substitute

/// Returns the scan of a bar of 25 pixels of 1 mm on the x axis, in a parallel beam onto 25 cells
/// of 1.41 mm, 0.71 mm high (Fig. 15; the number of cells is not in print).
Setting bar_setting(const std::vector<double>& angles_deg);

/// Returns e.g. "512 x 512 x 64".
std::string size_text(const VolumeGrid& grid);
/// Returns a printed number as a cell; an empty cell for printed::none.
StudyCell printed_cell(double value);

}  // namespace gantry::branchless_dd
