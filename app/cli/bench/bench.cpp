// Measures the time of operators, matrices, solvers and live runs on fixed cases. Times are
// medians, after a warm-up, of whole calls.
#include "app/cli/bench/bench_cancel.hpp"
#include "app/cli/bench/bench_live.hpp"
#include "app/cli/bench/bench_matrices.hpp"
#include "app/cli/bench/bench_operators.hpp"
#include "app/cli/bench/bench_report.hpp"
#include "app/cli/bench/bench_solvers.hpp"
#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_memory.hpp"
#include "app/cli/run_options.hpp"
#include "core/base/error.hpp"
#include "core/geometry/bench_cases.hpp"
#include "core/job/reconstruction_job.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace gantry::cli {

namespace {

using Json = nlohmann::ordered_json;

struct BenchOptions {
  std::string what, names = "A", backend = "auto", projector, solver, format, json;
  std::vector<std::string> settings;
  std::vector<int> threads;
  int repeats = 10;
  bool energy = false;
};

/// Returns the energy counter of the device; null if energy is not asked for or there is no
/// counter.
const EnergyCounter* counter_for(const BenchOptions& o, const Program& program) {
  std::string because;
  return o.energy ? program.backends.energy(o.backend, because) : nullptr;
}

Json bench_products(const BenchCase& c, const BenchOptions& o, Program& program) {
  Json rows = bench_operators(c, {o.backend, o.projector, o.threads, o.repeats}, program);
  std::puts(operator_table(c, rows).c_str());
  return rows;
}

Json bench_methods(const BenchCase& c, const BenchOptions& o, Program& program) {
  Json rows = bench_solvers(c,
                            {o.backend, o.projector.empty() ? "distance_driven" : o.projector,
                             o.solver, o.format, o.settings, o.repeats, counter_for(o, program)},
                            program);
  std::fputs(solver_table(rows).c_str(), stdout);
  return rows;
}

Json bench_stored(const BenchCase& c, const BenchOptions& o, Program& program) {
  Json rows = bench_matrices(c,
                             {o.backend, o.projector.empty() ? "area_integral" : o.projector,
                              o.format, o.settings, o.repeats, counter_for(o, program)},
                             program);
  std::puts(matrix_table(c, rows).c_str());
  return rows;
}

Json bench_cancelled(const BenchCase& c, const BenchOptions& o, Program& program) {
  Json rows = bench_cancel(c,
                           {o.backend, o.projector.empty() ? "area_integral" : o.projector,
                            o.format, o.settings, o.repeats},
                           program);
  std::fputs(cancel_table(rows).c_str(), stdout);
  return rows;
}

Json bench_live_runs(const BenchCase& c, const BenchOptions& o, Program& program) {
  Json rows = Json::array();
  const std::vector<std::string> solvers =
      o.solver.empty() ? std::vector<std::string>{"sirt", "sart"} : std::vector{o.solver};
  for (const std::string& solver : solvers) {
    RunSpec run;
    run.solver = solver;
    if (!o.projector.empty()) run.projector = o.projector;
    run.backend = o.backend;
    run.iterations = 1000000;
    rows.push_back(bench_live(c, run, o.repeats, program));
    std::puts(describe_live(rows.back()).c_str());
  }
  return rows;
}

/// Returns the key of the device that the whole report uses. "auto" is the first device that has
/// the projector asked for (any projector if none is named), else the CPU.
std::string device_for(const BenchOptions& o, const Program& program) {
  const auto& projectors = program.catalog.projectors;
  if (o.backend == "auto")
    for (const auto* device : program.backends.devices()) {
      if (device->backend->lost()) continue;
      if (o.projector.empty() ? !projectors.on(device->key).empty()
                              : projectors.has(o.projector, device->key))
        return device->key;
    }
  return program.backends.resolved_key(o.backend);
}

/// Throws UsageError, naming what there is, where the device lacks a projector, a format or a
/// solver that was asked for.
void require_keys(const BenchOptions& o, const Program& program) {
  const auto& catalog = program.catalog;
  if (!o.projector.empty()) catalog.projectors.at(o.projector, o.backend);
  if (!o.format.empty()) catalog.matrix_formats.at(o.format, o.backend);
  require_owners(o.settings, {"format"});
  if (!o.solver.empty()) catalog.solvers.at(o.solver, o.backend);
}

int bench(BenchOptions o, const CLI::App& command, Program& program) {
  o.backend = device_for(o, program);
  require_keys(o, program);
  if (std::string because; o.energy && program.backends.energy(o.backend, because) == nullptr)
    std::fprintf(stderr, "gantry-cli: energy is not measured: %s\n", because.c_str());
  std::optional<BenchReport> report;  // read before the measuring, which may take hours
  if (!o.json.empty()) report.emplace(o.json);
  Json rows = Json::array();
  for (const BenchCase& c : bench_cases(o.names)) {
    const Json part = o.what == "operators"  ? bench_products(c, o, program)
                      : o.what == "solvers"  ? bench_methods(c, o, program)
                      : o.what == "matrices" ? bench_stored(c, o, program)
                      : o.what == "cancel"   ? bench_cancelled(c, o, program)
                                             : bench_live_runs(c, o, program);
    rows.insert(rows.end(), part.begin(), part.end());
  }
  if (report) report->add(bench_run(o.what, rows, command, o.backend, o.repeats, program));
  return 0;
}

}  // namespace

Command add_bench(CLI::App& app, Program& program) {
  auto o = std::make_shared<BenchOptions>();
  CLI::App* sub = app.add_subcommand("bench", "Time operators, matrices, solvers, or live runs");
  sub->add_option("WHAT", o->what,
                  "operators, matrices, solvers, live (watching), cancel (of builds)")
      ->required()
      ->check(one_of({"operators", "matrices", "solvers", "live", "cancel"}))
      ->type_name("");
  sub->add_option("--case", o->names, "which scans, see below; several as in A,C")
      ->type_name("NAMES")
      ->capture_default_str();
  sub->add_option("--backend", o->backend,
                  "auto, cpu, cuda or another, see gantry-cli list backends")
      ->type_name("KEY")
      ->capture_default_str();
  add_device_memory(*sub, program);
  sub->add_option("--projector", o->projector,
                  "only this one, however long it takes (default: all but those far slower)")
      ->type_name("KEY");
  sub->add_option("--solver", o->solver, "only this one")->type_name("KEY");
  sub->add_option("--format", o->format,
                  "only this format (matrices), or the format of the weights (solvers)")
      ->type_name("KEY");
  sub->add_option("--set", o->settings, "a parameter of the format, as in format.weights=compact")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  sub->add_option("--threads", o->threads,
                  "numbers of CPU threads for operators, as in 1,2 (default: 1 and all)")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole(1, 1024));
  sub->add_option("--repeats", o->repeats, "timed calls after one to warm up; the median counts")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole(1, 1000));
  sub->add_flag("--energy", o->energy,
                "also measure the energy of matrices and solvers (1 s each)");
  sub->add_option("--json", o->json,
                  "also write the figures, with command, commit, date and device;\n"
                  "a file with figures of this commit is added to")
      ->type_name("FILE")
      ->check(not_empty());
  sub->footer(
      "Cases: A, A-any, A32, B1024, B2048 (fan); C, C-flat, cone128, cone256, cumbir, D, E "
      "(cone);\n"
      "T1, T8, T32, T64, T128 (slices of a parallel beam that share their weights);\n"
      "near512, near1024, near2048, ge512, ge1024, ge2048, p3-256, p3-512\n"
      "(a slice, for matrices); near512x8, near512x32, T8, T32 (stacks of slices)\n\n"
      "Example:\n  gantry-cli bench operators --case A --projector distance_driven");
  return {sub, [o, sub, &program] { return bench(*o, *sub, program); }};
}

}  // namespace gantry::cli
