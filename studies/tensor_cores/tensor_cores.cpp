// Reconstruction of many slices with Tensor Cores on this computer, part by part beside the numbers
// of Nourazar and Goossens 2021 (see printed.hpp).
#include "core/matrix/tiles/tile_pattern.hpp"
#include "studies/study_list.hpp"
#include "studies/tensor_cores/parts.hpp"

#include <algorithm>

namespace gantry {

namespace tensor_cores {

namespace {

constexpr double scale_without_gpu = 0.125;

void add_notes(const MatrixStudyContext& context, StudyResult& result) {
  result.notes.push_back("Devices: " + context.devices() +
                         ". Printed numbers are of a GeForce RTX 2080 Ti. The scan is a parallel "
                         "beam over a full turn with a field of 1.26 image sides, with which "
                         "distance-driven weights come nearest to the printed shares of blocks; "
                         "32 slices share its weights.");
  for (const printed::Size& size : printed::sizes) {
    const std::string pixels = ", " + std::to_string(size.side) + "^2";
    for (std::size_t b = 0; b < printed::block_rays.size(); ++b) {
      const std::string block =
          pixels + ", Tensor Cores, blocks of " + std::to_string(printed::block_rays[b]) + " rays";
      if (size.ms[b].meant)
        result.notes.push_back(misprint_note("Table 4" + block + ", ms", size.ms[b]));
      if (size.gb[b].meant)
        result.notes.push_back(misprint_note("Table 5" + block + ", GB", size.gb[b]));
    }
  }
  result.notes.push_back(
      std::string("Tables 4 and 6, energy: nJ as printed; ") + printed::energy_unit +
      ". CSR of Table 5 takes 6 bytes a nonzero, though the text calls it 32-bit, that of Table 7 "
      "8 bytes: the two tables are of different precisions.");
  result.notes.push_back(
      "Numbers of pixels, rays, views and slices that are timed or "
      "reconstructed are " +
      format_param(context.scale()) + " of those in print" +
      (context.has_gpu() ? "." : ", as there is no CUDA device."));
  if (!context.has_gpu()) return;
  result.notes.push_back(
      "cuSPARSE with halves: matrix and vectors, sums and results in float32, which its SpMM (CSR "
      "and Blocked-ELL) and its SpMV take; spmv goes slice by slice. Blocked-ELL has no product "
      "with the transpose: a second matrix is stored. csr_half2 is our kernel over single "
      "nonzeros, eight products added up as halves, these in float32; in print half2 goes over the "
      "blocks of BSR. Vectors become halves by a power of two for each slice.");
}

}  // namespace

BenchCase setting_of(int side, double scale, int images, double field) {
  BenchCase setting = bench_cases("T32").front();
  ScanSpec spec = setting.geometry->spec();
  spec.column_pitch_mm =
      field * setting.grid.nx * setting.grid.spacing_mm.x / spec.detector_columns;
  spec.detector_rows = images;
  spec.central_row = 0.5 * (images - 1);
  setting.geometry = std::make_shared<const ScanGeometry>(spec);
  const double pixel_mm = setting.grid.nx * setting.grid.spacing_mm.x / side;
  setting.grid = VolumeGrid::centered(side, side, images, {pixel_mm, pixel_mm, 1});
  return scale != 1 ? scaled(setting, scale) : setting;
}

std::vector<MatrixMethod> methods(const MatrixStudyContext& context, bool variants) {
  const std::string backend = context.fastest_backend();
  std::vector<MatrixMethod> all = context.on_the_fly(backend, false);
  const Backend& device = context.backends().resolve(backend);
  for (const MatrixMethod& method : context.stored(backend, variants))
    if (!is_symmetric(context, method) &&
        !context.catalog()
             .matrix_formats.make(method.format, backend, method.params)
             ->stacks(device))
      all.push_back(method);
  if (!variants || !context.catalog().matrix_formats.has("bsr_half", backend)) return all;
  // Print's own method: blocks of three sizes in pseudo-Morton order, multiplied by WMMA.
  for (const std::string& block : block_size_param().choices) {
    MatrixMethod of_print = all.front();
    of_print.format = "bsr_half";
    of_print.params = {{"block", block},
                       {"order", std::string("pseudo-morton")},
                       {"product", std::string("wmma")}};
    all.push_back(std::move(of_print));
  }
  return all;
}

PrintedValues printed_values(const MatrixMethod& method, const printed::Size& size) {
  if (!method.stored()) return {size.others.on_the_fly, {}, {}};
  const auto of = [&](std::size_t column) -> PrintedValues {
    return {size.ms[column], PrintedNumber(size.nj[column], size.nj[column], printed::energy_unit),
            column < size.gb.size() ? StudyCell(size.gb[column]) : StudyCell()};
  };
  const Params& params = method.params;
  const bool plain = params.values().empty();
  if (method.format == "cusparse_spmm" && plain) return of(printed::cusparse);
  if (method.format == "csr_half2" && plain) {
    PrintedValues values = of(printed::half2);
    values.unlike = "print: over the blocks of BSR";
    return values;
  }
  const auto is = [&](const char* key, const std::string& choice) {
    return params.contains(key) && params.text(key) == choice;
  };
  if (method.format != "bsr_half" || !is("order", "pseudo-morton") || !is("product", "wmma"))
    return {};
  for (std::size_t b = 0; b < printed::block_rays.size(); ++b)
    if (is("block", std::to_string(printed::block_rays[b]) + "x16")) return of(b);
  return {};
}

const EnergyCounter* energy_counter(const MatrixStudyContext& context, StudyResult& result) {
  std::string because;
  const EnergyCounter* counter = context.backends().energy(context.fastest_backend(), because);
  if (counter == nullptr) result.notes.push_back("Energy is not measured: " + because + ".");
  return counter;
}

}  // namespace tensor_cores

StudyResult study_tensor_cores(const StudyOptions& options) {
  using namespace tensor_cores;
  MatrixStudyContext context(options, "tensor-cores", "distance_driven", {}, scale_without_gpu);
  context.require_sizes_of(printed::sizes);
  StudyResult result = compute_study<MatrixStudyContext>(context, add_notes,
                                                         {{"sizes", sizes, 0.1},
                                                          {"blocks", blocks, 0.1},
                                                          {"times", times, 0.25},
                                                          {"iterations", iterations, 0.15},
                                                          {"energy", energy, 0.1},
                                                          {"symmetry", symmetry, 0.1},
                                                          {"errors", errors, 0.2}});
  result.tables.push_back(context.summary);
  return result;
}

}  // namespace gantry
