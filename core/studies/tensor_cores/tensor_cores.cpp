// Reconstruction of many slices with Tensor Cores on this machine, part by part beside the numbers
// of Nourazar and Goossens 2021 (see printed.hpp).
#include "core/studies/study_list.hpp"
#include "core/studies/tensor_cores/parts.hpp"

namespace gantry {

namespace tensor_cores {

namespace {

constexpr double scale_without_gpu = 0.125;

void add_notes(const MatrixWorkshop& workshop, StudyResult& result) {
  result.notes.push_back("Devices: " + workshop.devices() +
                         ". Printed numbers are of a GeForce RTX 2080 Ti. The scan is a parallel "
                         "beam over a full turn with a field of 1.25 image sides, which fits the "
                         "printed numbers of nonzeros best; 32 slices share its weights.");
  result.notes.push_back(
      "Numbers of pixels, rays, views and slices that are timed or "
      "reconstructed are " +
      format_param(workshop.scale()) + " of those in print" +
      (workshop.has_gpu() ? "." : ", as there is no CUDA device."));
}

}  // namespace

BenchCase setting_of(int side, double scale) {
  BenchCase setting = bench_cases("T32").front();
  const double pixel_mm = setting.grid.nx * setting.grid.spacing_mm.x / side;
  setting.grid = VolumeGrid::centered(side, side, printed::images, {pixel_mm, pixel_mm, 1});
  return scale != 1 ? scaled(setting, scale) : setting;
}

std::vector<MatrixMethod> methods(const MatrixWorkshop& workshop) {
  const std::string backend = workshop.fastest_backend();
  std::vector<MatrixMethod> all = workshop.on_the_fly(backend, false);
  const Backend& device = workshop.backends().resolve(backend);
  for (const MatrixMethod& method : workshop.stored(backend, true))
    if (!is_symmetric(workshop, method) &&
        !workshop.catalog()
             .matrix_formats.make(method.format, backend, method.params)
             ->stacks(device))
      all.push_back(method);
  return all;
}

}  // namespace tensor_cores

StudyResult study_tensor_cores(const StudyOptions& options) {
  using namespace tensor_cores;
  MatrixWorkshop workshop(options, "tensor-cores", "distance_driven", {}, scale_without_gpu);
  workshop.require_sizes_of(printed::sizes);
  StudyResult result = compute_study<MatrixWorkshop>(workshop, add_notes,
                                                     {{"blocks", blocks, 0.2},
                                                      {"times", times, 0.4},
                                                      {"symmetry", symmetry, 0.2},
                                                      {"errors", errors, 0.2}});
  result.tables.push_back(workshop.summary);
  return result;
}

}  // namespace gantry
