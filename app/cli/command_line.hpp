#pragma once

#include "app/composition.hpp"

namespace gantry::cli {

/// Runs the subcommand that the arguments name. Returns the exit status: 0 done, 1 failed on the
/// data or the run, 2 wrong usage, 128 + N ended by signal N. Throws what the subcommand throws.
int run_command_line(int argc, const char* const* argv, Program& program);

}  // namespace gantry::cli
