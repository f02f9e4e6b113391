#pragma once

#include "core/backend/energy_counter.hpp"
#include "studies/matrix_workshop.hpp"
#include "studies/tensor_cores/printed.hpp"

namespace gantry::tensor_cores {

// Each adds its tables and charts to the result, and its lines to the workshop's summary.

void blocks(MatrixWorkshop& workshop, StudyResult& result);      ///< Tables 3 and 5
void sizes(MatrixWorkshop& workshop, StudyResult& result);       ///< Tables 2 and 5, all formats
void times(MatrixWorkshop& workshop, StudyResult& result);       ///< Table 4, products
void iterations(MatrixWorkshop& workshop, StudyResult& result);  ///< Table 4, whole iterations
void energy(MatrixWorkshop& workshop, StudyResult& result);      ///< Table 4, mJ
void errors(MatrixWorkshop& workshop, StudyResult& result);      ///< Fig. 8, of our own images
void symmetry(MatrixWorkshop& workshop, StudyResult& result);    ///< Tables 6 and 7

/// Whether it stores what the symmetry of a scan leaves.
bool is_symmetric(const MatrixWorkshop& workshop, const MatrixMethod& method);

/// So many images of a size in print, the detector as wide as `field` sides of them.
BenchCase setting_of(int side, double scale, int images = printed::images, double field = 1.25);
/// The products that take all images at once: stored ones, in all their variants, and those on the
/// fly, which come first.
std::vector<MatrixMethod> methods(const MatrixWorkshop& workshop, bool variants = true);

/// What is printed of a method (printed::counterparts) or of what is computed on the fly, as far as
/// it is there.
struct InPrint {
  StudyCell ms, mj, gb;
};
InPrint in_print(const MatrixMethod& method, const printed::Size& size);

/// The counter of the backend that is measured on; null where there is none, which a note then
/// says.
const EnergyCounter* energy_counter(const MatrixWorkshop& workshop, StudyResult& result);

}  // namespace gantry::tensor_cores
