// gantry-cli: everything that the window can do, without a screen.
#include "app/cli/command_line.hpp"
#include "app/thread_policy.hpp"
#include "core/base/error.hpp"

#include <iostream>
#include <new>

int main(int argc, char** argv) {
  gantry::wait_without_spinning(argv);
  try {
    gantry::Program program = gantry::compose();
    return gantry::cli::run_command_line(argc, argv, program);
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
