#pragma once

#include "app/cli/checkpoints.hpp"
#include "app/composition.hpp"
#include "core/job/experiment.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace gantry::cli {

/// What is done with an experiment beside printing a table.
struct ExperimentOptions {
  std::string
      folder;        ///< for NAME.mha per run, truth.mha and curves.csv; empty: nothing is written
  std::string file;  ///< of the experiment, which is not to be written over; may be empty
  int iterations = 0;             ///< instead of each run's own number; 0: that
  CheckpointOptions checkpoints;  ///< into folders with NAME.checkpoint per run

  void add_to(CLI::App& app);
};

/// Runs every run of an experiment and prints a table. A signal ends it: what was computed is
/// written, and the exit status tells of it.
int run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                   Program& program);

}  // namespace gantry::cli
