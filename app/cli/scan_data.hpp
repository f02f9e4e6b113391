#pragma once

#include "app/cli/commands.hpp"
#include "core/base/interrupt.hpp"
#include "core/job/experiment_data.hpp"

#include <memory>
#include <string>

namespace gantry::cli {

/// Reads a scan file for a command that reconstructs nothing, and prints its notes. Throws
/// InputError and Interrupted.
std::shared_ptr<const ExperimentData> read_scan_data(const std::string& path, Program& program,
                                                     const Interrupt& interrupt);

}  // namespace gantry::cli
