#pragma once

#include "core/catalog/catalog.hpp"
#include "core/job/experiment.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Returns the run's name, or "SART, λ 0.5" made from its solver and main parameters. For a run
/// with several stages: "SART, λ 1 to iteration 12, λ 0.3 from 13".
std::string run_label(const RunSpec& run, const Catalog& catalog);

/// Returns the names of runs that are shown together. Of runs with one name, the second and the
/// following ones are numbered: "SIRT, λ 1 (2)".
std::vector<std::string> run_labels(const std::vector<RunSpec>& runs, const Catalog& catalog);

/// Returns what a stage changed compared with the one before, "λ 0.3"; for the first stage, its
/// label.
std::string stage_label(const RunSpec& run, std::size_t stage, const Catalog& catalog);

/// Returns the description of a run for files that are derived from it after `iterations`
/// iterations: algorithm, parameters and iterations of each stage.
std::string run_description(const RunSpec& run, const Catalog& catalog, int iterations);

}  // namespace gantry
