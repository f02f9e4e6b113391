#pragma once

#include "studies/matrix_cbct/printed.hpp"
#include "studies/matrix_study_context.hpp"

namespace gantry::matrix_cbct {

// Each part adds its tables and charts to the result, and its lines to the context's summary.

void sizes(MatrixStudyContext& context, StudyResult& result);    ///< Table 1
void times(MatrixStudyContext& context, StudyResult& result);    ///< Table 2
void errors(MatrixStudyContext& context, StudyResult& result);   ///< Table 3, Fig. 7
void threads(MatrixStudyContext& context, StudyResult& result);  ///< T and block sizes of ELLR-T

/// Returns the parameters of SART as printed: no relaxation, views in the order of measurement, no
/// bounds.
Params printed_sart();
/// Returns the case of a printed size, with `scale` times its cells, views and pixels.
BenchCase setting_of(const printed::Size& size, double scale);

}  // namespace gantry::matrix_cbct
