// Nonzeros of the matrices, and the estimated memory of every format before the matrix is built:
// Nourazar and Goossens 2021, Tables 2 and 5.
#include "studies/nonzeros.hpp"
#include "studies/tensor_cores/parts.hpp"

namespace gantry::tensor_cores {

namespace {

/// Returns the memory that a format estimates, GB; nothing where the format cannot store the scan,
/// with the reason in `problem`.
std::optional<double> estimate_gb(const MatrixStudyContext& context, const MatrixMethod& method,
                                  const BenchCase& setting, std::string& problem) {
  std::optional<double> gb;
  problem = why_refused(
      [&] { gb = 1e-9 * static_cast<double>(context.make(method, setting)->workspace_bytes()); });
  return gb;
}

}  // namespace

void sizes(MatrixStudyContext& context, StudyResult& result) {
  std::vector<int> sides;
  for (const printed::Size& printed : context.wanted_sizes(printed::sizes))
    sides.push_back(printed.side);
  context.say("nonzeros");
  add_footprint_matrix_sizes(result, sides);
  StudyTable table = StudyTable::comparing(
      "table-5-formats",
      "Memory of every format, transpose and vectors included, said before it is built (Table 5: "
      "the matrix alone)",
      {{"case", ""}, {"products", ""}, {"why not", ""}}, "GB");
  for (const printed::Size& printed : context.wanted_sizes(printed::sizes)) {
    const BenchCase setting = setting_of(printed.side, context.scale());
    for (const MatrixMethod& method : methods(context)) {
      if (!method.stored()) continue;
      context.say(describe_case(setting) + ", size of " + method.full_name());
      std::string problem;
      const auto gb = estimate_gb(context, method, setting, problem);
      compare_at(context.scale(), table, {describe_case(setting), method.full_name(), problem},
                 printed_values(method, printed).gb, gb);
    }
    context.show(result, table);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::tensor_cores
