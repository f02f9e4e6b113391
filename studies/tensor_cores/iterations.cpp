// Whole iterations of solvers, per image, with vector operations beside the products: Nourazar and
// Goossens 2021, Table 4, with those lines that are only in print; in a table of their own, other
// programs measured elsewhere. Print's own methods run at every size, at the largest selected one
// other methods and solvers as well.
#include "core/base/timing.hpp"
#include "core/solvers/run.hpp"
#include "studies/product_times.hpp"
#include "studies/tensor_cores/elsewhere.hpp"
#include "studies/tensor_cores/parts.hpp"

#include <tuple>

namespace gantry::tensor_cores {

namespace {

constexpr double budget_ms = 250;

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

/// Returns "512^2 in print, here ...".
std::string case_of(const printed::Size& size, const BenchCase& setting) {
  return std::to_string(size.side) + "^2 in print, here " + describe(setting);
}

/// Print's values of an iteration per image.
struct InPrint {
  StudyCell ms, energy;
  std::string unlike = like_for_like;
};

/// Returns print's values of a solver with a method: of its conjugate gradients for all of its
/// methods, and of MLEM with weights on the fly.
InPrint in_print(const char* solver, const MatrixMethod& method, const printed::Size& size) {
  if (solver == std::string("mlem") && !method.stored()) return {size.others.mlem, {}};
  if (solver != std::string("cgls")) return {};
  const PrintedValues values = printed_values(method, size);
  return {values.ms, values.energy, values.unlike};
}

void add_printed(const printed::Size& size, StudyTable& table) {
  const std::string name = std::to_string(size.side) + "^2";
  const printed::Others& others = size.others;
  for (const auto& [what, ms] : {std::pair{"ASTRA, CGLS", others.astra_cgls},
                                 {"ASTRA, SIRT", others.astra_sirt},
                                 {"ASTRA, SART, one view", others.astra_sart},
                                 {"TIGRE, CGLS", others.tigre_cgls},
                                 {"TomoPy, SIRT", others.tomopy_sirt}})
    table.rows.push_back({name, what, "", ms, {}, {}, {}, {}, "print, GeForce RTX 2080 Ti"});
}

/// Adds the lines of the solvers with one method.
void add_iterations(MatrixStudyContext& context, const MatrixMethod& method,
                    const std::vector<const char*>& solvers, const BenchCase& setting,
                    const printed::Size& printed, const EnergyCounter* counter, StudyTable& table) {
  const auto projector = context.make(method, setting);
  const std::string name = case_of(printed, setting);
  const bool is_fan = setting.geometry->beam() == Beam::fan;  // its distances are not in print
  for (const char* key : solvers) {
    context.say(std::string(key) + ", " + method.full_name() + ", " + name);
    const Cost cost = cost_of(context, *projector, method.backend, key, counter);
    const double slices = setting.grid.nz;
    const InPrint values = is_fan ? InPrint{} : in_print(key, method, printed);
    const std::string label = context.catalog().solvers.at(key, method.backend).label;
    const StudyCell ms = cost.ms / slices,
                    mj = cost.energy ? StudyCell(cost.energy->millijoules / slices) : StudyCell();
    table.rows.push_back({name, label, method.full_name(), values.ms, ms, values.energy, mj,
                          cost.energy ? StudyCell(cost.energy->watts) : StudyCell(),
                          "here, " + std::to_string(setting.grid.nz) + " slices at once"});
    const auto add = [&](const char* what, const char* unit, const StudyCell& in_print,
                         const StudyCell& here) {
      context.add_summary_line(
          {"iterations", label + what + ", " + method.full_name() + ", " + name, unit}, in_print,
          here, context.scale() != 1 ? another_size(context.scale()) : values.unlike,
          Better::smaller);
    };
    if (key == std::string("cgls") || values.ms.number) add("", "ms", values.ms, ms);
    if (values.energy.number) add(", energy", printed::energy_unit, values.energy, mj);
  }
}

/// Adds print's values of its methods that the backend does not have.
void add_missing(MatrixStudyContext& context, const BenchCase& setting, const printed::Size& size,
                 StudyTable& table) {
  const std::string name = case_of(size, setting);
  for (const MatrixMethod& method : stored_in_print(context)) {
    if (is_available(context, method)) continue;
    const InPrint values = in_print("cgls", method, size);
    table.rows.push_back({name,
                          "CGLS",
                          method.full_name(),
                          values.ms,
                          {},
                          values.energy,
                          {},
                          {},
                          "there is no " + method.format + " on " + method.backend});
    for (const auto& [what, unit, printed] :
         {std::tuple{"CGLS, ", "ms", values.ms},
          {"CGLS, energy, ", printed::energy_unit, values.energy}})
      context.add_summary_line({"iterations", what + method.full_name() + ", " + name, unit},
                               printed, "there is no " + method.format + " on " + method.backend,
                               like_for_like, Better::smaller);
  }
}

/// Returns the methods at a size: print's own, and `all` the formats with default parameters too.
std::vector<MatrixMethod> iterated(const MatrixStudyContext& context, const printed::Size& size,
                                   bool all) {
  std::vector<MatrixMethod> found = methods(context);
  std::erase_if(found, [&](const MatrixMethod& method) {
    return !printed_values(method, size).ms.number && !(all && method.params.values().empty());
  });
  return found;
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
  StudyTable table{
      "iterations",
      "An iteration, per image (Table 4, of a fan beam whose distances print does not state)",
      {{"case", ""},
       {"solver", ""},
       {"products", ""},
       {"printed", "ms"},
       {"here", "ms"},
       {"printed energy", "nJ"},
       {"energy", "mJ"},
       {"device", "W"},
       {"where", ""}},
      {}};
  const std::vector<printed::Size> sizes = context.wanted_sizes(printed::sizes);
  for (const printed::Size& size : sizes) {
    const bool largest = size.side == sizes.back().side;
    for (const BenchCase& setting : settings_of(context, size))
      for (const MatrixMethod& method : iterated(context, size, largest)) {
        std::vector<const char*> solvers = {"cgls"};
        if (largest) solvers.push_back("sirt");
        if (largest || !method.stored()) solvers.push_back("mlem");
        const std::string problem = why_refused(
            [&] { add_iterations(context, method, solvers, setting, size, counter, table); });
        if (!problem.empty())
          table.rows.push_back(
              {case_of(size, setting), "", method.full_name(), {}, {}, {}, {}, {}, problem});
        context.show(result, table);
      }
    add_missing(context, setting_of(size.side, context.scale()), size, table);
    add_printed(size, table);
  }
  result.tables.push_back(std::move(table));
  result.tables.push_back(elsewhere_table());
}

}  // namespace gantry::tensor_cores
