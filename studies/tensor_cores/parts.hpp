#pragma once

#include "core/backend/energy_counter.hpp"
#include "studies/matrix_study_context.hpp"
#include "studies/tensor_cores/printed.hpp"

namespace gantry::tensor_cores {

// Each part adds its tables and charts to the result, and its lines to the context's summary.

void blocks(MatrixStudyContext& context, StudyResult& result);      ///< Tables 3 and 5
void sizes(MatrixStudyContext& context, StudyResult& result);       ///< Tables 2 and 5, all formats
void times(MatrixStudyContext& context, StudyResult& result);       ///< of both products
void iterations(MatrixStudyContext& context, StudyResult& result);  ///< Table 4
void energy(MatrixStudyContext& context, StudyResult& result);      ///< of both products
void errors(MatrixStudyContext& context, StudyResult& result);      ///< Fig. 8, with other images
void single_image(MatrixStudyContext& context, StudyResult& result);  ///< Tables 6 and 7
void symmetry(MatrixStudyContext& context, StudyResult& result);      ///< few images, both ways

/// Returns whether a method's format stores only the views that symmetry leaves (stored views).
bool is_symmetric(const MatrixStudyContext& context, const MatrixMethod& method);

/// Returns the scan of `images` slices of a printed size; the detector is `field` image sides wide.
BenchCase setting_of(int side, double scale, int images = printed::images, double field = 1.26);
/// Returns the scan of the case T1, T8 or T32 with so many slices of `side`^2 pixels.
BenchCase images_of(int side, int slices, double scale);
/// Returns the same scan in a fan beam on a flat detector, print's multi-slice fan beam: the source
/// is two image sides from the axis and three from the detector (print does not say), and the field
/// at the axis stays.
BenchCase in_fan_beam(BenchCase setting);
/// Returns the scans of a printed size: in a parallel beam, and of the largest wanted size in a fan
/// beam too.
std::vector<BenchCase> settings_of(const MatrixStudyContext& context, const printed::Size& size);
/// Returns e.g. "512^2 pixels, 720 views x 512 rays, 32 slices, a fan beam".
std::string describe(const BenchCase& setting);
/// Returns the methods that multiply all images at once: the one on the fly first, then the stored
/// ones, with all their variants if `variants`.
std::vector<MatrixMethod> methods(const MatrixStudyContext& context, bool variants = true);

/// Returns print's own stored matrices on the fastest backend, whether that has them or not: blocks
/// of three sizes in pseudo-Morton order, multiplied by WMMA, the smallest of them by half2, and
/// cuSPARSE with all images at once.
std::vector<MatrixMethod> stored_in_print(const MatrixStudyContext& context);
/// Returns whether the method's backend has its format.
bool is_available(const MatrixStudyContext& context, const MatrixMethod& method);

/// The printed values of a method, as far as they are printed: time and energy of an iteration per
/// image, memory.
struct PrintedValues {
  StudyCell ms, energy, gb;
  std::string unlike = like_for_like;  ///< why print's method is another
};
/// Returns print's values of its own methods: blocks in pseudo-Morton order multiplied by WMMA,
/// cuSPARSE with all images at once, half2, and weights on the fly. Others have none.
PrintedValues printed_values(const MatrixMethod& method, const printed::Size& size);

/// Returns the energy counter of the fastest backend; null where there is none, with the reason as
/// a note in the result.
const EnergyCounter* energy_counter(const MatrixStudyContext& context, StudyResult& result);

}  // namespace gantry::tensor_cores
