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
  result.notes.push_back(
      "Devices: " + context.devices() +
      ". Printed numbers are of a GeForce RTX 2080 Ti. The scan is a parallel "
      "beam over a full turn with a field of 1.26 image sides, with which "
      "distance-driven weights come nearest to the printed shares of blocks; "
      "32 slices share its weights. Print assumes a multi-slice fan beam without its distances: "
      "products and iterations of the largest size are also those of a fan beam "
      "with the source two image sides from the axis and three from a flat "
      "detector.");
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
      std::string("Tables 4 and 6, energy: nJ as printed; ") + printed::why_millijoules +
      ". CSR of Table 5 takes 6 bytes a nonzero, though the text calls it 32-bit, that of Table 7 "
      "8 bytes: the two tables are of different precisions.");
  result.notes.push_back(
      "Numbers of pixels, rays, views and slices that are timed or "
      "reconstructed are " +
      format_param(context.scale()) + " of those in print" +
      (context.has_gpu() ? "." : ", as there is no CUDA device."));
  result.notes.push_back(
      "Times: of products medians of 3 to 10 calls, of iterations medians of 3 to 20, after one to "
      "warm up; reconstructions of the part \"errors\" are made once.");
  if (!context.has_gpu()) return;
  result.notes.push_back(
      "cuSPARSE with halves: matrix and vectors, sums and results in float32, which its SpMM (CSR "
      "and Blocked-ELL) and its SpMV take; spmv goes slice by slice. Blocked-ELL has no product "
      "with the transpose: a second matrix is stored. half2 adds up eight products as "
      "halves, these in float32: over the blocks of BSR as in print, and over the single nonzeros "
      "of CSR (csr_half2). Vectors become halves by a power of two for each slice.");
  result.notes.push_back(
      "Operands are values with noise, so that the bits that switch are those of measured data.");
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

BenchCase images_of(int side, int slices, double scale) {
  BenchCase setting = bench_cases("T" + std::to_string(slices)).front();
  const double pixel_mm = setting.grid.nx * setting.grid.spacing_mm.x / side;
  setting.grid = VolumeGrid::centered(side, side, slices, {pixel_mm, pixel_mm, 1});
  return scale != 1 ? scaled(setting, scale, 8) : setting;
}

BenchCase in_fan_beam(BenchCase setting) {
  constexpr double to_axis = 2, to_detector = 3;  // image sides
  ScanSpec spec = setting.geometry->spec();
  const double side_mm = setting.grid.nx * setting.grid.spacing_mm.x;
  spec.beam = Beam::fan;
  spec.detector = DetectorShape::flat;
  spec.source_to_isocenter_mm = to_axis * side_mm;
  spec.source_to_detector_mm = to_detector * side_mm;
  spec.column_pitch_mm *= to_detector / to_axis;
  setting.geometry = std::make_shared<const ScanGeometry>(spec);
  return setting;
}

std::vector<BenchCase> settings_of(const MatrixStudyContext& context, const printed::Size& size) {
  std::vector<BenchCase> settings{setting_of(size.side, context.scale())};
  if (size.side == context.wanted_sizes(printed::sizes).back().side)
    settings.push_back(in_fan_beam(settings.front()));
  return settings;
}

std::string describe(const BenchCase& setting) {
  return describe_case(setting) + ", " + std::to_string(setting.grid.nz) + " slices" +
         (setting.geometry->beam() == Beam::fan ? ", a fan beam" : ", a parallel beam");
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
  if (!variants) return all;
  for (const MatrixMethod& method : stored_in_print(context))
    if (!method.params.values().empty() && is_available(context, method)) all.push_back(method);
  return all;
}

std::vector<MatrixMethod> stored_in_print(const MatrixStudyContext& context) {
  std::vector<MatrixMethod> all;
  const auto add = [&](const char* format, Params params) {
    all.push_back(context.on_the_fly(context.fastest_backend(), false).front());
    all.back().format = format;
    all.back().params = std::move(params);
  };
  const auto add_blocks = [&](const std::string& block, const char* product) {
    add("bsr_half", {{"block", block},
                     {"order", std::string("pseudo-morton")},
                     {"product", std::string(product)}});
  };
  for (const std::string& block : block_size_param().choices) add_blocks(block, "wmma");
  add_blocks(block_size_param().choices.front(), "half2");
  add("cusparse_spmm", {});
  return all;
}

bool is_available(const MatrixStudyContext& context, const MatrixMethod& method) {
  return context.catalog().matrix_formats.has(method.format, method.backend);
}

PrintedValues printed_values(const MatrixMethod& method, const printed::Size& size) {
  if (!method.stored()) return {size.others.on_the_fly, {}, {}};
  const auto of = [&](std::size_t column) -> PrintedValues {
    return {size.ms[column], size.nj[column],
            column < size.gb.size() ? StudyCell(size.gb[column]) : StudyCell()};
  };
  const Params& params = method.params;
  const bool plain = params.values().empty();
  if (method.format == "cusparse_spmm" && plain) return of(printed::cusparse);
  const auto is = [&](const char* key, const std::string& choice) {
    return params.contains(key) && params.text(key) == choice;
  };
  if (method.format != "bsr_half" || !is("order", "pseudo-morton")) return {};
  if (is("product", "half2")) return of(printed::half2);
  if (!is("product", "wmma")) return {};
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
                                                          {"energy", energy, 0.05},
                                                          {"single-image", single_image, 0.1},
                                                          {"symmetry", symmetry, 0.1},
                                                          {"errors", errors, 0.15}});
  result.tables.push_back(context.summary);
  return result;
}

}  // namespace gantry
