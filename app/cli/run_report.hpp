#pragma once

#include "app/cli/checkpoints.hpp"
#include "app/composition.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/history.hpp"
#include "core/job/reconstruction_job.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry::cli {

/// What came of a run.
struct Reconstructed {
  RunSpec spec;
  std::string label;
  std::vector<float> mu;
  std::vector<HistoryEntry> history;
  StopReason reason = StopReason::none;
  std::string interrupted;  ///< "interrupted by SIGINT after 3 of 50 iterations"; empty: it was not
  std::string backend;      ///< key of the device where it computed
  std::string name;         ///< of its files, where it is one of several
  std::filesystem::path left_at;  ///< the checkpoint that an interrupted run left; empty: none
};

/// The data of an experiment; throws OutOfMemory before they are made where none of its runs has
/// room, and Interrupted. `interrupt` may be null.
std::shared_ptr<const ExperimentData> prepare_for_runs(const Experiment& experiment,
                                                       Program& program,
                                                       const Interrupt* interrupt);

/// Where a run's curves and checkpoints go.
struct RunFiles {
  std::string log;  ///< the curves; empty: nowhere
  CheckpointFiles checkpoints;
};

/// Runs to the end, or until a signal asks it to give way, with a line on standard output per tenth
/// of the way. Throws Interrupted where it gave way with nothing done.
Reconstructed reconstruct_and_report(const RunSpec& run,
                                     const std::shared_ptr<const ExperimentData>& data,
                                     MetricsSpec metrics, Program& program, const RunFiles& files);

/// How an interrupted run, or several, are gone on with: the option that the command has to be
/// repeated with.
void print_how_to_resume(const std::filesystem::path& checkpoint);

/// Keys of the metrics that a line or table shows of an entry, in the catalogue's order: the
/// leading ones and those of regions.
std::vector<std::string> shown_metrics(const HistoryEntry& entry, const Catalog& catalog);
/// "-" for a value that there is none of.
std::string metric_text(const HistoryEntry& entry, const std::string& key);

/// Writes the volume with all that is known about it (frame, study, algorithm); says so in a line.
std::string write_result(const std::string& path, const Reconstructed& result,
                         const ExperimentData& data, const Catalog& catalog);

/// "wrote PATH", and of which water where the values are HU.
std::string wrote_text(const std::string& path, const VolumeToWrite& volume);

/// Notes go to standard error, one line each.
void print_notes(const std::vector<std::string>& notes);
/// The same, each with the file that it is about.
void print_notes_of(const std::string& path, const std::vector<std::string>& notes);

}  // namespace gantry::cli
