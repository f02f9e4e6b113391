#include "app/cli/bench/bench_solvers.hpp"

#include "app/cli/bench/bench_matrices.hpp"
#include "app/cli/bench/timing.hpp"
#include "app/cli/run_options.hpp"
#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"
#include "core/job/reconstruction_job.hpp"
#include "core/job/run_plan.hpp"

#include <algorithm>
#include <iomanip>
#include <memory>

namespace gantry::cli {

namespace {

using Json = nlohmann::ordered_json;

std::shared_ptr<ExperimentData> ones(const BenchCase& c) {
  auto data = std::make_shared<ExperimentData>();
  data->geometry = c.geometry;
  data->grid = c.grid;
  data->line_integrals.assign(c.geometry->rays(), 1.0F);
  return data;
}

/// Measures the step of a method that has only one step. The data are on the device already.
Timing time_single_step(const RunSpec& run, const ExperimentData& data, int repeats,
                        Program& program) {
  const RunPlan plan = plan_run(run, data.geometry, data.grid, program.catalog, program.backends);
  const Array b = Array::from(*plan.backend, data.line_integrals);
  std::vector<double> times;
  for (int time = 0; time <= repeats; ++time) {
    plan.solver->init({plan.projector.get(), &b, nullptr, nullptr});
    plan.backend->synchronize();
    const double ms = milliseconds([&] {
      plan.solver->step();
      plan.backend->synchronize();
    });
    if (time > 0) times.push_back(ms);  // the first step warms up
  }
  return {median(times), std::ranges::min(times), std::ranges::max(times)};
}

Json bench_solver(const BenchCase& c, const RunSpec& run, const SolverBench& options,
                  Program& program) {
  const int repeats = options.repeats;
  const std::shared_ptr<ExperimentData> data = ones(c);
  Json row = {{"case", c.name}, {"solver", run.solver}, {"projector", run.projector}};
  if (!run.format.empty()) row["format"] = format_name(run.format, run.format_params);
  bool single = false;
  {
    ReconstructionJob job(run, data, {}, program.catalog, program.backends, nullptr);
    const auto iterate = [&] {
      while (!job.finished() && !job.advance()) continue;
    };
    row["first_iteration_ms"] = milliseconds(iterate);
    single = job.finished();
    if (!single) row["iteration"] = to_json(time_calls(iterate, repeats));
    if (!single && options.energy != nullptr) {
      const CallEnergy energy = energy_per_call(*options.energy, iterate);
      if (!job.finished()) row["energy"] = to_json(energy);  // after the end, calls compute nothing
    }
  }
  if (single) row["step"] = to_json(time_single_step(run, *data, repeats, program));
  const MemoryEstimate memory =
      estimate_memory(run, *c.geometry, c.grid, program.catalog, program.backends);
  const double operands =
      4.0 * (static_cast<double>(c.grid.voxels()) + static_cast<double>(c.geometry->rays()));
  row["memory_bytes"] = memory.needed_bytes;
  row["memory_over_volume_and_data"] = static_cast<double>(memory.needed_bytes) / operands;
  return row;
}

}  // namespace

Json bench_solvers(const BenchCase& c, const SolverBench& options, Program& program) {
  Json rows = Json::array();
  for (const auto& entry : program.catalog.solvers.entries()) {
    if (!options.solver.empty() && entry.key != options.solver) continue;
    RunSpec run;
    run.solver = entry.key;
    run.projector = options.projector;
    run.backend = options.backend;
    run.format = options.format;
    if (!run.format.empty())
      run.format_params =
          parse_settings(options.settings, "format",
                         program.catalog.matrix_formats.at(run.format, run.backend).params);
    run.iterations = 1000000;
    try {
      rows.push_back(bench_solver(c, run, options, program));
    } catch (const UsageError& error) {
      rows.push_back({{"case", c.name}, {"solver", entry.key}, {"refused", error.what()}});
    }
  }
  return rows;
}

std::string solver_table(const Json& rows) {
  TextStream out;
  out << std::fixed << std::setprecision(2);
  for (const Json& row : rows) {
    out << std::left << std::setw(7) << row["case"].get<std::string>() << std::setw(12)
        << row["solver"].get<std::string>() << std::right;
    if (row.contains("refused")) {
      out << row["refused"].get<std::string>() << '\n';
      continue;
    }
    const bool single = row.contains("step");
    out << " first " << std::setw(9) << row["first_iteration_ms"].get<double>() << " ms, then "
        << std::setw(9) << row[single ? "step" : "iteration"]["median_ms"].get<double>()
        << (single ? " ms the step alone; memory " : " ms an iteration; memory ")
        << format_bytes(row["memory_bytes"].get<std::size_t>()) << ", "
        << row["memory_over_volume_and_data"].get<double>() << " times volume + data";
    if (row.contains("energy"))
      out << "; " << row["energy"]["millijoules"].get<double>() << " mJ an iteration at "
          << row["energy"]["watts"].get<double>() << " W";
    out << '\n';
  }
  return out.str();
}

}  // namespace gantry::cli
