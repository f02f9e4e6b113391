#pragma once

#include "app/composition.hpp"

#include <CLI/CLI.hpp>

namespace gantry::cli {

/// --device-memory: what runs may take of a GPU that is shared with others. What does not fit is
/// streamed.
void add_device_memory(CLI::App& app, Program& program);

/// Throws UsageError where the command has the option, it is not given, and the environment
/// variable that then stands for it is no amount of memory: whether there is a device or not.
void require_device_memory(const CLI::App& app);

}  // namespace gantry::cli
