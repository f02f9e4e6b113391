#include "core/job/coarse_start.hpp"

#include "core/data/resample.hpp"
#include "core/geometry/coarsening.hpp"
#include "core/job/reconstruction_job.hpp"

#include <chrono>
#include <cmath>

namespace gantry {

namespace {

class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total) {}
  ~Stopwatch() {
    total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

RunSpec coarse_run(RunSpec run, const std::string& backend_key) {
  run.backend = backend_key;
  run.iterations = run.coarse_iterations;
  --run.coarse_levels;
  run.clear_history();
  return run;
}

}  // namespace

std::shared_ptr<const ExperimentData> coarse_data(const ExperimentData& data) {
  const ScanSpec& scan = data.geometry->spec();
  const CellBinning binning = binning_for_double_voxels(scan);
  auto coarse = std::make_shared<ExperimentData>();
  coarse->geometry = std::make_shared<const ScanGeometry>(with_binned_cells(scan, binning));
  coarse->line_integrals = bin_cells(data.line_integrals, scan, binning);
  coarse->grid = with_double_voxels(data.grid, scan.beam == Beam::cone);
  coarse->mu_water = data.mu_water;
  // A cell joins the photons of its parts, whose noise is independent.
  const double cells = binning.cells();
  coarse->counting = {data.counting.photons_per_ray * cells,
                      data.counting.electronic_sigma * std::sqrt(cells)};
  coarse->noise_norm = data.noise_norm / cells;
  return coarse;
}

CoarseStart::CoarseStart(const RunSpec& run, const ExperimentData& data,
                         const std::string& backend_key, const Catalog& catalog,
                         const BackendList& backends, const Interrupt* interrupt)
    : fine_(data.grid) {
  const Stopwatch watch(seconds_);
  job_ = std::make_unique<ReconstructionJob>(coarse_run(run, backend_key), coarse_data(data),
                                             MetricsSpec{}, catalog, backends, interrupt);
}

CoarseStart::~CoarseStart() = default;

RunProgress CoarseStart::progress() const { return job_->progress(); }

void CoarseStart::resume_from(const RunProgress& progress) {
  seconds_ += progress.seconds;
  job_->resume_from(progress);
}

int CoarseStart::iterations() const { return job_->iterations() + job_->start_iterations(); }

std::vector<float> CoarseStart::image() {
  const Stopwatch watch(seconds_);
  while (!job_->finished()) job_->advance();
  return resample_volume(job_->shared_data()->grid, job_->solution(), fine_);
}

double CoarseStart::applications() const {
  return job_->applications() * static_cast<double>(job_->shared_data()->grid.voxels()) /
         static_cast<double>(fine_.voxels());
}

std::string CoarseStart::note() const {
  const VolumeGrid& grid = job_->shared_data()->grid;
  std::string size = std::to_string(grid.nx) + " x " + std::to_string(grid.ny);
  if (grid.nz > 1) size += " x " + std::to_string(grid.nz);
  const int made = job_->iterations();
  return "starts from " + std::to_string(made) + (made == 1 ? " iteration" : " iterations") +
         " with " + size + " voxels";
}

}  // namespace gantry
