#include "app/cli/bench/bench_cancel.hpp"

#include "app/cli/run_options.hpp"
#include "core/base/error.hpp"
#include "core/base/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

namespace gantry::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// Requests an interrupt `moment_ms` after the start of a build, and returns the time from the
/// request to the end of the build, ms; -1 if the build was complete before.
double cancel_ms(const StoredMatrix& A, Interrupt& interrupt, double moment_ms) {
  Clock::time_point asked;
  const std::jthread asker([&] {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(moment_ms));
    asked = Clock::now();
    interrupt.raise();
  });
  try {
    A.build();
  } catch (const Interrupted&) {
    return std::chrono::duration<double, std::milli>(Clock::now() - asked).count();
  }
  return -1;
}

}  // namespace

Json bench_cancel(const BenchCase& c, const MatrixBench& options, Program& program) {
  Backend& backend = program.backends.resolve(options.backend);
  const std::string& key = program.backends.resolved_key(options.backend);
  Json rows = Json::array();
  for (const auto* entry : program.catalog.matrix_formats.on(key)) {
    if (!options.format.empty() && entry->key != options.format) continue;
    Json row = {{"case", c.name}, {"projector", options.projector}, {"format", entry->key}};
    try {
      const Params params = parse_settings(options.settings, "format", entry->params);
      const auto matrix = [&] {
        return std::make_unique<StoredMatrix>(
            program.catalog.projectors.make(options.projector, key, backend, c.geometry, c.grid,
                                            {}),
            entry->make(key, params));
      };
      const double build_ms = 1e3 * matrix()->storage().build_s;
      double longest = 0;
      for (int i = 0; i < options.repeats; ++i) {
        const auto A = matrix();
        Interrupt interrupt;
        A->set_interrupt(&interrupt);
        longest =
            std::max(longest, cancel_ms(*A, interrupt, build_ms * (i + 0.5) / options.repeats));
      }
      row["build_ms"] = build_ms;
      row["longest_ms"] = longest;
    } catch (const Error& error) {
      row["error"] = error.what();
    }
    rows.push_back(row);
  }
  return rows;
}

std::string cancel_table(const Json& rows) {
  std::string table = "case       format          build ms     interrupted in ms\n";
  for (const Json& row : rows) {
    const std::string name = row["case"].get<std::string>(), format = row["format"];
    char text[128];
    if (row.contains("error"))
      std::snprintf(text, sizeof text, "%-10s %-12s ", name.c_str(), format.c_str());
    else
      std::snprintf(text, sizeof text, "%-10s %-12s %11.1f %21.1f", name.c_str(), format.c_str(),
                    row["build_ms"].get<double>(), row["longest_ms"].get<double>());
    table += text + (row.contains("error") ? row["error"].get<std::string>() : "") + '\n';
  }
  return table;
}

}  // namespace gantry::cli
