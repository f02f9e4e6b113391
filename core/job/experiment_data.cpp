#include "core/job/experiment_data.hpp"

#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"
#include "core/catalog/apply_corrections.hpp"
#include "core/corrections/padding/padding.hpp"
#include "core/data/resample.hpp"
#include "core/geometry/change_beam.hpp"
#include "core/geometry/fan_rebinning.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/scans/measured_scan.hpp"
#include "core/job/unit_note.hpp"
#include "core/metrics/metric.hpp"
#include "core/physics/noise.hpp"
#include "core/solvers/direct/ray_redundancy.hpp"
#include "core/solvers/direct/truncation_note.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace gantry {

namespace {

constexpr int phantom_subsamples = 4;        // per voxel edge, for the truth
constexpr int largest_fine_columns = 65536;  // of the scan simulated with subrays
constexpr int section_columns = 512;         // of the 2D scan fitted to a phantom
constexpr int cone_columns = 128;  // of a cone beam; four times as many take 64 times as long

struct PreparationContext {
  const Experiment& experiment;
  const Catalog& catalog;
  Backend& cpu;
  const Interrupt* interrupt;
  const Progress& progress;
  const RunCheck& check_runs;
  ScanCache* scan_cache;

  void report(double done, const std::string& what) const {
    if (progress) progress(done, what);
    if (interrupt != nullptr) interrupt->check();
  }
};

std::string format(double value) {
  TextStream text;
  text.precision(4);
  text << value;
  return text.str();
}

// ---- Memory

std::size_t float_bytes(std::size_t count) { return count * sizeof(float); }

std::size_t mask_bytes(const Experiment& experiment, const VolumeGrid& grid) {
  return experiment.metrics.mask != MaskKind::all ? grid.voxels() : 0;
}

/// Returns the size of the noisy data, which are held while the exact data still exist. The data of
/// a scan file need none.
std::size_t noise_bytes(const Experiment& experiment, const ScanGeometry& geometry) {
  const bool is_added =
      experiment.source.kind != SourceKind::scan && experiment.noise.photons_per_ray > 0;
  return is_added ? float_bytes(geometry.rays()) : 0;
}

/// Throws OutOfMemory if the mask and `beside` more bytes do not fit, or what check_runs throws.
/// The check comes before the allocations, since the system may grant more memory than it has and
/// kill the program later.
void require_memory(const PreparationContext& p, const ExperimentData& data, std::size_t beside) {
  if (p.check_runs)
    p.check_runs(p.experiment.source.rebin_to_fans ? *FanRebinning(*data.geometry, data.grid).fans()
                                                   : *data.geometry,
                 data.grid);
  const std::size_t needed = mask_bytes(p.experiment, data.grid) + beside,
                    free = p.cpu.free_bytes();
  if (needed > free) throw OutOfMemory("preparing the data", needed, free);
}

// ---- Geometry and grid

std::shared_ptr<const ScanGeometry> geometry_or(const Experiment& experiment,
                                                const ScanSpec& fallback) {
  return std::make_shared<const ScanGeometry>(experiment.geometry.value_or(fallback));
}

/// Sets the grid. Throws UsageError before the data are made if they could not be rebinned.
void set_grid(const Experiment& experiment, const VolumeGrid& fallback, ExperimentData& data) {
  data.grid = experiment.grid.value_or(fallback);
  data.grid.validate("grid");
  if (!experiment.source.rebin_to_fans) return;
  if (!experiment.grid) data.grid = rebinnable_slices(*data.geometry, fallback);
  const FanRebinning possible(*data.geometry, data.grid);
}

/// Returns the mask of the metrics; throws before the data are made if there is none.
MetricMask mask_of(const Experiment& experiment, const ExperimentData& data) {
  return metric_mask(mask_spec(experiment.metrics), *data.geometry, data.grid);
}

// ---- Rebinning

std::vector<float> to_fans(const PreparationContext& p, const FanRebinning& rebinning,
                           std::span<const float> cone) {
  const std::size_t needed = float_bytes(rebinning.fans()->rays()), free = p.cpu.free_bytes();
  if (needed > free) throw OutOfMemory("rebinning to fans", needed, free);
  std::vector<float> fans(rebinning.fans()->rays());
  rebinning.apply(cone, fans, p.interrupt);
  return fans;
}

void rebin(const PreparationContext& p, ExperimentData& data) {
  p.report(0.95, "Rebinning to fans");
  const FanRebinning rebinning(*data.geometry, data.grid);
  data.line_integrals = to_fans(p, rebinning, data.line_integrals);
  data.rebinned_from = std::exchange(data.geometry, rebinning.fans());
  data.simulation.reset();  // rebinned data match no projector exactly
  if (p.experiment.source.kind == SourceKind::scan) data.noise_norm = 0;  // that of other rays
  data.description += ", rebinned to fans";
  if (const std::string note = rebinning.note(); !note.empty()) data.notes.push_back(note);
}

// ---- Simulated data

/// Returns the norm of the noise in the data that runs use; rebinning is linear, so that the noise
/// alone is rebinned. Overwrites the exact data with the noise.
double norm_of_noise(const PreparationContext& p, std::span<const float> noisy,
                     ExperimentData& data) {
  std::vector<float>& noise = data.line_integrals;
  double square = 0;
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    const double difference = static_cast<double>(noisy[i]) - noise[i];
    square += difference * difference;
    noise[i] = static_cast<float>(difference);
  }
  if (!p.experiment.source.rebin_to_fans) return std::sqrt(square);
  const FanRebinning rebinning(*data.geometry, data.grid);
  square = 0;
  for (const double value : to_fans(p, rebinning, noise)) square += value * value;
  return std::sqrt(square);
}

/// Adds the noise of the experiment and stores its norm.
void add_noise(const PreparationContext& p, ExperimentData& data) {
  const NoiseSpec& noise = p.experiment.noise;
  if (noise.photons_per_ray <= 0) return;
  p.report(0.9, "Adding noise");
  std::vector<float> noisy(data.line_integrals.size());
  const std::size_t starved = add_transmission_noise(
      data.line_integrals, {noise.photons_per_ray, noise.electronic_sigma, noise.seed}, noisy,
      p.interrupt);
  data.noise_norm = norm_of_noise(p, noisy, data);
  data.counting = {noise.photons_per_ray, noise.electronic_sigma};
  data.line_integrals = std::move(noisy);
  data.description +=
      ", " + format(noise.photons_per_ray) + " photons per ray, seed " + std::to_string(noise.seed);
  if (starved > 0)
    data.notes.push_back(
        std::to_string(starved) +
        " rays counted less than one photon; their count was set to one; use more photons");
}

std::shared_ptr<ExperimentData> from_phantom(const PreparationContext& p) {
  const SourceSpec& source = p.experiment.source;
  const auto phantom = p.catalog.phantoms.make(source.phantom, "cpu", source.phantom_params);
  const Vec3 extent = phantom->half_extent_mm();
  auto data = std::make_shared<ExperimentData>();
  data->geometry = geometry_or(
      p.experiment, default_scan(std::max(extent.x, extent.y), 2 * extent.z,
                                 phantom->is_section() ? section_columns : cone_columns));
  set_grid(p.experiment, default_grid(*data->geometry), *data);
  require_memory(p, *data,
                 float_bytes(data->geometry->rays() + data->grid.voxels()) +
                     noise_bytes(p.experiment, *data->geometry));
  MetricMask mask = mask_of(p.experiment, *data);
  data->mu_water = source.mu_water;
  data->description = p.catalog.phantoms.at(source.phantom).label + ", exact line integrals";
  data->simulation = {{}, p.experiment.simulation.subrays, {}};

  p.report(0.1, "Computing exact line integrals");
  data->line_integrals.resize(data->geometry->rays());
  project_exactly(*phantom, *data->geometry, p.experiment.simulation.subrays, data->line_integrals,
                  p.interrupt);
  p.report(0.6, "Drawing the phantom on the grid");
  std::vector<float> truth(data->grid.voxels());
  voxelise(*phantom, data->grid, phantom_subsamples, truth, p.interrupt);
  data->reference = make_reference(data->grid, std::move(truth), "truth", std::move(mask));
  const double fov_mm = data->geometry->field_of_view_radius_mm();
  if (fov_mm < std::max(extent.x, extent.y))
    data->notes.push_back(
        "the detector does not see all of the object: the field of view has a radius of " +
        format(fov_mm) + " mm, the object reaches " + format(std::max(extent.x, extent.y)) + " mm");
  add_noise(p, *data);
  return data;
}

/// Whether a scan sees the whole of a phantom.
bool sees(const ScanSpec& spec, const Phantom& phantom) {
  const ScanGeometry geometry(spec);
  const Vec3 extent = phantom.half_extent_mm();
  if (geometry.field_of_view_radius_mm() < std::max(extent.x, extent.y)) return false;
  const bool cone = geometry.beam() == Beam::cone && geometry.rows() > 1;
  return phantom.is_section() ? !cone : cone && geometry.axial_coverage_mm() >= 2 * extent.z;
}

/// Returns the radius about the axis that contains everything denser than a tenth of water; the
/// whole grid if nothing is.
double object_radius_mm(const LoadedVolume& volume) {
  const VolumeGrid& g = volume.grid;
  double radius = 0;
  for (int iz = 0; iz < g.nz; ++iz)
    for (int iy = 0; iy < g.ny; ++iy)
      for (int ix = 0; ix < g.nx; ++ix)
        if (volume.mu[g.index(ix, iy, iz)] > 0.1 * volume.mu_water) {
          const Vec3 c = g.voxel_center_mm(ix, iy, iz);
          radius = std::max(radius, std::hypot(c.x, c.y));
        }
  const Vec3 corner = g.upper_corner_mm();
  return radius > 0 ? radius + std::max(g.spacing_mm.x, g.spacing_mm.y)
                    : std::hypot(corner.x, corner.y);
}

/// Returns a scan that covers the whole object, with cells as fine at the axis as the voxels.
ScanSpec fitting_scan(const LoadedVolume& volume, bool slice_by_slice) {
  constexpr int fewest_columns = 64, most_columns = 512;
  const VolumeGrid& g = volume.grid;
  const double radius_mm = object_radius_mm(volume);
  const double height_mm = g.nz == 1 ? 0.0 : g.nz * g.spacing_mm.z;
  const double voxels = std::ceil(2 * radius_mm / std::min(g.spacing_mm.x, g.spacing_mm.y));
  const ScanSpec scan =
      default_scan(radius_mm, height_mm,
                   static_cast<int>(std::clamp<double>(voxels, fewest_columns, most_columns)));
  return slice_by_slice ? with_beam(scan, Beam::fan, g) : scan;
}

/// Reduces the volume to one slice, as a 2D truth at z = 0.
void keep_slice(LoadedVolume& volume, int slice) {
  VolumeGrid& g = volume.grid;
  if (slice < 0) return;
  if (slice >= g.nz)
    throw UsageError("there is no slice " + std::to_string(slice), volume.source,
                     "use 0 to " + std::to_string(g.nz - 1));
  const std::size_t plane = g.index(0, 0, 1) - g.index(0, 0, 0);
  const auto first =
      volume.mu.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(slice) * plane);
  volume.mu = std::vector<float>(first, first + static_cast<std::ptrdiff_t>(plane));
  const double z_mm = g.voxel_center_mm(0, 0, slice).z;
  if (volume.frame) volume.frame = volume.frame->shifted({0, 0, -z_mm});
  if (volume.study && static_cast<std::size_t>(slice) < volume.study->instance_uids.size()) {
    DicomStudy study = *volume.study;
    study.instance_uids = {study.instance_uids[static_cast<std::size_t>(slice)]};
    if (static_cast<std::size_t>(slice) < study.slices.size())
      study.slices = {study.slices[static_cast<std::size_t>(slice)]};
    volume.study = std::make_shared<const DicomStudy>(std::move(study));
  }
  g.nz = 1;
  g.origin_mm.z = 0;
}

/// Moves the grid's centre onto the axis of rotation, and the DICOM frame with it.
void centre(LoadedVolume& volume) {
  const Vec3 shift = -1.0 * volume.grid.center_mm();
  constexpr double nothing_mm = 1e-6;
  if (norm(shift) < nothing_mm) return;
  volume.grid.origin_mm = volume.grid.origin_mm + shift;
  if (volume.frame) volume.frame = volume.frame->shifted(shift);
  // Rounding leaves a component that is 0 with a sign, or as 1e-15.
  const auto part = [](double mm) { return format(std::abs(mm) < nothing_mm ? 0 : mm); };
  volume.notes.push_back("the volume was moved by " + part(shift.x) + ", " + part(shift.y) + ", " +
                         part(shift.z) + " mm, so that its centre lies on the axis of rotation");
}

/// Returns the largest memory held at a time, bytes: the data and, at first, the volume, its fine
/// rays and the projector's workspace, later the truth and the noisy data.
std::size_t simulation_bytes(const PreparationContext& p, const LoadedVolume& volume,
                             const ExperimentData& data, const Projector& projector) {
  const std::size_t rays = data.geometry->rays(),
                    subrays = static_cast<std::size_t>(p.experiment.simulation.subrays);
  const std::size_t projecting =
      float_bytes(volume.grid.voxels() + subrays * rays) + projector.workspace_bytes();
  const std::size_t finishing =
      float_bytes(data.grid.voxels()) + noise_bytes(p.experiment, *data.geometry);
  return float_bytes(rays) + std::max(projecting, finishing);
}

/// Returns a projector of several rays per cell, on the truth's own grid.
std::unique_ptr<Projector> fine_projector(const PreparationContext& p, const LoadedVolume& volume,
                                          const ExperimentData& data) {
  const int subrays = p.experiment.simulation.subrays;
  const int columns = data.geometry->columns();
  if (columns > largest_fine_columns / subrays)
    throw UsageError(std::to_string(columns) + " columns with " + std::to_string(subrays) +
                         " rays across each are too many",
                     "simulation.subrays",
                     "use " + std::to_string(largest_fine_columns / columns) + " at most");
  const auto geometry =
      std::make_shared<const ScanGeometry>(with_finer_columns(data.geometry->spec(), subrays));
  auto projector = p.catalog.projectors.make(p.experiment.simulation.projector, "cpu", p.cpu,
                                             geometry, volume.grid, {});
  projector->set_interrupt(p.interrupt);
  return projector;
}

/// Sets the data to the mean of the rays of each cell.
void project_volume(const PreparationContext& p, const Projector& projector,
                    const LoadedVolume& volume, ExperimentData& data) {
  const int subrays = p.experiment.simulation.subrays;
  const Array x = Array::from(p.cpu, volume.mu);
  Array y(p.cpu, projector.range_size());
  const int views = projector.views(), batch = std::max(1, views / 50);
  for (int first = 0; first < views; first += batch) {
    p.report(0.1 + 0.8 * first / views, "Projecting the volume");
    projector.forward(x, y, {first, 1, std::min(batch, views - first)});
  }
  data.line_integrals.resize(data.geometry->rays());
  const std::span<const float> fine_values = y.host();
  for (std::size_t i = 0; i < data.line_integrals.size(); ++i) {
    double sum = 0;
    for (int s = 0; s < subrays; ++s)
      sum += fine_values[i * static_cast<std::size_t>(subrays) + static_cast<std::size_t>(s)];
    data.line_integrals[i] = static_cast<float>(sum / subrays);
  }
}

/// Values of a file without a unit were taken as 1/mm: adds a warning if they cannot be.
void warn_about_unit(LoadedVolume& volume, const SourceSpec& source) {
  constexpr double lowest = -1, highest = 50;  // 1/mm; lead at 30 keV has 34
  if (source.values_are_hu || volume.frame) return;
  const auto [low, high] = std::ranges::minmax(volume.mu);
  if (low >= lowest && high <= highest) return;
  const double wrong = high > highest ? high : low;
  volume.notes.insert(volume.notes.begin(), doubtful_unit_note(source_name(volume), wrong));
}

std::shared_ptr<ExperimentData> from_volume(const PreparationContext& p) {
  const SourceSpec& source = p.experiment.source;
  p.report(0.0, "Reading the volume");
  LoadedVolume volume = load_volume(source.path, {.values_are_hu = source.values_are_hu,
                                                  .mu_water = source.mu_water,
                                                  .series = source.series_uid,
                                                  .uneven = source.uneven,
                                                  .interrupt = p.interrupt});
  volume.unknown.clear();  // values that are missing become air, in the simulation and in the truth
  const int source_slices = volume.grid.nz;
  warn_about_unit(volume, source);
  keep_slice(volume, source.slice);
  centre(volume);
  // The noise of air reaches below -1000 HU, which is not physical.
  for (float& value : volume.mu) value = std::max(value, 0.0F);

  auto data = std::make_shared<ExperimentData>();
  data->geometry = geometry_or(p.experiment, fitting_scan(volume, source.slice_by_slice));
  set_grid(p.experiment, volume.grid, *data);
  auto projector = fine_projector(p, volume, *data);
  require_memory(p, *data, simulation_bytes(p, volume, *data, *projector));
  MetricMask mask = mask_of(p.experiment, *data);
  data->mu_water = volume.mu_water;
  data->radiological = volume.frame.has_value();
  data->source_slices = source_slices;
  data->description = source_name(volume) +
                      (source.slice >= 0 ? ", slice " + std::to_string(source.slice) : "") +
                      ", simulated scan";
  data->notes = volume.notes;
  data->simulation = {p.experiment.simulation.projector, p.experiment.simulation.subrays,
                      volume.grid};
  project_volume(p, *projector, volume, *data);
  projector.reset();
  std::vector<float> truth =
      data->grid == volume.grid ? volume.mu : resample_volume(volume.grid, volume.mu, data->grid);
  data->reference = make_reference(data->grid, std::move(truth), "truth", std::move(mask));
  data->volume = std::make_shared<const LoadedVolume>(std::move(volume));
  add_noise(p, *data);
  return data;
}

// ---- Measured data

std::shared_ptr<ExperimentData> from_scan(const PreparationContext& p) {
  const SourceSpec& source = p.experiment.source;
  const std::vector<CorrectionSpec> steps = applied(p.experiment.corrections);
  ImportSettings settings = source.import_settings;
  const Padding padding = std::exchange(settings.padding, {});  // comes after the corrections
  const MeasuredScanReading reading(
      {source.path, std::move(settings), p.experiment.geometry, steps},
      {p.catalog, p.cpu, p.scan_cache, p.interrupt, p.progress});
  MeasuredScan measured = reading.read();
  LoadedScan& scan = measured.scan;
  auto data = std::make_shared<ExperimentData>();
  data->lengths_are_known = scan.lengths_are_known;
  data->lacks_flat = scan.lacks_flat;
  data->assumptions = measured.assumptions;
  const auto geometry = measured_geometry(p.experiment.geometry, padding, scan, source.path);
  data->lengths_are_known = lengths_are_known(scan, *geometry);
  data->geometry = padded(geometry, padding);
  data->counting = scan.counting;
  data->noise_norm = measured.noise_norm;
  data->simulation = scan.simulation;
  // Columns that are added show nothing of the object.
  set_grid(p.experiment, default_grid(*geometry), *data);
  require_memory(p, *data, 0);
  mask_of(p.experiment, *data);  // of a reference that the user pins
  if (scan.mu_water > 0) data->stated_mu_water = scan.mu_water;
  data->mu_water = water_of(p.experiment.source, *data);
  data->description = scan.description.empty()
                          ? std::filesystem::path(p.experiment.source.path).filename().string()
                          : scan.description;
  // This is then said in every file that is made of the data.
  const std::string in_cells = ", lengths in cells of unknown size";
  if (!data->lengths_are_known && !data->description.ends_with(in_cells))
    data->description += in_cells;
  data->license = scan.license;
  data->notes = scan.notes;
  reading.correct(measured, *geometry);
  data->line_integrals = taken_line_integrals(measured);
  if (padding.columns > 0 || source.rebin_to_fans)
    reading.keep_copy(measured, data->line_integrals);
  else
    reading.keep(measured, {data, &data->line_integrals});
  std::string truncation =
      truncation_note(*geometry, data->line_integrals, expected_of_padding(padding));
  data->hides_cut_rows = scan.hides_cut_rows || (padding.columns > 0 && !truncation.empty());
  if (scan.hides_cut_rows && truncation.empty()) truncation = hidden_truncation_note();
  pad(data->line_integrals, geometry->columns(), padding);
  data->notes.insert(data->notes.end(), measured.correction_notes.begin(),
                     measured.correction_notes.end());
  for (std::string note : {padding_note(*geometry, padding), std::move(truncation)})
    if (!note.empty()) data->notes.push_back(std::move(note));
  data->description += named_corrections(steps) + named_padding(padding);
  if (!steps.empty() || padding.columns > 0)
    data->simulation.reset();  // corrected data match no projector exactly
  return data;
}

std::shared_ptr<ExperimentData> from_source(const PreparationContext& p) {
  switch (p.experiment.source.kind) {
    case SourceKind::phantom:
      return from_phantom(p);
    case SourceKind::volume:
      return from_volume(p);
    case SourceKind::scan:
      return from_scan(p);
  }
  throw UsageError("unknown kind of source", "source");
}

}  // namespace

double water_of(const SourceSpec& source, const ExperimentData& data) {
  if (source.kind != SourceKind::scan) return data.mu_water;
  return source.mu_water != default_mu_water ? source.mu_water : data.stated_mu_water;
}

void choose_phantom(Experiment& experiment, const std::string& key, const Catalog& catalog) {
  experiment.source.phantom = key;
  experiment.source.phantom_params = {};
  const auto phantom = catalog.phantoms.make(key, "cpu", {});
  if (experiment.geometry && sees(*experiment.geometry, *phantom)) return;
  experiment.geometry.reset();
  experiment.grid.reset();
  experiment.source.rebin_to_fans = false;  // the scan that will be fitted may not suit rebinning
}

std::size_t least_bytes(const Experiment& experiment, const ScanGeometry& geometry,
                        const VolumeGrid& grid) {
  const bool is_simulated = experiment.source.kind != SourceKind::scan;
  return float_bytes(geometry.rays() + (is_simulated ? grid.voxels() : 0)) +
         noise_bytes(experiment, geometry) + mask_bytes(experiment, grid);
}

std::shared_ptr<const ExperimentData> prepare_data(
    const Experiment& experiment, const Catalog& catalog, Backend& cpu, const Interrupt* interrupt,
    const Progress& progress, const RunCheck& check_runs, ScanCache* scan_cache) {
  const PreparationContext p{experiment, catalog, cpu, interrupt, progress, check_runs, scan_cache};
  require_measured_to_correct(experiment);
  const FileAccess access = access_for(experiment.source);  // before the data take memory
  const std::shared_ptr<ExperimentData> data = from_source(p);
  if (experiment.source.rebin_to_fans) rebin(p, *data);
  data->access = access;
  const std::string missing = coverage_note(*data->geometry);
  if (!missing.empty()) data->notes.push_back(missing);
  return data;
}

}  // namespace gantry
