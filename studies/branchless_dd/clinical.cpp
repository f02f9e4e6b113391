// Reconstructions of measured data: Liu et al. 2017, Figs 18 (a phantom on a helix, weighted least
// squares with q-GGMRF by preconditioned conjugate gradients, 100 iterations) and 19 (a patient,
// SART with FISTA's momentum, 300 iterations, compared with FDK). Neither data set is public: both
// are replaced by simulations with Poisson noise, which the tables call substitutes.
#include "core/geometry/presets.hpp"
#include "core/metrics/ssim.hpp"
#include "core/phantoms/solid_phantom.hpp"
#include "core/physics/noise.hpp"
#include "core/physics/statistical_weights.hpp"
#include "core/physics/units.hpp"
#include "studies/branchless_dd/difference.hpp"
#include "studies/branchless_dd/parts.hpp"
#include "studies/branchless_dd/printed.hpp"
#include "studies/branchless_dd/reconstruction.hpp"
#include "studies/slice_image.hpp"

#include <cmath>

namespace gantry::branchless_dd {

namespace {

constexpr double photons = 1e6;
constexpr double hu = 1000 / default_mu_water;  ///< converts differences from 1/mm

/// Returns noisy data of an object, with the statistical weights of the rays if `weighted`.
Scanned measure(const BranchlessContext& context, const Phantom& phantom, const Setting& setting,
                bool weighted) {
  Scanned out{setting, std::vector<float>(setting.geometry->rays()), {}, {}};
  project_exactly(phantom, *setting.geometry, 2, out.data, context.interrupt());
  std::vector<float> noisy(out.data.size());
  add_transmission_noise(out.data, {.photons_per_ray = photons}, noisy, context.interrupt());
  out.data = std::move(noisy);
  if (!weighted) return out;
  out.weights.resize(out.data.size());
  statistical_weights(out.data, photons, 0, out.weights);
  return out;
}

StudyTable comparison_table(const std::string& key, const std::string& title,
                            const std::string& last) {
  return StudyTable::comparing(key, title,
                               {{"voxels", ""},
                                {"image of", ""},
                                {"less", ""},
                                {"window of print", "HU"},
                                {"within it", "% of voxels"},
                                {"RMSE, middle half of the slices", "HU"},
                                {"time of an iteration", "s"},
                                {"problem", ""}},
                               last);
}

/// A comparison of two images, in HU.
struct Comparison {
  std::string image, reference;
  double low_hu, high_hu;

  std::string window() const { return format_param(low_hu) + " to " + format_param(high_hu); }
};

/// Both data sets are others than print's, and the sizes are smaller.
constexpr const char* substituted = "a substitute for the data, of another size";

void add_row(StudyTable& table, const VolumeGrid& grid, const Comparison& what,
             const Reconstructed& of, const std::vector<float>& less, const StudyCell& printed,
             const std::function<StudyCell(const Difference&)>& here, Better better) {
  std::vector<StudyCell> row = {size_text(grid), what.image, what.reference, what.window()};
  if (what.image == what.reference && !of.image.empty()) {  // with what the others are compared
    row = {size_text(grid), what.image, {}, {}, {}, {}, of.seconds, {}};
    return table.compare(std::move(row), printed, {}, substituted, better);
  }
  if (of.problem == needs_cuda) {
    row.insert(row.end(), {{}, {}, {}, {}});
    return table.compare(std::move(row), printed, needs_cuda, substituted, better);
  }
  if (of.image.empty() || less.empty()) {
    row.insert(row.end(), {{}, {}, {}, of.problem});
    return table.compare(std::move(row), printed, {}, substituted, better);
  }
  const double low = what.low_hu / hu, high = what.high_hu / hu;
  const Difference all = difference(of.image, less, low, high),
                   middle = difference(middle_slices(of.image, grid), middle_slices(less, grid),
                                       low, high);
  row.insert(row.end(), {all.within, hu * middle.rmse, of.seconds, {}});
  table.compare(std::move(row), printed, here(all), substituted, better);
}

/// Returns what follows the name of an image of `figure` (18 or 19) in its title.
std::string about(int figure, const VolumeGrid& grid) {
  return ", " + size_text(grid) + ", SUBSTITUTE for the data (Fig. " + std::to_string(figure) + ")";
}
std::string next_key(int figure, const StudyResult& result) {
  return "fig-" + std::to_string(figure) + "-" + std::to_string(result.images.size());
}

/// Adds an image in print's HU, in which water has 1000, and what it is less another one.
void draw(int figure, const std::string& name, const Reconstructed& of, const std::string& other,
          const std::vector<float>& less, const VolumeGrid& grid, const GreyWindow& apart,
          StudyResult& result) {
  if (of.image.empty()) return;
  result.images.push_back(slice_image(next_key(figure, result), name + about(figure, grid),
                                      of.image, grid, {800, 1200, "HU, water 1000"}, hu));
  if (!less.empty() && name != other)
    result.images.push_back(difference_image(next_key(figure, result),
                                             name + " less " + other + about(figure, grid),
                                             of.image, less, grid, apart, hu));
}

/// Returns the problem sizes with the methods that run at each: without a GPU `setting` by the two
/// pairs of the CPU, of which the branchless one takes the place of GPU-BL; with a GPU `setting` by
/// the program's own pair, and a smaller problem for the CPU and GPU methods.
struct Size {
  Setting setting;
  std::vector<Method> methods;
};
std::vector<Size> sizes(const BranchlessContext& context, const Setting& setting,
                        double scale_of_cpu) {
  if (!context.has_gpu()) return {{setting, {on_cpu(), cpu_branchless()}}};
  return {{setting, {ours()}},
          {scaled(setting, scale_of_cpu), context.available({on_cpu(), ours(), gpu_bl()})}};
}

/// Returns a sentence on what takes the place of GPU-BL without a GPU, to be appended to a note.
std::string without_gpu(const BranchlessContext& context) {
  if (context.has_gpu()) return {};
  return " GPU-BL needs a CUDA device: in its place stands the branchless pair of the CPU, in "
         "float32 without texture units.";
}

std::string not_here(const std::string& solver) {
  return "the method " + solver + " is not in this program";
}

/// Returns an oval of water with a round insert of small contrasts and a rod of PTFE on either
/// side.
SolidPhantom oval() {
  constexpr double water = default_mu_water, length = 400;
  std::vector<Solid> solids = {cylinder({}, 165, 115, length, water),
                               cylinder({}, 50, 50, length, 1.05 * water),
                               cylinder({-110, 0, 0}, 15, 15, length, 1.99 * water),
                               cylinder({110, 0, 0}, 15, 15, length, 1.99 * water)};
  for (int i = 0; i < 6; ++i) {
    const double angle = i * pi / 3;
    solids.push_back(cylinder({30 * std::cos(angle), 30 * std::sin(angle), 0}, 2 + i, 2 + i, length,
                              (0.9 + 0.05 * i) * water));
  }
  return {solids, Overlap::replace, {165, 115, 0.5 * length}};
}

/// Returns the SSIM of the middle slice.
double slice_ssim(const std::vector<float>& image, const std::vector<float>& reference,
                  const VolumeGrid& grid) {
  VolumeGrid slice = grid;
  slice.nz = 1;
  const std::size_t first = grid.index(0, 0, grid.nz / 2);
  const auto part = [&](const std::vector<float>& all) {
    return std::span(all).subspan(first, slice.voxels());
  };
  return ssim({slice, part(image), part(reference), {}, range_of(part(reference))});
}

}  // namespace

void helical(BranchlessContext& context, StudyResult& result) {
  const std::string solver = "wls_pcg";
  const ScanPreset& preset = scan_preset("helical");
  StudyTable table =
      comparison_table("fig-18",
                       "Helix, q-GGMRF by PCG, " + std::to_string(context.iterations(100)) +
                           " iterations: SUBSTITUTE for the data of Fig. 18",
                       "HU");
  const Setting whole = scaled(
      {"helical", std::make_shared<const ScanGeometry>(preset.scan), preset.grid}, context.scale());
  result.notes.push_back(
      "Fig. 18 is of a measured phantom, at a high dose in (a) and (b) and, for the difference in "
      "(c), at a low one; the SUBSTITUTE, of one dose for all three, is a simulated oval of water "
      "with inserts "
      "and two rods, 1e6 photons a ray, 32 rows, pitch 31/32, " +
      std::to_string(whole.geometry->views()) +
      " views, fewer cells and voxels than print's. Its start is three iterations of OS-SART on "
      "the CPU, for there is no filtered "
      "backprojection of a helix here; print starts from one. GPU-BL's backprojection is not the "
      "transpose of its projection; the method, which refuses such pairs unless it is told to "
      "insist, is told so." +
      without_gpu(context));
  const Comparison window{"GPU-BL", "CPU-32", printed::helical_window_low_hu,
                          printed::helical_window_high_hu};
  for (const Size& size : sizes(context, whole, 0.5)) {
    if (!has_solver(context, solver, on_cpu())) {
      add_row(table, size.setting.grid, window, {{}, 0, not_here(solver)}, {},
              printed::helical_rmse_hu, {}, Better::smaller);
      continue;
    }
    context.say("Fig. 18, substitute: " + size_text(size.setting.grid));
    const Scanned scanned = measure(context, oval(), size.setting, true);
    const Recipe first{"os_sart", {{"subsets", std::int64_t{10}}}, context.iterations(3)};
    // Print runs this method with GPU-BL's pair, whose backprojection is not the exact transpose.
    const Recipe recipe{solver,
                        {},
                        context.iterations(100),
                        reconstruct(context, on_cpu(), scanned, first).image,
                        true};
    Reconstructed reference;
    for (const Method& method : size.methods) {
      context.say("Fig. 18, substitute: " + method.label());
      const Reconstructed of = reconstruct(context, method, scanned, recipe);
      if (reference.image.empty()) reference = of;
      // Print has no number for the program's own pair.
      add_row(
          table, size.setting.grid,
          {method.label(), size.methods[0].label(), window.low_hu, window.high_hu}, of,
          reference.image,
          method.printed == "GPU-BL" ? StudyCell(printed::helical_rmse_hu) : StudyCell(),
          [](const Difference& d) { return StudyCell(hu * d.rmse); }, Better::smaller);
      draw(18, method.label(), of, size.methods[0].label(), reference.image, size.setting.grid,
           {window.low_hu, window.high_hu, "HU"}, result);
    }
    if (!context.has(gpu_bl()))
      add_row(table, size.setting.grid, window, {{}, 0, needs_cuda}, {}, printed::helical_rmse_hu,
              {}, Better::smaller);
  }
  result.tables.push_back(std::move(table));
}

void momentum(BranchlessContext& context, StudyResult& result) {
  const std::string solver = "fista_sart";
  StudyTable table =
      comparison_table("fig-19",
                       "SART with momentum, " + std::to_string(context.iterations(300)) +
                           " iterations of 10 subsets (print names none), against "
                           "FDK: SUBSTITUTE for the data of Fig. 19; SSIM of the "
                           "middle slice",
                       "");
  Setting whole = context.scanner(2200);
  if (context.has_gpu()) whole = scaled(whole, 0.5);
  result.notes.push_back(
      "Fig. 19 is of a patient; the SUBSTITUTE is the FORBILD thorax, simulated on the scanner of "
      "Table I with 1e6 photons a ray, " +
      std::to_string(whole.geometry->views()) + " views." + without_gpu(context));
  const auto thorax = context.catalog().phantoms.make("forbild_thorax", "cpu", {});
  for (const Size& size : sizes(context, whole, 0.5)) {
    if (!has_solver(context, solver, on_cpu())) {
      add_row(table, size.setting.grid, {"GPU-BL", "FDK", -20, 20}, {{}, 0, not_here(solver)}, {},
              printed::clinical_ssim, {}, Better::larger);
      continue;
    }
    context.say("Fig. 19, substitute: " + size_text(size.setting.grid));
    const Scanned scanned = measure(context, *thorax, size.setting, false);
    const VolumeGrid& grid = size.setting.grid;
    const Reconstructed fdk = reconstruct(context, on_cpu(), scanned, {"fdk", {}, 1});
    draw(19, "FDK", fdk, "FDK", {}, grid, {}, result);
    const Recipe recipe{solver, {{"subsets", std::int64_t{10}}}, context.iterations(300)};
    Reconstructed reference;
    for (const Method& method : size.methods) {
      context.say("Fig. 19, substitute: " + method.label());
      const Reconstructed of = reconstruct(context, method, scanned, recipe);
      if (reference.image.empty()) reference = of;
      draw(19, method.label(), of, "FDK", fdk.image, grid, about_zero(20, "HU"), result);
      add_row(
          table, grid, {method.label(), "FDK", -20, 20}, of, fdk.image,
          method.printed == "GPU-BL" ? StudyCell(printed::clinical_ssim) : StudyCell(),
          [&](const Difference&) {
            const double value = slice_ssim(of.image, fdk.image, grid);
            return std::isnan(value) ? StudyCell() : StudyCell(value);
          },
          Better::larger);
      if (&method == &size.methods.front()) continue;
      const std::string first = size.methods[0].label();
      add_row(
          table, grid, {method.label(), first, -0.5, 0.5}, of, reference.image, {},
          [](const Difference&) { return StudyCell(); }, Better::none);
      if (!of.image.empty() && !reference.image.empty())
        result.images.push_back(difference_image(
            next_key(19, result), method.label() + " less " + first + about(19, grid), of.image,
            reference.image, grid, about_zero(0.5, "HU"), hu));
    }
    if (!context.has(gpu_bl()))
      add_row(table, grid, {gpu_bl().label(), "FDK", -20, 20}, {{}, 0, needs_cuda}, {},
              printed::clinical_ssim, {}, Better::larger);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::branchless_dd
