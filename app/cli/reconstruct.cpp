#include "app/cli/checkpoints.hpp"
#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/correction_options.hpp"
#include "app/cli/device_memory.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/metrics_options.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/series_options.hpp"
#include "app/cli/signals.hpp"
#include "core/base/error.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/reference.hpp"
#include "core/job/run_prior.hpp"

#include <iostream>
#include <memory>

namespace gantry::cli {

namespace {

struct ReconstructOptions {
  RunOptions run;
  CorrectionOptions corrections;
  RegionOptions regions;
  SeriesOptions series;  ///< of the reference; only --uneven is offered
  CheckpointOptions checkpoints;
  std::string mask = "circle";
  std::string scan, reference, log, out, edges;
  double mu_water = default_mu_water, noise_norm = 0;
  bool deidentify = false;
};

MetricsSpec metrics_of(const ReconstructOptions& options) {
  MetricsSpec metrics;
  metrics.mask = options.mask == "all"   ? MaskKind::all
                 : options.mask == "roi" ? MaskKind::roi
                                         : MaskKind::circle;
  metrics.regions = options.regions.regions();
  return metrics;
}

/// Throws UsageError if the run has no edge field that could be written.
void require_edges(const RunSpec& run, const Catalog& catalog) {
  const std::string prior = prior_of(run, catalog);
  if (!prior.empty() && catalog.priors.at(prior).traits.has_edges) return;
  const std::string others =
      catalog.priors.keys_that([](const auto& entry) { return entry.traits.has_edges; });
  throw UsageError("the run has no prior with an edge field", "--edges",
                   "give --prior " + others + " and a solver that takes it, or leave --edges out");
}

int reconstruct(const ReconstructOptions& options, Program& program) {
  RunSpec run = options.run.run_spec(program.catalog);
  const auto corrections = options.corrections.steps(program.catalog);
  if (!options.edges.empty()) require_edges(run, program.catalog);
  program.backends.resolved_key(run.backend);
  MetricsSpec metrics = metrics_of(options);
  // The curves hold the objective of every method that has one; some methods need the residual of
  // their image for that, which takes another product.
  if (!options.log.empty() &&
      program.catalog.solvers.at(run.solver).traits.objective_takes_residual)
    metrics.exact_residual = true;
  const CheckpointOptions& checkpoints = options.checkpoints;
  checkpoints.validate();
  // The outputs are checked before hours of work.
  FileRoles files;
  files.reads(options.scan, "SCAN");
  files.reads(options.reference, "--reference");
  files.writes_volume(options.out, "--out");
  if (!options.edges.empty()) files.writes_volume(options.edges, "--edges");
  files.writes_file(options.log, "--log");
  files.writes_file(options.checkpoints.path, "--checkpoint");
  if (options.checkpoints.path.empty())
    files.writes_file(checkpoint_beside(options.out).string(), "the checkpoint beside --out");
  files.require_distinct();
  require_writable_volume(options.out);
  if (options.deidentify) require_deidentifiable(options.out);
  if (!options.edges.empty()) {
    require_writable_volume(options.edges);
    VolumeToWrite probe;
    if (writes_hu(options.edges, probe))
      throw UsageError("an edge field has no unit, and this format stores HU", "--edges",
                       "give the name of a file, as of a .mha, .nrrd, .nii, .tif or .npy one");
  }
  if (!options.log.empty()) const AtomicFile probe(options.log);
  Experiment experiment;
  experiment.source.kind = SourceKind::scan;
  experiment.source.path = options.scan;
  experiment.source.mu_water = options.mu_water;
  experiment.corrections = corrections;
  experiment.metrics = metrics;
  const ScanGeometry geometry(read_geometry(options.scan));
  experiment.grid = options.run.volume_grid(default_grid(geometry));
  run.projector = options.run.projector_for(program.catalog, geometry);
  experiment.runs = {run};
  const SignalInterrupt signal_interrupt;
  auto data = std::make_shared<ExperimentData>(
      *prepare_for_runs(experiment, program, &signal_interrupt.interrupt()));
  print_notes(notes_for(*data, {run}, program.catalog));
  require_known_lengths(options.out, data->lengths_are_known);
  if (options.noise_norm > 0) data->noise_norm = options.noise_norm;
  if (run.discrepancy > 0 && data->noise_norm == 0)
    throw UsageError("the noise of a scan of line integrals is not known", "--stop-at-noise",
                     "give --noise-norm, open a scan of counts, or use --stop-at-residual");
  if (!options.reference.empty()) {
    const LoadedVolume truth = load_volume(
        options.reference, {false, options.mu_water, {}, options.series.uneven_slices()});
    print_notes_of(options.reference, truth.notes);
    const MetricMask mask =
        metric_mask(mask_spec(experiment.metrics), data->measured_geometry(), data->grid);
    set_external_reference(*data, truth, source_name(truth), mask);
    const std::string& label = data->reference->mask.label;
    if (label != mask.label) print_notes({"metrics are taken " + label});
  }
  const Reconstructed result = reconstruct_and_report(
      run, data, experiment.metrics, program,
      {options.log,
       {checkpoints.path, checkpoint_beside(options.out), checkpoints.resume, checkpoints.every}});
  if (!result.mu.empty())
    std::cout << write_result(options.out, result, *data, program.catalog, options.deidentify)
              << '\n';
  if (!options.edges.empty() && !result.edges.empty())
    std::cout << write_edges(options.edges, result, *data) << '\n';
  else if (!options.edges.empty() && result.interrupted.empty())
    print_notes({options.edges +
                 " was not written: the resumed run had no iteration left, in which "
                 "its edge field is computed; give a larger --iterations"});
  if (result.interrupted.empty()) return 0;
  print_how_to_resume(result.checkpoint_path);
  return exit_status_of(received_signal());
}

}  // namespace

Command add_reconstruct(CLI::App& app, Program& program) {
  auto options = std::make_shared<ReconstructOptions>();
  CLI::App* sub = app.add_subcommand("reconstruct", "Reconstruct a scan");
  sub->add_option("SCAN", options->scan, "scan file, " + scan_names_to_read())
      ->type_name("FILE")
      ->required()
      ->check(not_empty());
  options->run.add_to(*sub);
  options->corrections.add_to(*sub);
  add_device_memory(*sub, program);
  sub->add_option("--noise-norm", options->noise_norm,
                  "||noise|| of the line integrals, as printed by simulate")
      ->type_name("NORM")
      ->check(positive());
  sub->add_option("--reference", options->reference,
                  "measure RMSE, PSNR and SSIM against it after each iteration")
      ->type_name("VOLUME")
      ->check(not_empty());
  options->series.add_uneven_to(*sub);
  sub->add_option("--mask", options->mask,
                  "where metrics are taken: all, circle (the field of view), or roi")
      ->type_name("MASK")
      ->capture_default_str()
      ->check(one_of({"all", "circle", "roi"}));
  options->regions.add_to(*sub);
  sub->add_option("--mu-water", options->mu_water, "attenuation of water, for HU")
      ->type_name("1/MM")
      ->capture_default_str()
      ->check(positive());
  sub->add_option("--log", options->log, "write the curves to this CSV file")
      ->type_name("FILE")
      ->check(not_empty());
  sub->add_option("--out", options->out, "volume: " + volume_names_to_write())
      ->type_name("VOLUME")
      ->required()
      ->check(not_empty());
  add_deidentify(*sub, options->deidentify);
  sub->add_option("--edges", options->edges,
                  "also write the edge field of the prior, in a format of --out")
      ->type_name("VOLUME")
      ->check(not_empty());
  options->checkpoints.add_to(*sub, "FILE");
  sub->footer(
      "Example:\n  gantry-cli reconstruct head.scan.json --solver sart --grid 512,512 --voxel 0.5 "
      "--iterations 20\n"
      "      --set solver.relaxation=0.3 --out head.mha");
  return {sub, [options, &program] { return reconstruct(*options, program); }};
}

}  // namespace gantry::cli
