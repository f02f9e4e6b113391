// Symmetric CSR and other matrix formats on this computer, part by part beside the numbers of Yu et
// al. 2019 (see printed.hpp).
#include "studies/cuart/parts.hpp"
#include "studies/study_list.hpp"

namespace gantry {

namespace cuart {

namespace {

const std::vector<int> sides = {512, 1024, 2048};

void add_notes(const MatrixStudyContext& context, StudyResult& result) {
  result.notes.push_back(
      "Devices: " + context.devices() +
      ". Printed numbers are of a Tesla K80 and of one thread of a Xeon E5-2697. The scanner is "
      "not "
      "published: fan on an arc, source at 11.5 image sides, field of view the circle in the "
      "image, "
      "first view half a step off the axis. Weights are shares of a pixel's area, as in print.");
  if (!context.has_gpu())
    result.notes.push_back("There is no CUDA device: sizes that are timed or reconstructed are " +
                           format_param(context.scale()) +
                           " of those in print, on the processor, and CSR of the processor stands "
                           "where cuSPARSE does in print.");
  else
    result.notes.push_back("On devices sizes are " + format_param(context.scale()) +
                           " of those in print, on the processor " +
                           format_param(context.scale_on("cpu")) +
                           ". cuSPARSE takes no matrix of 2^31 nonzeros or more, such as that of "
                           "2048^2 pixels at the full size: there csr and cusparse are products by "
                           "this program's own kernels.");
}

}  // namespace

BenchCase setting_of(const MatrixStudyContext& context, const std::string& backend,
                     std::size_t size) {
  const double scale = context.scale_on(backend);
  const BenchCase setting = bench_cases("near" + std::to_string(sides[size])).front();
  return scale != 1 ? scaled(setting, scale, 8) : setting;
}

std::vector<BenchCase> settings(const MatrixStudyContext& context, const std::string& backend) {
  std::vector<BenchCase> all;
  for (std::size_t size = 0; size < sides.size(); ++size)
    if (context.wants_size(sides[size])) all.push_back(setting_of(context, backend, size));
  return all;
}

std::size_t one_size(const MatrixStudyContext& context) {
  for (std::size_t size = 0; size < sides.size() && !context.sizes().empty(); ++size)
    if (context.wants_size(sides[size])) return size;
  return 1;
}

}  // namespace cuart

StudyResult study_cuart(const StudyOptions& options) {
  using namespace cuart;
  MatrixStudyContext context(options, "cuart", "area_integral",
                             {{"normalisation", std::string("area")}}, 1.0 / 8);
  context.require_known_sizes(sides);
  StudyResult result = compute_study<MatrixStudyContext>(context, add_notes,
                                                         {{"sizes", sizes, 0.1},
                                                          {"profiles", profiles, 0.02},
                                                          {"permutation", permutation, 0.02},
                                                          {"launches", launches, 0.02},
                                                          {"times", times, 0.26},
                                                          {"reconstructions", reconstructions, 0.2},
                                                          {"convergence", convergence, 0.19},
                                                          {"plateau", plateau, 0.19}});
  result.tables.push_back(context.summary);
  return result;
}

}  // namespace gantry
