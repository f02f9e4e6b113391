#pragma once

#include "core/studies/matrix_workshop.hpp"
#include "core/studies/tensor_cores/printed.hpp"

namespace gantry::tensor_cores {

// Each adds its tables and charts to the result, and its lines to the workshop's summary.

void blocks(MatrixWorkshop& workshop, StudyResult& result);  ///< Tables 3 and 5
void times(MatrixWorkshop& workshop, StudyResult& result);   ///< Table 4
void errors(MatrixWorkshop& workshop, StudyResult& result);  ///< Fig. 8, of our own images
/// Tables 6 and 7
void symmetry(MatrixWorkshop& workshop, StudyResult& result);

/// Whether it stores what the symmetry of a scan leaves.
bool is_symmetric(const MatrixWorkshop& workshop, const MatrixMethod& method);

/// 32 images of a size in print.
BenchCase setting_of(int side, double scale);
/// The products that take all images at once: stored ones, in all their variants, and those on the
/// fly, which come first.
std::vector<MatrixMethod> methods(const MatrixWorkshop& workshop);

}  // namespace gantry::tensor_cores
