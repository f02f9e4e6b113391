#include "app/cli/run_report.hpp"

#include "app/cli/signals.hpp"
#include "app/version.hpp"
#include "core/base/error.hpp"
#include "core/base/printable.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/curves_csv.hpp"
#include "core/job/run_derivation.hpp"
#include "core/job/unit_note.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <span>
#include <utility>

namespace gantry::cli {

namespace {

/// A printed line has this many metrics, in the order of the catalogue, and those of regions; the
/// log has all metrics.
constexpr std::size_t leading_metrics = 4;

void print_line(const std::string& label, const HistoryEntry& entry, const Catalog& catalog) {
  std::printf("%s: iteration %d, %.3f s, residual %.6g", label.c_str(), entry.report.iteration,
              entry.report.seconds, entry.report.residual_norm);
  for (const std::string& key : shown_metrics(entry, catalog))
    std::printf(", %s %s", key.c_str(), metric_text(entry, key).c_str());
  std::printf("\n");
  std::fflush(stdout);
}

void print_plan(const ReconstructionJob& job, const std::string& label) {
  if (!job.because().empty())
    std::cout << label << ": on " << job.device() << ": " << job.because() << std::endl;
  std::cout << label << ": needs " << format_bytes(job.memory().needed_bytes) << " of the "
            << format_bytes(job.memory().free_bytes) << " free on " << job.device() << std::endl;
}

/// Whether the run has made a step from its start.
bool has_image(const ReconstructionJob& job) {
  return job.iterations() > 0 || job.steps_into_iteration() > 0;
}

/// Returns a text such as "interrupted by SIGINT after 3 of 50 iterations and 17 of 60 steps of the
/// next".
std::string describe_interruption(const ReconstructionJob& job) {
  std::string text = "interrupted by " + signal_name(received_signal()) + " after " +
                     std::to_string(job.iterations()) + " of " +
                     std::to_string(job.spec().iterations) + " iterations";
  if (job.steps_into_iteration() > 0)
    text += " and " + std::to_string(job.steps_into_iteration()) + " of " +
            std::to_string(job.steps_per_iteration()) + " steps of the next";
  if (const int coarse = job.start_iterations(); coarse > 0)
    text += " and " + std::to_string(coarse) + " on coarser grids";
  return text;
}

/// Steps until the run ends or the interrupt is raised.
void advance_to_end(ReconstructionJob& job, Reconstructed& result, const Interrupt& interrupt,
                    CheckpointWriter& checkpoints, const Catalog& catalog) {
  const int every = std::max(1, job.spec().iterations / 10);
  bool told = false;
  while (!job.finished()) try {
      interrupt.check();
      const auto entry = job.advance();
      if (const auto range = job.admissible(); range && !std::exchange(told, true))
        std::cout << result.label << ": " << describe(*range) << std::endl;
      if (entry) {
        result.history.push_back(*entry);
        if (entry->report.iteration == 1 || entry->report.iteration % every == 0 || job.finished())
          print_line(result.label, *entry, catalog);
      }
      if (!job.finished()) checkpoints.write_if_due(job, result.history);
    } catch (const Interrupted&) {
      if (!has_image(job) && job.start_iterations() == 0) throw;
      result.interrupted = describe_interruption(job);
      return;
    }
}

/// Resumes a run from a checkpoint. If the checkpoint has more iterations than the run, it is the
/// result, and a note says so.
void resume_run(ReconstructionJob& job, Reconstructed& result,
                const std::filesystem::path& checkpoint, const Catalog& catalog) {
  result.history = resume(job, checkpoint, catalog);
  if (job.iterations() > job.spec().iterations)
    print_notes({result.label + ": " + checkpoint.string() + " is of iteration " +
                 std::to_string(job.iterations()) + ", beyond the " +
                 std::to_string(job.spec().iterations) +
                 " that are asked for; that iteration is the result"});
}

}  // namespace

std::vector<std::string> shown_metrics(const HistoryEntry& entry, const Catalog& catalog) {
  std::vector<std::string> keys;
  std::size_t place = 0;
  for (const auto& metric : catalog.metrics.entries()) {
    const bool leads = place++ < leading_metrics;
    if (!entry.metrics.contains(metric.key)) continue;
    if (leads || metric.make("any", {})->needs() != MetricNeeds::reference)
      keys.push_back(metric.key);
  }
  return keys;
}

std::string metric_text(const HistoryEntry& entry, const std::string& key) {
  const auto found = entry.metrics.find(key);
  if (found == entry.metrics.end() || std::isnan(found->second)) return "-";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", found->second);
  return text.data();
}

std::shared_ptr<const ExperimentData> prepare_for_runs(const Experiment& experiment,
                                                       Program& program,
                                                       const Interrupt* interrupt) {
  return prepare_data(experiment, program.catalog, program.backends.resolve("cpu"), interrupt, {},
                      [&](const ScanGeometry& geometry, const VolumeGrid& grid) {
                        require_run_memory(experiment, geometry, grid, program.catalog,
                                           program.backends);
                      });
}

Reconstructed reconstruct_and_report(const RunSpec& run,
                                     const std::shared_ptr<const ExperimentData>& data,
                                     MetricsSpec metrics, Program& program, const RunFiles& files) {
  Reconstructed result;
  result.spec = run;
  result.label = run_label(run, program.catalog);
  const SignalInterrupt signal_interrupt;
  ReconstructionJob job(run, data, metrics, program.catalog, program.backends,
                        &signal_interrupt.interrupt());
  if (!files.checkpoints.resume.empty())
    resume_run(job, result, files.checkpoints.resume, program.catalog);
  CheckpointWriter checkpoints(files.checkpoints, data->access);
  result.backend = job.memory().backend_key;
  print_plan(job, result.label);
  advance_to_end(job, result, signal_interrupt.interrupt(), checkpoints, program.catalog);
  for (const std::string& note : job.notes()) print_notes({result.label + ": " + note});
  result.reason = job.reason();
  std::cout << result.label << ": "
            << (result.interrupted.empty() ? job.ending() : result.interrupted) << std::endl;
  if (!result.history.empty())
    for (const auto& [key, problem] : result.history.back().problems)
      if (problem != not_defined) print_notes({result.label + ": " + key + ": " + problem});
  if (result.reason == StopReason::diverged)
    throw InputError("the run " + job.ending(), result.label);
  if (result.interrupted.empty())
    checkpoints.finish(job, result.history);
  else
    result.checkpoint_path = checkpoints.interrupt(job, result.history);
  if (!has_image(job)) return result;
  result.mu = job.solution();
  if (job.has_edges()) result.edges = job.edges();
  if (!files.log.empty()) {
    const CurveSet curve{result.label, run_description(run, program.catalog, job.iterations()),
                         result.history};
    const std::string csv =
        curves_csv({curve}, {data->description, "metrics: " + data->mask_label()});
    write_file_atomically(files.log, std::as_bytes(std::span(csv)), data->access);
  }
  return result;
}

void print_how_to_resume(const std::filesystem::path& checkpoint) {
  if (checkpoint.empty())
    print_notes({"no checkpoint was written; give --out or --checkpoint to be able to resume"});
  else
    print_notes({"to go on, repeat the command with --resume " + checkpoint.string()});
}

void note_unknown_lengths(const std::string& path, const ExperimentData& data) {
  if (!data.lengths_are_known)
    print_notes({path + ": " + unknown_lengths_note() +
                 "; import the scan with --pixel to state the size"});
}

std::string write_result(const std::string& path, const Reconstructed& result,
                         const ExperimentData& data, const Catalog& catalog, bool deidentify) {
  VolumeToWrite out = image_of(data, version_number());
  out.mu = result.mu;
  out.deidentify = deidentify;
  out.series_description = "Gantry " + result.label;
  out.derivation =
      run_description(result.spec, catalog,
                      result.history.empty() ? 0 : result.history.back().report.iteration) +
      (result.interrupted.empty() ? "" : ", " + result.interrupted) + "; data: " + data.description;
  out.derivation_code = derivation_code(result.spec, catalog);
  write_volume(path, out);
  note_unknown_lengths(path, data);
  return wrote_text(path, out);
}

std::string write_edges(const std::string& path, const Reconstructed& result,
                        const ExperimentData& data) {
  VolumeToWrite out = image_of(data, version_number());
  out.mu = result.edges;
  out.has_unit = false;
  write_volume(path, out);
  return "wrote " + path + ", the edge field";
}

std::string wrote_text(const std::string& path, const VolumeToWrite& volume) {
  if (!writes_hu(path, volume)) return "wrote " + path;
  return "wrote " + path + " in HU of water at " + format_param(volume.mu_water) + " 1/mm" +
         (volume.deidentify ? ", de-identified" : "");
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes)
    std::cerr << "note: " + printable(note) +
                     (doubts_unit(note) ? "; if so, give --hu, or values_are_hu in an experiment\n"
                                        : "\n");
}

void print_assumptions(const std::vector<Assumption>& assumptions) {
  for (const Assumption& one : assumptions)
    std::cout << printable("assumed " + one.what + ": " + one.value + " (" + one.why + ")") << '\n';
}

void print_notes_of(const std::string& path, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) print_notes({path + ": " + note});
}

}  // namespace gantry::cli
