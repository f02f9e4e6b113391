#pragma once

#include "app/composition.hpp"

#include <CLI/CLI.hpp>

namespace gantry::cli {

/// --device-memory: what runs may take of a GPU that is shared with others. What does not fit is
/// streamed.
void add_device_memory(CLI::App& app, Program& program);

}  // namespace gantry::cli
