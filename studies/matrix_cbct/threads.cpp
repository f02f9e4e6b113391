// Every combination of the numbers of threads of formats that have such parameters (T and block of
// ELLR-T). The paper uses T = 16 and blocks of 256 threads.
#include "studies/matrix_cbct/parts.hpp"
#include "studies/matrix_cbct/printed.hpp"

namespace gantry::matrix_cbct {

namespace {

constexpr const char* chosen_in_print = "print: chosen, not measured";

StudyCell chosen(const MatrixMethod& method, const std::string& key) {
  if (!method.params.contains(key)) return {};
  return std::stod(method.params.text(key));
}

}  // namespace

void threads(MatrixStudyContext& context, StudyResult& result) {
  StudyTable table{"threads",
                   "Threads a row and a block (one product each)",
                   {{"case", ""},
                    {"on", ""},
                    {"format", ""},
                    {"T", ""},
                    {"block", ""},
                    {"memory", "MB"},
                    {"padding", "%"},
                    {"A x", "ms"},
                    {"A^T y", "ms"},
                    {"both", "ms"}},
                   {}};
  for (const std::string& backend : context.matrix_backends()) {
    const BenchCase setting =
        setting_of(context.wanted_sizes(printed::sizes).front(), context.scale_on(backend));
    const MatrixMethod* best = nullptr;
    double best_s = 0;
    const std::vector<MatrixMethod> methods = context.tuned(backend);
    for (const MatrixMethod& method : methods) {
      if (!method.params.contains("threads")) continue;
      std::string problem;
      const auto times = context.time(method, setting, problem);
      if (!times) {
        table.rows.push_back({describe_case(setting),
                              backend,
                              method.format,
                              chosen(method, "threads"),
                              chosen(method, "block"),
                              problem,
                              {},
                              {},
                              {},
                              {}});
        continue;
      }
      const double stored = static_cast<double>(times->storage->stored);
      table.rows.push_back(
          {describe_case(setting), backend, method.format, chosen(method, "threads"),
           chosen(method, "block"), 1e-6 * static_cast<double>(times->storage->bytes()),
           100 * static_cast<double>(times->storage->padding) / stored, 1e3 * times->forward_s,
           1e3 * times->backward_s, 1e3 * times->both_s()});
      if (best != nullptr && best_s <= times->both_s()) continue;
      best = &method;
      best_s = times->both_s();
    }
    if (best == nullptr) continue;
    context.add_summary_line(
        {"threads", "fastest T of " + best->format + ", " + backend, "threads a row"},
        1.0 * printed::threads_a_row, chosen(*best, "threads"), chosen_in_print);
    if (best->params.contains("block"))
      context.add_summary_line(
          {"threads", "fastest block of " + best->format + ", " + backend, "threads"},
          1.0 * printed::block, chosen(*best, "block"), chosen_in_print);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry::matrix_cbct
