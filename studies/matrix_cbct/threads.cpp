// Every combination of the numbers of formats that have them (T, block and entries at a time of
// ELLR-T), and print's own: T = 16, blocks of 256 threads, entries read as int4 and float4, and the
// vector by a texture.
#include "studies/matrix_cbct/parts.hpp"
#include "studies/matrix_cbct/printed.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace gantry::matrix_cbct {

namespace {

constexpr const char* chosen_in_print = "print: chosen, not measured";

StudyCell chosen(const MatrixMethod& method, const std::string& key) {
  if (!method.params.contains(key)) return {};
  return std::stod(method.params.text(key));
}
/// Returns how a method reads its vector; empty where the format has no choice.
std::string operand_of(const MatrixMethod& method) {
  return method.params.contains("operand") ? method.params.text("operand") : std::string();
}

/// Returns the tuned methods with threads, and for formats that read vectors by textures those with
/// print's numbers, too.
std::vector<MatrixMethod> methods_on(const MatrixStudyContext& context,
                                     const std::string& backend) {
  std::vector<MatrixMethod> all = context.tuned(backend);
  std::erase_if(all, [](const MatrixMethod& method) { return !method.params.contains("threads"); });
  std::vector<MatrixMethod> textured;
  for (MatrixMethod& method : all) {
    const auto& params =
        context.catalog().matrix_formats.at(method.format, backend).params_on(backend);
    if (std::ranges::find(params, std::string("operand"), &ParamSpec::key) == params.end())
      continue;
    method.params.set("operand", std::string("memory"));
    if (chosen(method, "threads").number != printed::threads_a_row ||
        chosen(method, "block").number != printed::block)
      continue;
    textured.push_back(method);
    textured.back().params.set("operand", std::string("texture"));
  }
  std::ranges::copy(textured, std::back_inserter(all));
  return all;
}

/// Returns the cells that name a method.
std::vector<StudyCell> cells_of(const MatrixMethod& method, const BenchCase& setting) {
  return {describe_case(setting),    method.backend,          method.format,
          chosen(method, "threads"), chosen(method, "block"), chosen(method, "together"),
          operand_of(method)};
}

/// Adds the numbers of the fastest combination of a format.
void add_summary_lines(MatrixStudyContext& context, const MatrixMethod& best) {
  const auto add = [&](const char* what, const char* unit, double printed, const char* key) {
    if (best.params.contains(key))
      context.add_summary_line(
          {"threads", std::string("fastest ") + what + " of " + best.format + ", " + best.backend,
           unit},
          printed, chosen(best, key), chosen_in_print);
  };
  add("T", "threads a row", printed::threads_a_row, "threads");
  add("block", "threads", printed::block, "block");
  add("entries at a time", "", printed::entries_together, "together");
}

}  // namespace

void threads(MatrixStudyContext& context, StudyResult& result) {
  StudyTable table{"threads",
                   "Threads a row and a block, and how entries and vectors are read (one product "
                   "each)",
                   {{"case", ""},
                    {"on", ""},
                    {"format", ""},
                    {"T", ""},
                    {"block", ""},
                    {"entries at a time", ""},
                    {"vector by", ""},
                    {"memory", "MB"},
                    {"padding", "%"},
                    {"A x", "ms"},
                    {"A^T y", "ms"},
                    {"both", "ms"}},
                   {}};
  for (const std::string& backend : context.matrix_backends()) {
    const BenchCase setting =
        setting_of(context.wanted_sizes(printed::sizes).front(), context.scale_on(backend));
    struct Best {
      const MatrixMethod* method;
      double seconds;
    };
    std::map<std::string, Best> fastest;  // by format
    const std::vector<MatrixMethod> methods = methods_on(context, backend);
    for (const MatrixMethod& method : methods) {
      std::string problem;
      const auto times = context.time(method, setting, problem);
      std::vector<StudyCell> row = cells_of(method, setting);
      if (!times) {
        row.emplace_back(problem);
        row.resize(table.columns.size());
        table.rows.push_back(std::move(row));
        continue;
      }
      const double stored = static_cast<double>(times->storage->stored);
      for (const double value :
           {1e-6 * static_cast<double>(times->storage->bytes()),
            100 * static_cast<double>(times->storage->padding) / stored, 1e3 * times->forward_s,
            1e3 * times->backward_s, 1e3 * times->both_s()})
        row.emplace_back(value);
      table.rows.push_back(std::move(row));
      const auto [best, first] = fastest.emplace(method.format, Best{&method, times->both_s()});
      if (!first && times->both_s() < best->second.seconds)
        best->second = {&method, times->both_s()};
    }
    for (const auto& [format, best] : fastest) add_summary_lines(context, *best.method);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::matrix_cbct
