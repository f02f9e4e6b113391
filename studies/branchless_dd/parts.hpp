#pragma once

#include "studies/branchless_dd/workshop.hpp"

namespace gantry::branchless_dd {

// Each part adds its tables and charts to the result.

void times(Workshop& workshop, StudyResult& result);         ///< Tables II and III
void sweeps(Workshop& workshop, StudyResult& result);        ///< Figs 7 to 10
void staircase(Workshop& workshop, StudyResult& result);     ///< Fig. 11
void accuracy(Workshop& workshop, StudyResult& result);      ///< Figs 12 to 15
void several_gpus(Workshop& workshop, StudyResult& result);  ///< Table IV
void phantoms(Workshop& workshop, StudyResult& result);      ///< Table V, Figs 16 and 17
void helical(Workshop& workshop, StudyResult& result);       ///< Fig. 18, substitute
void momentum(Workshop& workshop, StudyResult& result);      ///< Fig. 19, substitute

/// Returns e.g. "512 x 512 x 64".
std::string size_text(const VolumeGrid& grid);
/// Returns a printed number as a cell; an empty cell for printed::none.
StudyCell printed_cell(double value);

}  // namespace gantry::branchless_dd
