#pragma once

#include "studies/matrix_cbct/printed.hpp"
#include "studies/matrix_workshop.hpp"

namespace gantry::matrix_cbct {

// Each part adds its tables and charts to the result, and its lines to the workshop's summary.

void sizes(MatrixWorkshop& workshop, StudyResult& result);    ///< Table 1
void times(MatrixWorkshop& workshop, StudyResult& result);    ///< Table 2
void errors(MatrixWorkshop& workshop, StudyResult& result);   ///< Table 3, Fig. 7
void threads(MatrixWorkshop& workshop, StudyResult& result);  ///< T and block sizes of ELLR-T

/// Returns the parameters of SART as printed: no relaxation, views in the order of measurement, no
/// bounds.
Params printed_sart();
/// Returns the case of a printed size, with `scale` times its cells, views and pixels.
BenchCase setting_of(const printed::Size& size, double scale);

}  // namespace gantry::matrix_cbct
