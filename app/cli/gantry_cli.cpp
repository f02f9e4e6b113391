// gantry-cli: everything that the window can do, without a screen.
#include "app/cli/command_line.hpp"
#include "app/cli/signals.hpp"
#include "app/thread_policy.hpp"
#include "core/base/error.hpp"
#include "core/io/files/temporary_files.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <unistd.h>

namespace {

constexpr const char* no_memory =
    "gantry-cli: there is not enough memory; use a smaller grid or fewer views, or close other "
    "programs\n";

std::terminate_handler otherwise = nullptr;

std::atomic<bool> was_refused = false;  ///< some request for memory

[[noreturn]] void end_with_one_line() {
  static std::atomic<bool> is_ending = false;
  if (!is_ending.exchange(true)) gantry::remove_temporaries();  // which may itself end up here
  [[maybe_unused]] const auto written = write(STDERR_FILENO, no_memory, std::strlen(no_memory));
  _exit(1);
}

/// Some memory is taken where nobody can catch that there is none: for constants of libraries,
/// before main() begins (CLI11's checks), in destructors (nlohmann's of a JSON value), and where a
/// function that must not throw cleans up and gives up without naming its exception (libstdc++'s
/// listing of folders).
[[noreturn]] void end_for_want_of_memory() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
    if (was_refused && std::uncaught_exceptions() > 0) end_with_one_line();
  } catch (const std::bad_alloc&) {
    end_with_one_line();
  } catch (...) {
    // Anything else is a defect, and is reported as ever.
  }
  otherwise();
  std::abort();
}

[[gnu::constructor(101)]] void guard() {
  otherwise = std::set_terminate(end_for_want_of_memory);
  std::set_new_handler([] {
    was_refused = true;
    throw std::bad_alloc();
  });
}

}  // namespace

int main(int argc, char** argv) {
  gantry::wait_without_spinning(argv);
  gantry::cli::take_signals();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond its limit is a failed write, which is said
  gantry::make_do_with_fewer_threads();
  try {
    gantry::Program program = gantry::compose();
    return gantry::cli::run_command_line(argc, argv, program);
  } catch (const gantry::Interrupted&) {
    const int signal = gantry::cli::signal_taken();
    std::cerr << "gantry-cli: interrupted by " << gantry::cli::signal_name(signal)
              << " before there was anything to keep\n";
    return gantry::cli::exit_status_of(signal);
  } catch (const gantry::UsageError& error) {
    std::cerr << "gantry-cli: " << error.what() << '\n';
    return 2;
  } catch (const std::bad_alloc&) {
    std::cerr << no_memory;
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "gantry-cli: " << error.what() << '\n';
    return 1;
  }
}
