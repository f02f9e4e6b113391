#pragma once

#include "app/composition.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace gantry::cli {

/// The function that a subcommand runs; returns the exit status. Each add_ function below adds a
/// subcommand with its options to the app.
using Action = std::function<int()>;
struct Command {
  CLI::App* app;
  Action run;
  bool on_devices = true;  ///< whether the subcommand may use or list devices
};

Command add_reconstruct(CLI::App& app, Program& program);
Command add_simulate(CLI::App& app, Program& program);
Command add_rebin(CLI::App& app, Program& program);
Command add_align(CLI::App& app, Program& program);
Command add_import(CLI::App& app, Program& program);
Command add_export(CLI::App& app, Program& program);
Command add_convert(CLI::App& app, Program& program);
Command add_compare(CLI::App& app, Program& program);
Command add_run(CLI::App& app, Program& program);
Command add_study(CLI::App& app, Program& program);
Command add_mapping(CLI::App& app, Program& program);
Command add_info(CLI::App& app, Program& program);
Command add_list(CLI::App& app, Program& program);
Command add_bench(CLI::App& app, Program& program);

}  // namespace gantry::cli
