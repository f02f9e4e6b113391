#pragma once

#include "app/composition.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace gantry::cli {

/// Each subcommand adds its options to the app and returns what to run when it was chosen (an exit
/// code).
using Action = std::function<int()>;
struct Command {
  CLI::App* app;
  Action run;
  bool on_devices = true;  ///< it may compute on a device, or tells of devices
};

Command add_reconstruct(CLI::App& app, Program& program);
Command add_simulate(CLI::App& app, Program& program);
Command add_rebin(CLI::App& app, Program& program);
Command add_convert(CLI::App& app, Program& program);
Command add_compare(CLI::App& app, Program& program);
Command add_run(CLI::App& app, Program& program);
Command add_study(CLI::App& app, Program& program);
Command add_info(CLI::App& app, Program& program);
Command add_list(CLI::App& app, Program& program);
Command add_bench(CLI::App& app, Program& program);

}  // namespace gantry::cli
