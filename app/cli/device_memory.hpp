#pragma once

#include "app/composition.hpp"

#include <CLI/CLI.hpp>

namespace gantry::cli {

/// Adds --device-memory, which limits the memory of a GPU that is shared with others. Runs that
/// need more are streamed.
void add_device_memory(CLI::App& app, Program& program);

/// Throws UsageError if the command has --device-memory, the option is not given, and the
/// environment variable that replaces it is no amount of memory; also where there is no device.
void require_device_memory(const CLI::App& app);

}  // namespace gantry::cli
