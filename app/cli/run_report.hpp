#pragma once

#include "app/composition.hpp"
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

/// Runs to the end, with a line on standard output per tenth of the way, and writes the curves to
/// `log` unless empty.
Reconstructed reconstruct_and_report(const RunSpec& run,
                                     const std::shared_ptr<const ExperimentData>& data,
                                     MetricsSpec metrics, Program& program, const std::string& log);

/// Writes the volume with all that is known about it (frame, study, algorithm).
void write_result(const std::string& path, const Reconstructed& result, const ExperimentData& data,
                  const Catalog& catalog);

/// Notes go to standard error, one line each.
void print_notes(const std::vector<std::string>& notes);

}  // namespace gantry::cli
