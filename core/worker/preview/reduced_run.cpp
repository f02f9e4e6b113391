#include "core/worker/preview/reduced_run.hpp"

#include "core/base/error.hpp"
#include "core/catalog/projector_choice.hpp"
#include "core/data/resample.hpp"
#include "core/geometry/coarsening.hpp"
#include "core/job/coarse_start.hpp"
#include "core/job/reconstruction_job.hpp"
#include "core/physics/noise.hpp"
#include "core/worker/preview/slice_preview.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace gantry {

namespace {

constexpr int few_views = 120, few_views_in_space = 60, most_iterations = 10;

/// Limit of the data; binning and filtering more than these 4 GB would take many seconds.
constexpr std::size_t most_rays = std::size_t{1024} << 20;

/// Returns n if every n-th view is kept: where possible a divisor of the number of views, so that
/// the kept views are at equal steps around a whole turn.
std::size_t stride_for(std::size_t views, std::size_t most) {
  const std::size_t least = std::max<std::size_t>(1, (views + most - 1) / most);
  for (std::size_t stride = least; stride <= 2 * least; ++stride)
    if (views % stride == 0) return stride;
  return least;
}

template <class T>
std::vector<T> every(const std::vector<T>& all, std::size_t stride) {
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += stride) some.push_back(all[i]);
  return some;
}

std::size_t stride_of(const ScanSpec& scan) {
  const int most = scan.beam == Beam::cone ? few_views_in_space : few_views;
  // The angles of free poses are not known before a ScanGeometry is made of them.
  const std::size_t views = std::max(scan.view_angles_rad.size(), scan.poses.size());
  return stride_for(views, static_cast<std::size_t>(most));
}

ScanSpec with_fewer_views(ScanSpec scan, std::size_t stride) {
  scan.view_angles_rad = every(scan.view_angles_rad, stride);
  scan.poses = every(scan.poses, stride);
  return scan;
}

/// Returns n if every n-th slice of a stack is kept, whose detector rows measure a slice each; 1
/// for other scans.
std::size_t slice_stride(const ScanSpec& scan, const VolumeGrid& grid, Reduction reduction) {
  if (!is_stack(scan, grid)) return 1;
  const auto rows = static_cast<std::size_t>(scan.detector_rows);
  return (rows - 1) / reduction.most_slices + 1;
}

/// Keeps every n-th slice of a stack in its scan and grid.
void thin_slices(ScanSpec& scan, VolumeGrid& grid, std::size_t stride) {
  const auto rows = static_cast<std::size_t>(scan.detector_rows);
  scan.detector_rows = grid.nz = static_cast<int>((rows + stride - 1) / stride);
  scan.row_pitch_mm *= static_cast<double>(stride);
  scan.central_row /= static_cast<double>(stride);
  grid.spacing_mm.z *= static_cast<double>(stride);
}

std::shared_ptr<const ExperimentData> with_fewer_slices(
    const std::shared_ptr<const ExperimentData>& all, Reduction reduction) {
  ScanSpec scan = all->geometry->spec();
  const std::size_t stride = slice_stride(scan, all->grid, reduction);
  if (stride == 1) return all;
  auto fewer = std::make_shared<ExperimentData>();
  fewer->grid = all->grid;
  thin_slices(scan, fewer->grid, stride);
  fewer->geometry = std::make_shared<const ScanGeometry>(scan);
  fewer->mu_water = all->mu_water;
  fewer->counting = all->counting;
  fewer->noise_norm = all->noise_norm / std::sqrt(static_cast<double>(stride));
  const auto columns = static_cast<std::ptrdiff_t>(scan.detector_columns);
  const auto rows = static_cast<std::size_t>(all->geometry->rows());
  fewer->line_integrals.reserve(fewer->geometry->rays());
  for (std::size_t view = 0; view < static_cast<std::size_t>(all->geometry->views()); ++view)
    for (std::size_t row = 0; row < rows; row += stride) {
      const auto first =
          all->line_integrals.begin() + static_cast<std::ptrdiff_t>(view * rows + row) * columns;
      fewer->line_integrals.insert(fewer->line_integrals.end(), first, first + columns);
    }
  return fewer;
}

}  // namespace

std::shared_ptr<const ExperimentData> with_every_nth_view(std::shared_ptr<const ExperimentData> all,
                                                          std::size_t n) {
  if (n <= 1) return all;
  const ExperimentData& data = *all;
  const std::size_t cells = data.geometry->cells(),
                    views = static_cast<std::size_t>(data.geometry->views());
  auto fewer = std::make_shared<ExperimentData>(data);
  fewer->geometry =
      std::make_shared<const ScanGeometry>(with_fewer_views(data.geometry->spec(), n));
  fewer->line_integrals.clear();
  for (std::size_t view = 0; view < views; view += n) {
    const auto first = data.line_integrals.begin() + static_cast<std::ptrdiff_t>(view * cells);
    fewer->line_integrals.insert(fewer->line_integrals.end(), first,
                                 first + static_cast<std::ptrdiff_t>(cells));
  }
  fewer->noise_norm = data.noise_norm / std::sqrt(static_cast<double>(n));
  return fewer;
}

bool is_reduced(const VolumeGrid& grid, Reduction reduction) {
  const int most = grid.nz > 1 ? reduction.most_in_space : reduction.most_in_plane;
  return std::max(grid.nx, grid.ny) > most && CoarseStart::is_possible(grid);
}

Reduction Reduction::to(int voxels_across) {
  return {voxels_across, voxels_across, std::numeric_limits<std::size_t>::max(), false};
}

std::optional<Reduction> finer_reduction(const VolumeGrid& grid, const VolumeGrid& made,
                                         double seconds, double most_seconds) {
  double voxels = static_cast<double>(grid.voxels());
  const double before = static_cast<double>(made.voxels()),
               part_per_halving = grid.nz > 1 ? 1.0 / 8 : 1.0 / 4;
  for (int across = std::max(grid.nx, grid.ny); across > 1; across = (across + 1) / 2) {
    if (voxels <= before * 1.01) return std::nullopt;
    if (seconds * voxels / before <= most_seconds) return Reduction::to(across);
    voxels *= part_per_halving;
  }
  return std::nullopt;
}

std::shared_ptr<const ExperimentData> coarsened(std::shared_ptr<const ExperimentData> data,
                                                Reduction reduction, const Interrupt& interrupt) {
  data = with_fewer_slices(data, reduction);
  if (reduction.takes_fewer_views)
    data = with_every_nth_view(data, stride_of(data->geometry->spec()));
  while (is_reduced(data->grid, reduction)) {
    interrupt.check();
    data = coarse_data(*data);
  }
  return data;
}

std::shared_ptr<const ExperimentData> coarsened_quickly(std::shared_ptr<const ExperimentData> data,
                                                        Reduction reduction,
                                                        const Interrupt& interrupt) {
  if (data->line_integrals.size() > most_rays)
    throw UsageError("the scan is too large for a preview", {}, "start a run");
  return coarsened(std::move(data), reduction, interrupt);
}

namespace {

/// Scan, grid and photons of a simulation on larger voxels, as coarse_data() would give them.
struct CoarseScan {
  ScanSpec scan;
  VolumeGrid grid;
  NoiseSpec noise;
};
CoarseScan coarse_scan(const Experiment& tried, const ExperimentData& data, Reduction reduction) {
  CoarseScan coarse{tried.geometry.value_or(data.geometry->spec()), tried.grid.value_or(data.grid),
                    tried.noise};
  thin_slices(coarse.scan, coarse.grid, slice_stride(coarse.scan, coarse.grid, reduction));
  if (reduction.takes_fewer_views)
    coarse.scan = with_fewer_views(coarse.scan, stride_of(coarse.scan));
  while (is_reduced(coarse.grid, reduction)) {
    const CellBinning binning = binning_for_double_voxels(coarse.scan);
    coarse.scan = with_binned_cells(coarse.scan, binning);
    coarse.grid = with_double_voxels(coarse.grid, coarse.scan.beam == Beam::cone);
    coarse.noise.photons_per_ray *= binning.cells();
    coarse.noise.electronic_sigma *= std::sqrt(static_cast<double>(binning.cells()));
  }
  return coarse;
}

std::shared_ptr<const ExperimentData> simulated_anew(const Experiment& tried,
                                                     const CoarseScan& coarse,
                                                     const Catalog& catalog,
                                                     const BackendList& backends,
                                                     const Interrupt& interrupt) {
  Experiment small = tried;
  small.geometry = coarse.scan;
  small.grid = coarse.grid;
  small.noise = coarse.noise;
  small.simulation.subrays = 1;
  small.metrics = {};
  small.runs.clear();
  return prepare_data(small, catalog, backends.resolve(host_key), &interrupt);
}

/// Returns the data that a scan would measure if the object were the truth of the present data.
std::shared_ptr<const ExperimentData> projected_anew(
    const Experiment& tried, const CoarseScan& coarse, const ExperimentData& data,
    const Catalog& catalog, const BackendList& backends, const Interrupt& interrupt) {
  auto made = std::make_shared<ExperimentData>();
  made->geometry = std::make_shared<const ScanGeometry>(coarse.scan);
  made->grid = coarse.grid;
  made->mu_water = data.mu_water;
  Backend& cpu = backends.resolve(host_key);
  const auto projector = catalog.projectors.make(tried.simulation.projector, host_key, cpu,
                                                 made->geometry, made->grid, Params{});
  const Array truth =
      Array::from(cpu, resample_volume(data.reference->grid, data.reference->mu(), made->grid));
  Array rays(cpu, made->geometry->rays());
  projector->forward(truth, rays);
  made->line_integrals = rays.to_host();
  if (coarse.noise.photons_per_ray <= 0) return made;
  const std::vector<float> exact = made->line_integrals;
  add_transmission_noise(
      exact, {coarse.noise.photons_per_ray, coarse.noise.electronic_sigma, coarse.noise.seed},
      made->line_integrals, &interrupt);
  made->counting = {coarse.noise.photons_per_ray, coarse.noise.electronic_sigma};
  return made;
}

}  // namespace

std::shared_ptr<const ExperimentData> reduced_data(
    const Experiment& tried, const Experiment& made_from,
    const std::shared_ptr<const ExperimentData>& data, Reduction reduction, const Catalog& catalog,
    const BackendList& backends, const Interrupt& interrupt,
    const std::shared_ptr<const ExperimentData>& coarse) {
  if (data->line_integrals.size() > most_rays)
    throw UsageError("the scan is too large to be followed", {}, "let go and start the run");
  const auto present = [&] {
    return coarse != nullptr ? coarse : coarsened(data, reduction, interrupt);
  };
  if (same_data(tried, made_from)) return present();
  if (!same_source(tried.source, made_from.source) ||
      applied(tried.corrections) != applied(made_from.corrections) || tried.source.rebin_to_fans)
    throw UsageError("this change cannot be followed", {}, "let go and apply it");
  if (tried.source.kind == SourceKind::phantom)
    return simulated_anew(tried, coarse_scan(tried, *data, reduction), catalog, backends,
                          interrupt);
  if (tried.source.kind == SourceKind::volume)
    return projected_anew(tried, coarse_scan(tried, *data, reduction), *data, catalog, backends,
                          interrupt);
  const auto geometry =
      std::make_shared<const ScanGeometry>(tried.geometry.value_or(data->geometry->spec()));
  if (geometry->rays() != data->geometry->rays() ||
      geometry->columns() != data->geometry->columns())
    throw UsageError("a measured scan keeps its views and cells", {}, "undo the change");
  // Where the tried scan is reduced to the same cells as the present one, the reduced data are
  // used, which are fewer; another grid may need other cells, and then the full data are reduced
  // again.
  const CoarseScan wanted = coarse_scan(tried, *data, reduction);
  const auto reduced = present();
  const bool has_its_cells = reduced->geometry->columns() == wanted.scan.detector_columns &&
                             reduced->geometry->rows() == wanted.scan.detector_rows;
  auto moved = std::make_shared<ExperimentData>(has_its_cells ? *reduced : *data);
  moved->geometry = has_its_cells ? std::make_shared<const ScanGeometry>(wanted.scan) : geometry;
  moved->grid = has_its_cells ? wanted.grid : tried.grid.value_or(data->grid);
  return has_its_cells ? moved : coarsened(std::move(moved), reduction, interrupt);
}

ReducedImage reconstruct_reduced(RunSpec run, const std::shared_ptr<const ExperimentData>& data,
                                 std::chrono::steady_clock::time_point until,
                                 const Catalog& catalog, const BackendList& backends,
                                 const Interrupt& interrupt) {
  RunSpec small;
  small.solver = run.solver;
  small.solver_params = std::move(run.solver_params);
  small.prior = run.prior;
  small.prior_params = std::move(run.prior_params);
  small.projector = run.projector;
  small.projector_params = std::move(run.projector_params);
  small.weights = run.weights;
  small.backend = host_key;
  small.iterations = std::min(run.iterations, most_iterations);
  ReconstructionJob job(small, data, MetricsSpec{}, catalog, backends, &interrupt);
  while (!job.finished()) {
    job.advance();
    if (job.iterations() > 0 && std::chrono::steady_clock::now() > until) break;
  }
  const int made = job.iterations(), views = data->geometry->views();
  return {
      data->grid, job.solution(),
      std::to_string(made) + " it., " + std::to_string(views) + (views == 1 ? " view" : " views")};
}

ReducedImage reconstruct_quickly(std::shared_ptr<const ExperimentData> data, const Catalog& catalog,
                                 const BackendList& backends, const Interrupt& interrupt,
                                 Reduction reduction, const std::string& backend) {
  data = coarsened_quickly(std::move(data), reduction, interrupt);
  for (const auto& method : catalog.solvers.entries()) {
    if (!method.traits.is_direct) continue;
    RunSpec run;
    run.solver = method.key;
    run.backend = backend;
    run.projector = suitable_projector(catalog, host_key, *data->geometry, run.projector);
    run.iterations = 1;
    try {
      ReconstructionJob job(run, data, MetricsSpec{}, catalog, backends, &interrupt);
      while (!job.finished()) job.advance();
      return {data->grid, job.solution(), method.label};
    } catch (const UsageError&) {
      continue;  // the method does not suit the scan
    }
  }
  throw UsageError("no direct method suits the scan", {}, "start an iterative run");
}

}  // namespace gantry
