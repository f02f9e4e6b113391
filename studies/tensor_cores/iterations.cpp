// Whole iterations of solvers, per image, with vector operations beside the products: Nourazar and
// Goossens 2021, Table 4, with those lines that are only in print; in a table of their own, other
// programs measured elsewhere. Computed here for the largest selected size.
#include "core/base/timing.hpp"
#include "core/solvers/run.hpp"
#include "studies/product_times.hpp"
#include "studies/tensor_cores/elsewhere.hpp"
#include "studies/tensor_cores/parts.hpp"

namespace gantry::tensor_cores {

namespace {

constexpr double budget_ms = 250;
constexpr const char* solvers[] = {"cgls", "sirt", "mlem"};

struct Cost {
  double ms = 0;
  std::optional<CallEnergy> energy;
};

/// Measures an iteration of all images. A solver that finishes during the measurement has no
/// energy.
Cost cost_of(const MatrixStudyContext& context, const Projector& A, const std::string& backend,
             const char* key, const EnergyCounter* counter) {
  const auto solver = context.catalog().solvers.make(key, backend, {});
  const Array b = Array::from(A.backend(), noisy_values(A.range_size(), 1));
  StopRules rules;
  rules.iterations = 1000000;
  SolverRun run(*solver, {&A, &b}, rules);
  const auto iterate = [&] {
    while (!run.finished() && !run.advance()) context.check_interrupt();
    A.backend().synchronize();
  };
  Cost cost{time_within(iterate, budget_ms, 3, 20).median_ms, {}};
  if (counter != nullptr) cost.energy = energy_per_call(*counter, iterate);
  if (run.finished()) cost.energy = {};
  return cost;
}

void add_printed(const printed::Size& size, StudyTable& table) {
  const std::string name = std::to_string(size.side) + "^2";
  const printed::Others& others = size.others;
  const auto line = [&](const char* what, double ms, const char* where) {
    table.rows.push_back({name, what, "", ms, {}, {}, {}, where});
  };
  for (const auto& [what, ms] : {std::pair{"ASTRA, CGLS", others.astra_cgls},
                                 {"ASTRA, SIRT", others.astra_sirt},
                                 {"ASTRA, SART, one view", others.astra_sart},
                                 {"TIGRE, CGLS", others.tigre_cgls},
                                 {"TomoPy, SIRT", others.tomopy_sirt},
                                 {"MLEM", others.mlem}})
    line(what, ms, "print, GeForce RTX 2080 Ti");
}

/// Adds the lines of all solvers with one method.
void add_iterations(MatrixStudyContext& context, const MatrixMethod& method,
                    const BenchCase& setting, const printed::Size& printed,
                    const EnergyCounter* counter, StudyTable& table) {
  const auto projector = context.make(method, setting);
  const std::string name = describe(setting);
  for (const char* key : solvers) {
    context.say(std::string(key) + ", " + method.full_name());
    const Cost cost = cost_of(context, *projector, method.backend, key, counter);
    const double slices = setting.grid.nz;
    const bool as_printed = key == std::string("cgls");
    table.rows.push_back(
        {name, context.catalog().solvers.at(key, method.backend).label, method.full_name(),
         as_printed ? printed_values(method, printed).ms : StudyCell(), cost.ms / slices,
         cost.energy ? StudyCell(cost.energy->millijoules / slices) : StudyCell(),
         cost.energy ? StudyCell(cost.energy->watts) : StudyCell(),
         "here, " + std::to_string(setting.grid.nz) + " slices at once"});
    if (as_printed)
      context.add_summary_line({"iterations", "CGLS, " + method.full_name() + ", " + name, "ms"},
                               printed_values(method, printed).ms, cost.ms / slices,
                               context.scale() != 1 ? another_size(context.scale())
                                                    : printed_values(method, printed).unlike,
                               Better::smaller);
  }
}

/// Returns the times of other programs, which are constants of this program and no results of the
/// study.
StudyTable elsewhere_table() {
  StudyTable table{"elsewhere",
                   std::string("Other programs, not measured here: ") + elsewhere::device + ", " +
                       elsewhere::day + ", " + std::to_string(elsewhere::side) + "^2 pixels, " +
                       std::to_string(elsewhere::slices) + " slices, " + elsewhere::beam +
                       "; per slice",
                   {{"program", ""},
                    {"version", ""},
                    {"an iteration of SIRT", "ms"},
                    {"W x and W^T y", "ms"},
                    {"device", ""},
                    {"day", ""},
                    {"beam", ""}},
                   {}};
  for (const elsewhere::Program& program : elsewhere::programs)
    table.rows.push_back(
        {program.name, program.version,
         program.sirt_ms > 0 ? StudyCell(program.sirt_ms / elsewhere::slices) : StudyCell(),
         (program.forward_ms + program.back_ms) / elsewhere::slices, elsewhere::device,
         elsewhere::day, elsewhere::beam});
  return table;
}

}  // namespace

void iterations(MatrixStudyContext& context, StudyResult& result) {
  const EnergyCounter* counter = energy_counter(context, result);
  const printed::Size printed = context.wanted_sizes(printed::sizes).back();
  StudyTable table{"iterations",
                   "An iteration, per image (Table 4)",
                   {{"case", ""},
                    {"solver", ""},
                    {"products", ""},
                    {"printed", "ms"},
                    {"here", "ms"},
                    {"energy", "mJ"},
                    {"device", "W"},
                    {"where", ""}},
                   {}};
  for (const BenchCase& setting : settings_of(context, printed))
    for (const MatrixMethod& method : methods(context, false)) {
      const std::string problem =
          why_refused([&] { add_iterations(context, method, setting, printed, counter, table); });
      if (!problem.empty())
        table.rows.push_back({describe(setting), "", method.full_name(), {}, {}, {}, {}, problem});
      context.show(result, table);
    }
  for (const printed::Size& size : context.wanted_sizes(printed::sizes)) add_printed(size, table);
  result.tables.push_back(std::move(table));
  result.tables.push_back(elsewhere_table());
}

}  // namespace gantry::tensor_cores
