// Nonzeros of the matrices, and the estimated memory of every format before the matrix is built:
// Nourazar and Goossens 2021, Tables 2 and 5.
#include "studies/nonzeros.hpp"
#include "studies/tensor_cores/parts.hpp"

namespace gantry::tensor_cores {

namespace {

/// Returns the memory that a format estimates, GB; nothing where the format cannot store the scan,
/// with the reason in `problem`.
std::optional<double> estimate_gb(const MatrixWorkshop& workshop, const MatrixMethod& method,
                                  const BenchCase& setting, std::string& problem) {
  std::optional<double> gb;
  problem = why_refused(
      [&] { gb = 1e-9 * static_cast<double>(workshop.make(method, setting)->workspace_bytes()); });
  return gb;
}

}  // namespace

void sizes(MatrixWorkshop& workshop, StudyResult& result) {
  std::vector<int> sides;
  for (const printed::Size& printed : workshop.wanted_sizes(printed::sizes))
    sides.push_back(printed.side);
  workshop.say("nonzeros");
  add_footprint_matrix_sizes(result, sides);
  StudyTable table = StudyTable::comparing(
      "table-5-formats",
      "Memory of every format, transpose and vectors included, said before it is built (Table 5: "
      "the matrix alone)",
      {{"case", ""}, {"products", ""}, {"why not", ""}}, "GB");
  for (const printed::Size& printed : workshop.wanted_sizes(printed::sizes)) {
    const BenchCase setting = setting_of(printed.side, workshop.scale());
    for (const MatrixMethod& method : methods(workshop)) {
      if (!method.stored()) continue;
      workshop.say(describe_case(setting) + ", size of " + method.full_name());
      std::string problem;
      const auto gb = estimate_gb(workshop, method, setting, problem);
      compare_at(workshop.scale(), table, {describe_case(setting), method.full_name(), problem},
                 in_print(method, printed).gb, gb);
    }
    workshop.show(result, table);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::tensor_cores
