#pragma once

#include "core/backend/energy_counter.hpp"
#include "studies/matrix_workshop.hpp"
#include "studies/tensor_cores/printed.hpp"

namespace gantry::tensor_cores {

// Each part adds its tables and charts to the result, and its lines to the workshop's summary.

void blocks(MatrixWorkshop& workshop, StudyResult& result);      ///< Tables 3 and 5
void sizes(MatrixWorkshop& workshop, StudyResult& result);       ///< Tables 2 and 5, all formats
void times(MatrixWorkshop& workshop, StudyResult& result);       ///< Table 4, products
void iterations(MatrixWorkshop& workshop, StudyResult& result);  ///< Table 4, whole iterations
void energy(MatrixWorkshop& workshop, StudyResult& result);      ///< Table 4, mJ
void errors(MatrixWorkshop& workshop, StudyResult& result);      ///< Fig. 8, with other images
void symmetry(MatrixWorkshop& workshop, StudyResult& result);    ///< Tables 6 and 7

/// Returns whether a method's format stores only the views that symmetry leaves (stored views).
bool is_symmetric(const MatrixWorkshop& workshop, const MatrixMethod& method);

/// Returns the scan of `images` slices of a printed size; the detector is `field` image sides wide.
BenchCase setting_of(int side, double scale, int images = printed::images, double field = 1.25);
/// Returns the methods that multiply all images at once: the one on the fly first, then the stored
/// ones, with all their variants if `variants`.
std::vector<MatrixMethod> methods(const MatrixWorkshop& workshop, bool variants = true);

/// Returns the printed values of a method (printed::counterparts, or those on the fly), as far as
/// they are printed.
struct InPrint {
  StudyCell ms, mj, gb;
};
InPrint in_print(const MatrixMethod& method, const printed::Size& size);

/// Returns the energy counter of the fastest backend; null where there is none, with the reason as
/// a note in the result.
const EnergyCounter* energy_counter(const MatrixWorkshop& workshop, StudyResult& result);

}  // namespace gantry::tensor_cores
