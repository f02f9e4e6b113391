// gantry-cli: everything that the window can do, without a screen.
#include <iostream>
#include <vector>

#include "app/cli/commands.hpp"
#include "app/thread_policy.hpp"
#include "app/version.hpp"
#include "core/base/error.hpp"

namespace {

/// Runs the chosen subcommand. 0 done, 1 failed on the data or the run, 2 wrong usage.
int run(int argc, char** argv) {
  using namespace gantry;
  CLI::App app("Gantry: iterative X-ray CT reconstruction", "gantry-cli");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  Program program = compose();
  std::vector<cli::Command> commands;
  for (const auto add : {cli::add_reconstruct, cli::add_simulate, cli::add_convert, cli::add_compare, cli::add_run,
                         cli::add_study, cli::add_info, cli::add_list, cli::add_bench})
    commands.push_back(add(app, program));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::cerr << "gantry-cli: " << error.what() << "; see gantry-cli --help\n";
    return 2;
  }
  for (const cli::Command& command : commands)
    if (command.app->parsed()) return command.run();
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  gantry::wait_without_spinning(argv);
  try {
    return run(argc, argv);
  } catch (const gantry::UsageError& error) {
    std::cerr << "gantry-cli: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "gantry-cli: " << error.what() << '\n';
    return 1;
  }
}
