#pragma once

#include "core/catalog/catalog.hpp"
#include "core/job/experiment.hpp"

#include <string>

namespace gantry {

/// "SART, λ 0.5": the run's own name, or one made from its solver and main parameter; of a run that
/// went on with other settings from all of them: "SART, λ 1 to iteration 12, λ 0.3 from 13".
std::string run_label(const RunSpec& run, const Catalog& catalog);

/// What a stage changed against the one before: "λ 0.3"; of the first, its label.
std::string stage_label(const RunSpec& run, std::size_t stage, const Catalog& catalog);

/// A description for files derived from a run when so many iterations are done: algorithm,
/// parameters, iterations, of each stage.
std::string run_description(const RunSpec& run, const Catalog& catalog, int iterations);

}  // namespace gantry
