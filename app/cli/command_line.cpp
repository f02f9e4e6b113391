#include "app/cli/command_line.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/device_memory.hpp"
#include "app/version.hpp"
#include "core/base/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace gantry::cli {

namespace {

/// Prints one line about a wrong call that names the help to read. Returns the exit status 2.
int refuse(const CLI::ParseError& error, const std::vector<Command>& commands, const char* word) {
  std::string help = "gantry-cli";
  for (const Command& command : commands)
    if (command.app->parsed()) help += " " + command.app->get_name();
  const bool unknown = help == "gantry-cli" && word != nullptr && *word != '-';
  const std::string what =
      unknown ? "there is no subcommand \"" + std::string(word) + "\"" : error.what();
  std::cerr << "gantry-cli: " << what << "; see " << help << " --help\n";
  return 2;
}

/// Throws OutputError if the output could not be written completely, for example to a full disk;
/// else returns `code`.
int after_output(int code) {
  if (std::cout.flush() && std::fflush(stdout) == 0) return code;
  throw OutputError("the output cannot be written", "standard output",
                    "free some space or send it elsewhere");
}

}  // namespace

int run_command_line(int argc, const char* const* argv, Program& program) {
  CLI::App app("Gantry: iterative X-ray CT reconstruction", "gantry-cli");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.fallthrough();
  app.add_flag_callback(
      "--allow-large", [] { setenv("GANTRY_ALLOW_LARGE", "1", 1); },
      "read files that take far more memory than their size");
  app.add_flag_callback(
      "--allow-outside", [] { setenv("GANTRY_ALLOW_OUTSIDE", "1", 1); },
      "read scans whose data lie outside their folder");
  app.get_formatter()->column_width(28);
  app.footer(
      "Each subcommand has its own help, with an example: gantry-cli reconstruct --help\n"
      "Exit status: 0 done, 1 failed on the data or the run, 2 wrong usage, 128 + N ended by "
      "signal N.\n"
      "Errors and notes go to standard error, one line each.");
  std::vector<Command> commands;
  for (const auto add :
       {add_reconstruct, add_simulate, add_rebin, add_align, add_import, add_export, add_convert,
        add_compare, add_run, add_study, add_mapping, add_info, add_list, add_bench})
    commands.push_back(add(app, program));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return refuse(error, commands, argc > 1 ? argv[1] : nullptr);
  }
  for (const Command& command : commands)
    if (command.app->parsed()) {
      require_device_memory(*command.app);
      if (command.on_devices) program.find_devices();
      return after_output(command.run());
    }
  return 2;
}

}  // namespace gantry::cli
