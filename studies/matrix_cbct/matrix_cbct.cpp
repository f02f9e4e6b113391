// SART with stored matrices on this computer, part by part beside the numbers of Chen et al. (see
// printed.hpp).
#include "studies/matrix_cbct/parts.hpp"
#include "studies/matrix_cbct/printed.hpp"
#include "studies/nonzeros.hpp"
#include "studies/study_list.hpp"

namespace gantry {

namespace matrix_cbct {

namespace {

constexpr double scale_without_gpu = 0.25;

void add_notes(const MatrixStudyContext& context, StudyResult& result) {
  result.notes.push_back(
      "Devices: " + context.devices() +
      ". Printed numbers are of a Tesla C1060 and a Xeon 5520E. That its data are slices of a fan "
      "or "
      "parallel beam is inferred from its sizes. The scanner is not published: 256^2 is a parallel "
      "beam, half a turn, 512^2 a "
      "fan, a full turn, both with a field of view of 1.59 image sides and 180 views, which fit "
      "its "
      "sizes best.");
  result.notes.push_back("Numbers of pixels, rays and views that are timed or reconstructed are " +
                         format_param(context.scale()) + " of those in print" +
                         (context.has_gpu() ? "." : ", as there is no CUDA device."));
}

}  // namespace

Params printed_sart() {
  return {{"relaxation", 1.0}, {"order", std::string("natural")}, {"nonnegative", false}};
}

BenchCase setting_of(const printed::Size& size, double scale) {
  const BenchCase setting = siddon_case(size.side);
  return scale != 1 ? scaled(setting, scale) : setting;
}

}  // namespace matrix_cbct

StudyResult study_matrix_cbct(const StudyOptions& options) {
  using namespace matrix_cbct;
  MatrixStudyContext context(options, "matrix-cbct", "siddon", {}, scale_without_gpu);
  context.require_sizes_of(printed::sizes);
  StudyResult result = compute_study<MatrixStudyContext>(context, add_notes,
                                                         {{"sizes", sizes, 0.15},
                                                          {"times", times, 0.4},
                                                          {"errors", errors, 0.35},
                                                          {"threads", threads, 0.1}});
  result.tables.push_back(context.summary);
  return result;
}

}  // namespace gantry
