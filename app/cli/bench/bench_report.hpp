#pragma once

#include "app/composition.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace gantry::cli {

/// Returns a run of bench as a data file holds it: {"command", "date", "device", "figures",
/// "repeats"}. A figure is one number, {"bench", "case", "of", "quantity", "unit", "value"}, the
/// median where several calls were timed, then with the "least" and the "most" of them. It names
/// the "projector" and, on the CPU, the number of "threads" where "of" does not.
/// `bench` is the word that the command line calls WHAT, `rows` is what this bench measured; rows
/// without numbers (refused, left out) give no figures. `device` is the key of a backend that is
/// there.
nlohmann::json bench_run(const std::string& bench, const nlohmann::ordered_json& rows,
                         const CLI::App& command, const std::string& device, int repeats,
                         const Program& program);

/// A data file of tests/bench: what was measured on one machine at one commit of the program, as
/// {"commit", "program", "runs"}. tests/bench/render_results makes RESULTS.md from such files.
class BenchReport {
 public:
  /// Reads the file if there is one, so that further runs are added to it. Throws UsageError if its
  /// figures are of another commit, InputError if it is no such file, and OutputError if a file of
  /// this name cannot be written.
  explicit BenchReport(std::string file);

  /// Adds a run, which takes the place of an earlier run by the same command on the same device,
  /// and writes the file. Throws OutputError.
  void add(nlohmann::json run);

 private:
  std::string file_;
  nlohmann::json report_;
};

}  // namespace gantry::cli
