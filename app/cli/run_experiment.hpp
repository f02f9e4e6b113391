#pragma once

#include "app/composition.hpp"
#include "core/job/experiment.hpp"

#include <string>

namespace gantry::cli {

/// Runs every run of an experiment and prints a table. With a folder: NAME.mha per run, truth.mha,
/// curves.csv.
int run_experiment(const Experiment& experiment, const std::string& folder, int iterations,
                   Program& program);

}  // namespace gantry::cli
