#include "app/cli/run_experiment.hpp"

#include "app/cli/checks.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/out_folder.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/signals.hpp"
#include "core/base/error.hpp"
#include "core/base/printable.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/curves_csv.hpp"
#include "core/job/fingerprint.hpp"
#include "core/job/run_prior.hpp"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <set>
#include <span>

namespace gantry::cli {

namespace {

/// Returns a unique file name for a label: letters, digits and points are kept, any other
/// characters become a dash.
std::string file_name(const std::string& label, std::set<std::string>& taken) {
  std::string name;
  for (const char c : label)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '.')
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  while (!name.empty() && name.back() == '-') name.pop_back();
  if (name.empty()) name = "run";
  std::string unique = name;
  for (int i = 2; !taken.insert(unique).second; ++i) unique = name + "-" + std::to_string(i);
  return unique;
}

void print_table(const std::vector<Reconstructed>& results, const ExperimentData& data,
                 const Catalog& catalog) {
  std::printf("\n%s; metrics: %s\n%-32s %5s %9s %12s", printable(data.description).c_str(),
              data.mask_label().c_str(), "run", "it", "seconds", "residual");
  std::vector<std::string> metrics;  // the same metrics for every run
  for (const Reconstructed& result : results)
    if (!result.history.empty()) metrics = shown_metrics(result.history.back(), catalog);
  for (const std::string& key : metrics) std::printf(" %14s", key.c_str());
  std::printf("\n");
  for (const Reconstructed& result : results) {
    if (result.history.empty()) continue;
    const HistoryEntry& last = result.history.back();
    std::printf("%-32s %5d %9.3f %12.6g", result.label.c_str(), last.report.iteration,
                last.report.seconds, last.report.residual_norm);
    for (const std::string& key : metrics) std::printf(" %14s", metric_text(last, key).c_str());
    std::printf("\n");
  }
}

constexpr const char *truth_file = "truth.mha", *curves_file = "curves.csv";

/// Returns the file names of the runs, without extension.
std::vector<std::string> names_of(const std::vector<RunSpec>& runs, const Catalog& catalog) {
  std::set<std::string> taken = {std::filesystem::path(truth_file).stem().string()};
  std::vector<std::string> names;
  for (const RunSpec& run : runs) names.push_back(file_name(run_label(run, catalog), taken));
  return names;
}

/// Returns the name of the file for the edge field of a run's prior.
std::string edges_file(const std::string& run) { return run + "-edges.mha"; }

/// Throws if the results cannot be written or would overwrite an input.
void require_writable_outputs(const Experiment& experiment, const ExperimentOptions& options,
                              const Catalog& catalog) {
  if (options.folder.empty()) return;
  std::vector<std::string> names = {truth_file, curves_file};
  const std::vector<std::string> of_runs = names_of(experiment.runs, catalog);
  for (std::size_t i = 0; i < of_runs.size(); ++i) {
    names.push_back(of_runs[i] + ".mha");
    const std::string prior = prior_of(experiment.runs[i], catalog);
    if (!prior.empty() && catalog.priors.at(prior).traits.has_edges)
      names.push_back(edges_file(of_runs[i]));
  }
  FileRoles files;
  files.reads(options.file, "JOB");
  files.reads(experiment.source.path, "the source of the experiment");
  for (const std::string& name : names)
    files.writes_file((std::filesystem::path(options.folder) / name).string(), "--out:");
  files.require_distinct();
  require_writable_folder(options.folder, names);
}

struct Batch {
  std::vector<Reconstructed> results;
  int failed = 0;
  bool was_interrupted = false;
};

/// Returns the checkpoint files of the run of this name. `resume` is empty if the run has no
/// checkpoint yet.
CheckpointFiles files_of(const std::string& name, const ExperimentOptions& options) {
  const auto in = [&](const std::string& folder) {
    return folder.empty() ? std::filesystem::path()
                          : std::filesystem::path(folder) / (name + ".checkpoint");
  };
  const CheckpointOptions& given = options.checkpoints;
  CheckpointFiles files{in(given.path), in(options.folder), in(given.resume), given.every};
  if (!std::filesystem::exists(files.resume)) files.resume.clear();
  return files;
}

/// Writes a checkpoint of a finished run, so that the run is not computed again when an interrupted
/// experiment is resumed.
void write_finished_checkpoint(const Reconstructed& result, const ExperimentData& data,
                               const std::filesystem::path& path) {
  Checkpoint checkpoint{result.spec, result.backend, {}, result.history};
  RunProgress& progress = checkpoint.progress;
  const IterationReport& last = result.history.back().report;
  progress.iterations = last.iteration;
  progress.seconds = last.seconds;
  progress.applications = last.applications;
  progress.reason = result.reason;
  progress.solver.arrays = {result.mu};
  progress.data = fingerprint(data);
  write_checkpoint(path, checkpoint, data.access);
}

/// Computes the runs one after the other. If a run fails, the others are computed nevertheless.
Batch run_all(const Experiment& experiment, const ExperimentOptions& options,
              const std::shared_ptr<const ExperimentData>& data, Program& program) {
  Batch batch;
  const std::vector<std::string> names = names_of(experiment.runs, program.catalog);
  for (std::size_t i = 0; i < names.size() && !batch.was_interrupted; ++i) {
    RunSpec run = experiment.runs[i];
    if (options.iterations > 0) {
      run = as_of_iteration(run, options.iterations);
      run.iterations = options.iterations;
    }
    const CheckpointFiles files = files_of(names[i], options);
    if (!files.interrupted.empty()) make_folder(options.folder);
    try {
      batch.results.push_back(
          reconstruct_and_report(run, data, experiment.metrics, program, {{}, files}));
      batch.results.back().name = names[i];
      batch.was_interrupted = !batch.results.back().interrupted.empty();
    } catch (const Interrupted&) {
      batch.was_interrupted = true;
    } catch (const Error& error) {
      std::cerr << "gantry-cli: " << run_label(run, program.catalog) << ": " << error.what()
                << '\n';
      ++batch.failed;
    }
  }
  if (batch.was_interrupted && options.checkpoints.path.empty() && !options.folder.empty())
    for (const Reconstructed& result : batch.results)
      if (result.interrupted.empty() && !result.history.empty())
        write_finished_checkpoint(result, *data, files_of(result.name, options).interrupted);
  return batch;
}

void write_all(const std::string& folder, const std::vector<Reconstructed>& results,
               const ExperimentData& data, const Catalog& catalog) {
  make_folder(folder);
  const std::filesystem::path base(folder);
  std::vector<CurveSet> curves;
  for (const Reconstructed& result : results) {
    if (result.mu.empty()) continue;
    const int iterations = result.history.empty() ? 0 : result.history.back().report.iteration;
    write_result((base / (result.name + ".mha")).string(), result, data, catalog);
    if (!result.edges.empty()) write_edges((base / edges_file(result.name)).string(), result, data);
    curves.push_back(
        {result.label, run_description(result.spec, catalog, iterations), result.history});
  }
  if (data.reference) {
    VolumeToWrite truth;
    truth.grid = data.grid;
    truth.mu = data.reference->mu();
    truth.access = data.access;
    write_volume((base / truth_file).string(), truth);
  }
  const std::string csv = curves_csv(curves, {data.description, "metrics: " + data.mask_label()});
  write_file_atomically(base / curves_file, std::as_bytes(std::span(csv)), data.access);
}

}  // namespace

void ExperimentOptions::add_to(CLI::App& app) {
  app.add_option("--out", folder, "folder for the results (default: only print)")
      ->type_name("FOLDER")
      ->check(not_empty());
  app.add_option("--iterations", iterations, "instead of each run's own number")
      ->type_name("N")
      ->check(whole(1, 1000000));
}

int run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                   Program& program) {
  const std::string& folder = options.folder;
  if (experiment.runs.empty())
    throw InputError("the experiment has no runs", "runs", "add at least one");
  options.checkpoints.validate();
  if (const std::string& resume = options.checkpoints.resume;
      !resume.empty() && !std::filesystem::is_directory(resume))
    throw InputError("is not a folder with checkpoints", resume,
                     "give the folder that the interrupted command printed");
  require_writable_outputs(experiment, options, program.catalog);
  if (!options.checkpoints.path.empty()) make_folder(options.checkpoints.path);
  const SignalInterrupt signal_interrupt;
  const auto data = prepare_for_runs(experiment, program, &signal_interrupt.interrupt());
  print_assumptions(data->assumptions);
  print_notes(notes_for(*data, experiment.runs, program.catalog));
  const Batch batch = run_all(experiment, options, data, program);
  if (batch.results.empty()) {
    if (received_signal() != 0) throw Interrupted{};
    return 1;
  }
  print_table(batch.results, *data, program.catalog);
  if (!folder.empty()) {
    write_all(folder, batch.results, *data, program.catalog);
    std::cout << "wrote volumes and curves.csv to " << folder << '\n';
  }
  if (batch.was_interrupted) {
    print_how_to_resume(options.checkpoints.path.empty() ? folder : options.checkpoints.path);
    return exit_status_of(received_signal());
  }
  return batch.failed == 0 ? 0 : 1;
}

}  // namespace gantry::cli
