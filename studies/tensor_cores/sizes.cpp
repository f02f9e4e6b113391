// Nonzeros of the matrices, and the estimated memory of every format before the matrix is built:
// Nourazar and Goossens 2021, Tables 2 and 5.
#include "studies/nonzeros.hpp"
#include "studies/tensor_cores/parts.hpp"

#include <algorithm>
#include <cmath>

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

/// Adds the first and the last row of Table 2 to the summary: elements, and the zeros among them.
void add_table_2(MatrixStudyContext& context, const StudyTable& elements,
                 const StudyTable& sparsity) {
  for (const auto& row : elements.rows)
    context.add_summary_line({"sizes", "elements of the matrix, " + row[0].words, "10^9"}, row[1],
                             row[2], like_for_like);
  for (const auto& row : sparsity.rows)
    context.add_summary_line(
        {"sizes", "zeros among the elements, " + row[1].words + ", " + row[0].words, "%"}, row[2],
        row[3], like_for_like);
}

/// Adds the nonzeros by linear interpolation, and the memory of CSR that follows from them.
void add_summary_lines(MatrixStudyContext& context, const StudyTable& nonzeros) {
  constexpr double csr_bytes = 6;  // of a nonzero, as Table 5's sizes have it
  for (const printed::Size& size : context.wanted_sizes(printed::sizes)) {
    const std::string image = std::to_string(size.side) + "^2";
    for (const auto& row : nonzeros.rows)
      if (row[0].words == image && row[1].words == "linear interpolation")
        context.add_summary_line(
            {"sizes", "CSR of linear interpolation, 6 bytes a nonzero, " + image, "GB"},
            StudyCell::of_fitted_scan(size.gb[printed::cusparse]),
            1e-3 * csr_bytes * *row[4].number, like_for_like);
  }
  for (const auto& row : nonzeros.rows)
    if (row[1].words == "linear interpolation")
      context.add_summary_line({"sizes", "nonzeros, linear interpolation, " + row[0].words, "10^6"},
                               row[3], row[4], like_for_like);
}

/// Returns the largest deviation, %, of the rows of these weights.
double most_off(const StudyTable& table, const std::string& weights) {
  double most = 0;
  for (const auto& row : table.rows)
    if (row[1].words == weights) most = std::max(most, std::abs(row.back().number.value_or(0)));
  return most;
}

}  // namespace

void sizes(MatrixStudyContext& context, StudyResult& result) {
  std::vector<int> sides;
  for (const printed::Size& printed : context.wanted_sizes(printed::sizes))
    sides.push_back(printed.side);
  context.say("nonzeros");
  add_footprint_matrix_sizes(result, sides);
  // Elements, zeros and nonzeros are its last three tables.
  add_table_2(context, *(result.tables.end() - 3), *(result.tables.end() - 2));
  add_summary_lines(context, result.tables.back());
  result.notes.push_back(
      "The printed numbers of nonzeros grow with the image's side, which those of overlaps cannot; "
      "linear interpolation between two pixels in each line of the image (Joseph's method), in a "
      "field of 1.047 sides, gives them within " +
      three_digits(most_off(result.tables.back(), "linear interpolation")) +
      " % at the sizes of this table.");
  StudyTable table = StudyTable::comparing_misprints(
      "table-5-formats",
      "Memory that a run with each format asks for: matrix, transpose and vectors, and what "
      "building it takes, said before it is built (Table 5: the matrix alone)",
      {{"case", ""}, {"products", ""}, {"why not", ""}}, "GB", "GB");
  for (const printed::Size& printed : context.wanted_sizes(printed::sizes)) {
    const BenchCase setting = setting_of(printed.side, context.scale());
    for (const MatrixMethod& method : methods(context)) {
      if (!method.stored()) continue;
      context.say(describe_case(setting) + ", size of " + method.full_name());
      std::string problem;
      const auto gb = estimate_gb(context, method, setting, problem);
      table.compare({describe_case(setting), method.full_name(), problem},
                    printed_values(method, printed).gb, gb, "print: the matrix alone",
                    Better::smaller);
    }
    context.show(result, table);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::tensor_cores
