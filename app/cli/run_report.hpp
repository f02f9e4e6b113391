#pragma once

#include "app/composition.hpp"
#include "core/io/volume_file.hpp"
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
};

/// The data of an experiment; throws OutOfMemory before they are made where none of its runs has
/// room.
std::shared_ptr<const ExperimentData> prepare_for_runs(const Experiment& experiment,
                                                       Program& program);

/// Runs to the end, with a line on standard output per tenth of the way, and writes the curves to
/// `log` unless empty.
Reconstructed reconstruct_and_report(const RunSpec& run,
                                     const std::shared_ptr<const ExperimentData>& data,
                                     MetricsSpec metrics, Program& program, const std::string& log);

/// Keys of the metrics that a line or table shows of an entry, in the catalogue's order: the
/// leading ones and those of places.
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

}  // namespace gantry::cli
