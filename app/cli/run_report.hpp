#pragma once

#include "app/cli/checkpoints.hpp"
#include "app/composition.hpp"
#include "core/io/imports/raw_scan.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/history.hpp"
#include "core/job/reconstruction_job.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry::cli {

/// The result of a run.
struct Reconstructed {
  RunSpec spec;
  std::string label;
  std::vector<float> mu;     ///< empty: the run was interrupted before its first step
  std::vector<float> edges;  ///< the edge field of the prior; empty: it has none
  std::vector<HistoryEntry> history;
  StopReason reason = StopReason::none;
  std::string interrupted;  ///< "interrupted by SIGINT after 3 of 50 iterations"; empty: complete
  std::string backend;      ///< key of the backend on which the run was computed
  std::string name;         ///< file name without extension; empty for a single run
  std::filesystem::path checkpoint_path;  ///< checkpoint of an interrupted run; empty: none
};

/// Returns the data of an experiment. Throws OutOfMemory, before the data are made, if the memory
/// suffices for none of the runs; throws Interrupted. `interrupt` may be null.
std::shared_ptr<const ExperimentData> prepare_for_runs(const Experiment& experiment,
                                                       Program& program,
                                                       const Interrupt* interrupt);

/// The files that a run writes besides its volume.
struct RunFiles {
  std::string log;  ///< the curves; empty: not written
  CheckpointFiles checkpoints;
};

/// Runs to the end or until a signal arrives, and prints a line for each tenth of the run. Throws
/// Interrupted if the signal arrived before the first step was done.
Reconstructed reconstruct_and_report(const RunSpec& run,
                                     const std::shared_ptr<const ExperimentData>& data,
                                     MetricsSpec metrics, Program& program, const RunFiles& files);

/// Prints the option with which to repeat the command in order to resume interrupted runs.
void print_how_to_resume(const std::filesystem::path& checkpoint);

/// Returns the keys of the metrics of an entry that lines and tables show, in the order of the
/// catalogue: the first few, and those of regions.
std::vector<std::string> shown_metrics(const HistoryEntry& entry, const Catalog& catalog);
/// Returns the value of a metric as text; "-" if there is none.
std::string metric_text(const HistoryEntry& entry, const std::string& key);

/// Prints the note about a file of data whose cells are of unknown size.
void note_unknown_lengths(const std::string& path, const ExperimentData& data);

/// Writes the edge field of a result as a volume without a unit. Returns a line that says so.
std::string write_edges(const std::string& path, const Reconstructed& result,
                        const ExperimentData& data);
/// Writes the volume with its patient frame, study and algorithm; `deidentify` as in
/// VolumeToWrite. Returns wrote_text().
std::string write_result(const std::string& path, const Reconstructed& result,
                         const ExperimentData& data, const Catalog& catalog,
                         bool deidentify = false);

/// Returns "wrote PATH", with the attenuation of water where the values are HU, and whether
/// it is de-identified.
std::string wrote_text(const std::string& path, const VolumeToWrite& volume);

/// Prints notes to standard error, one line each.
void print_notes(const std::vector<std::string>& notes);
/// Prints what an import took for granted, a line each.
void print_assumptions(const std::vector<Assumption>& assumptions);
/// Prints notes, each with the file that it is about.
void print_notes_of(const std::string& path, const std::vector<std::string>& notes);

}  // namespace gantry::cli
