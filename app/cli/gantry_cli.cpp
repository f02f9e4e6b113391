// gantry-cli: the functions of the window on the command line.
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

constexpr const char* no_memory_to_compute =
    "gantry-cli: there is not enough memory; use a smaller grid or fewer views, or close other "
    "programs\n";
constexpr const char* no_memory_to_import =
    "gantry-cli: there is not enough memory; import a part of the scan (--bin, --columns, --rows, "
    "--every), or close other programs\n";

const char* no_memory = no_memory_to_compute;

std::terminate_handler otherwise = nullptr;

std::atomic<bool> was_refused = false;  ///< whether any request for memory has failed

[[noreturn]] void end_with_one_line() {
  static std::atomic<bool> is_ending = false;
  if (!is_ending.exchange(true)) gantry::remove_temporaries();  // may call this function again
  [[maybe_unused]] const auto written = write(STDERR_FILENO, no_memory, std::strlen(no_memory));
  _exit(1);
}

/// Prints one line and ends the program where a lack of memory cannot be caught: while constants of
/// libraries are initialised before main() (CLI11's checks), in destructors (nlohmann's of a JSON
/// value), and in functions that must not throw (libstdc++'s listing of folders).
[[noreturn]] void end_for_want_of_memory() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
    if (was_refused && std::uncaught_exceptions() > 0) end_with_one_line();
  } catch (const std::bad_alloc&) {
    end_with_one_line();
  } catch (...) {
    // Any other exception is a defect and is reported by the default handler.
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
  if (argc > 1 && std::strcmp(argv[1], "import") == 0) no_memory = no_memory_to_import;
  gantry::wait_without_spinning(argv);
  gantry::cli::handle_signals();
  // A write beyond the limit of file size then fails with an error message.
  std::signal(SIGXFSZ, SIG_IGN);
  gantry::limit_threads_to_memory();
  try {
    gantry::Program program = gantry::compose();
    return gantry::cli::run_command_line(argc, argv, program);
  } catch (const gantry::Interrupted&) {
    const int signal = gantry::cli::received_signal();
    std::cerr << "gantry-cli: interrupted by " << gantry::cli::signal_name(signal)
              << " before the first result\n";
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
