// gantry-cli: everything that the window can do, without a screen.
#include "app/cli/commands.hpp"
#include "app/cli/signals.hpp"
#include "app/thread_policy.hpp"
#include "app/version.hpp"
#include "core/base/error.hpp"

#include <cstdio>
#include <iostream>
#include <new>
#include <string>
#include <vector>

namespace {

using gantry::cli::Command;

/// One line for a wrong call, pointing at the help that applies.
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

/// What was printed has to have arrived; a full disk tells only here.
int after_output(int code) {
  if (std::cout.flush() && std::fflush(stdout) == 0) return code;
  throw gantry::OutputError("the output cannot be written", "standard output",
                            "free some space or send it elsewhere");
}

/// Runs the chosen subcommand. 0 done, 1 failed on the data or the run, 2 wrong usage.
int run(int argc, char** argv) {
  using namespace gantry;
  CLI::App app("Gantry: iterative X-ray CT reconstruction", "gantry-cli");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.footer(
      "Each subcommand has its own help, with an example: gantry-cli reconstruct --help\n"
      "Exit status: 0 done, 1 failed on the data or the run, 2 wrong usage, 128 + N ended by "
      "signal N.\n"
      "Errors and notes go to standard error, one line each.");
  Program program = compose();
  std::vector<cli::Command> commands;
  for (const auto add :
       {cli::add_reconstruct, cli::add_simulate, cli::add_rebin, cli::add_convert, cli::add_compare,
        cli::add_run, cli::add_study, cli::add_info, cli::add_list, cli::add_bench})
    commands.push_back(add(app, program));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return refuse(error, commands, argc > 1 ? argv[1] : nullptr);
  }
  for (const cli::Command& command : commands)
    if (command.app->parsed()) return after_output(command.run());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  gantry::wait_without_spinning(argv);
  gantry::cli::take_signals();
  try {
    return run(argc, argv);
  } catch (const gantry::Interrupted&) {
    const int signal = gantry::cli::signal_taken();
    std::cerr << "gantry-cli: interrupted by " << gantry::cli::signal_name(signal)
              << " before there was anything to keep\n";
    return gantry::cli::exit_status_of(signal);
  } catch (const gantry::UsageError& error) {
    std::cerr << "gantry-cli: " << error.what() << '\n';
    return 2;
  } catch (const std::bad_alloc&) {
    std::cerr << "gantry-cli: there is not enough memory; use a smaller grid or fewer views, or "
                 "close other programs\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "gantry-cli: " << error.what() << '\n';
    return 1;
  }
}
