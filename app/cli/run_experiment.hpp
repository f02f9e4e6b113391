#pragma once

#include "app/cli/checkpoints.hpp"
#include "app/composition.hpp"
#include "core/job/experiment.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace gantry::cli {

/// The options for running an experiment.
struct ExperimentOptions {
  std::string
      folder;        ///< for NAME.mha per run, truth.mha and curves.csv; empty: nothing is written
  std::string file;  ///< the experiment file, which must not be overwritten; may be empty
  int iterations = 0;             ///< replaces the number of each run; 0: does not
  CheckpointOptions checkpoints;  ///< folders with NAME.checkpoint per run

  void add_to(CLI::App& app);
};

/// Computes every run of an experiment and prints a table. Returns the exit status. A signal ends
/// the computation; the results so far are written and the exit status is 128 + signal.
int run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                   Program& program);

}  // namespace gantry::cli
