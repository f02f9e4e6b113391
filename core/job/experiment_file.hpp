#pragma once

#include "core/catalog/catalog.hpp"
#include "core/job/experiment.hpp"

#include <string>

namespace gantry {

/// Reads an experiment (JSON, "format": "gantry-experiment"). Relative paths in it refer to the
/// file's folder. Keys of algorithms and parameters are checked against the catalogue. Throws
/// InputError with file, field and remedy.
Experiment read_experiment(const std::string& path, const Catalog& catalog);

/// Does the same with text. `where` names the text in messages; relative paths refer to `folder`.
Experiment parse_experiment(const std::string& text, const std::string& where,
                            const std::string& folder, const Catalog& catalog);

/// Writes an experiment atomically. Paths below the file's folder are written relative to it.
/// Throws OutputError.
void write_experiment(const std::string& path, const Experiment& experiment);

/// Returns the text that write_experiment writes for a file in `folder`.
std::string format_experiment(const Experiment& experiment, const std::string& folder);

}  // namespace gantry
