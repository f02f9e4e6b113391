#pragma once

#include "core/catalog/catalog.hpp"
#include "core/job/experiment.hpp"

#include <string>

namespace gantry {

/// Reads an experiment (JSON, "format": "gantry-experiment"). Paths in it that are relative count
/// from the file's folder. Every key of an algorithm and parameter is checked against the
/// catalogue. Throws InputError naming file, field and remedy.
Experiment read_experiment(const std::string& path, const Catalog& catalog);

/// The same from text; `where` names it in messages, `folder` is where relative paths count from.
Experiment parse_experiment(const std::string& text, const std::string& where,
                            const std::string& folder, const Catalog& catalog);

/// Writes atomically, with paths relative to the file's folder where they lie below it. Throws
/// OutputError.
void write_experiment(const std::string& path, const Experiment& experiment);

/// As write_experiment writes it for a file in `folder`.
std::string format_experiment(const Experiment& experiment, const std::string& folder);

}  // namespace gantry
