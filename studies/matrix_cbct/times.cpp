// Time of 1000 iterations of SART with 180 views: Chen et al., Table 2. Some iterations are timed
// and extrapolated linearly, because all iterations do the same work.
#include "core/backend/thread_count.hpp"
#include "core/base/timing.hpp"
#include "core/solvers/run.hpp"
#include "studies/matrix_cbct/parts.hpp"
#include "studies/matrix_cbct/printed.hpp"
#include "studies/tracked_run.hpp"

namespace gantry::matrix_cbct {

namespace {

/// Block CSR of A and ELLR-T of its transpose, as in print.
constexpr const char* format_of_print = "ellr_t";
constexpr int most_timed = 20;
constexpr double budget_s = 1;
constexpr const char* no_dense = "no dense matrix is stored here";

struct Sweeps {
  int timed = 0;
  double each_s = 0, build_s = 0, setup_s = 0;
  std::string problem;
};

void time_sweeps(const MatrixStudyContext& context, const MatrixMethod& method,
                 const BenchCase& setting, Sweeps& out) {
  const auto A = context.make(method, setting);
  if (const auto* matrix = dynamic_cast<const StoredMatrix*>(A.get()))
    out.build_s = matrix->storage().build_s;
  const auto solver = context.catalog().solvers.make("sart", method.backend, printed_sart());
  const Array b = Array::filled(A->backend(), A->range_size(), 1.0F);
  StopRules rules;
  rules.iterations = 1 + context.iterations(most_timed);
  SolverRun loop(*solver, {A.get(), &b}, rules);
  out.setup_s = loop.seconds();
  while (loop.iterations() < 1) loop.advance();  // warm-up
  const double before_s = loop.seconds();
  while (!loop.finished() && loop.seconds() - before_s < budget_s)
    if (loop.advance()) ++out.timed;
  // An iteration that was cut short counts by the part of its steps that were made.
  out.each_s = (loop.seconds() - before_s) /
               (out.timed + 1.0 * loop.steps_into_iteration() / solver->steps_per_iteration());
}

Sweeps sweeps(const MatrixStudyContext& context, const MatrixMethod& method,
              const BenchCase& setting, int threads) {
  context.say("SART, " + method.backend + ", " + method.name() + ", " + describe_case(setting));
  Sweeps out;
  const ThreadCount now(threads);
  out.problem = why_refused([&] { time_sweeps(context, method, setting, out); });
  return out;
}

/// The shortest times at one size.
struct Fastest {
  /// Of 1000 iterations, s: on one thread of the CPU with weights anew and stored, and on a GPU in
  /// print's format.
  double fly_on_cpu = 0, cpu = 0, gpu = 0;
  double stored = 0, fly = 0;  ///< of the last backend
  std::string stored_name, fly_name;
};

void take(double& best, double value) { best = best > 0 ? std::min(best, value) : value; }

class Table2 {
 public:
  Table2(MatrixStudyContext& context, const BenchCase& setting, const printed::Size& printed,
         StudyTable& table)
      : context_(context), setting_(setting), printed_(printed), table_(table) {}

  void compute() {
    // On one thread, as in print: with the first format, and, for the dense matrix of print, with
    // weights computed for each product.
    table_.compare(
        {describe_case(setting_),
         "cpu, 1 thread",
         printed_.side == 256 ? "dense matrix (print: in memory)" : "dense matrix (print: on disk)",
         {},
         {},
         {},
         {}},
        printed_.original_s, no_dense, like_for_like);
    add(context_.on_the_fly("cpu", false).front(), 1, {}, &Fastest::fly_on_cpu);
    add(context_.stored("cpu", false).front(), 1, printed_.cpu_s, &Fastest::cpu);
    for (const std::string& backend : context_.matrix_backends()) {
      fastest_.stored = fastest_.fly = 0;
      for (const MatrixMethod& method : context_.stored(backend, false)) {
        const bool of_print = !on_host(backend) && method.format == format_of_print;
        add(method, cpu_threads(), of_print ? StudyCell(printed_.gpu_s) : StudyCell(),
            of_print ? &Fastest::gpu : nullptr);
      }
      for (const MatrixMethod& method : context_.on_the_fly(backend, false))
        add(method, cpu_threads(), {}, nullptr);
    }
    if (!context_.has_gpu())
      table_.compare({describe_case(setting_), "a GPU", "block CSR and ELLR-T", {}, {}, {}, {}},
                     printed_.gpu_s, needs_cuda, like_for_like);
  }
  const Fastest& fastest() const { return fastest_; }

 private:
  void add(const MatrixMethod& method, int threads, const StudyCell& printed,
           double Fastest::*best) {
    const Sweeps s = sweeps(context_, method, setting_, threads);
    const std::string where = method.on_host() ? "cpu, " + threads_text(threads) : method.backend;
    if (!s.problem.empty()) {
      table_.compare({describe_case(setting_), where, method.name(), s.problem, {}, {}, {}},
                     printed, {}, another_size(context_.scale()), Better::smaller);
      return;
    }
    const double all_s = s.each_s * printed::iterations;
    table_.compare({describe_case(setting_), where, method.name(), 1.0 * s.timed, s.build_s,
                    s.setup_s, 1e3 * s.each_s},
                   printed, all_s, another_size(context_.scale()), Better::smaller);
    if (best != nullptr) take(fastest_.*best, all_s);
    double& of_kind = method.stored() ? fastest_.stored : fastest_.fly;
    if (of_kind > 0 && of_kind <= all_s) return;
    of_kind = all_s;
    (method.stored() ? fastest_.stored_name : fastest_.fly_name) = method.name() + ", " + where;
  }

  MatrixStudyContext& context_;
  const BenchCase& setting_;
  const printed::Size& printed_;
  StudyTable& table_;
  Fastest fastest_;
};

std::string verdict(const BenchCase& setting, const Fastest& fastest) {
  const bool stored = fastest.stored < fastest.fly;
  return "SART, " + describe_case(setting) + ", 1000 iterations: fastest stored matrix " +
         fastest.stored_name + " " + three_digits(fastest.stored) + " s; " + fastest.fly_name +
         " " + three_digits(fastest.fly) + " s: " +
         (stored ? "storing is " + three_digits(fastest.fly / fastest.stored) + " times faster."
                 : "computing anew beats the stored matrix " +
                       three_digits(fastest.stored / fastest.fly) + " times.");
}

/// Returns a measured value, or why there is none.
StudyCell measured(double value, const char* why = "") {
  return value > 0 ? StudyCell(value) : StudyCell(why);
}

}  // namespace

void times(MatrixStudyContext& context, StudyResult& result) {
  StudyTable table =
      StudyTable::comparing("table-2", "1000 iterations of SART, from those timed (Table 2)",
                            {{"case", ""},
                             {"on", ""},
                             {"products", ""},
                             {"iterations timed", ""},
                             {"build", "s"},
                             {"set-up", "s"},
                             {"an iteration", "ms"}},
                            "s");
  for (const printed::Size& printed : context.wanted_sizes(printed::sizes)) {
    const BenchCase setting = setting_of(printed, context.scale());
    Table2 computed(context, setting, printed, table);
    computed.compute();
    const Fastest& fastest = computed.fastest();
    const char* no_gpu = context.has_gpu() ? "" : needs_cuda;
    const auto add = [&](const char* what, const char* unit, const StudyCell& in_print, double here,
                         const char* why = "") {
      context.add_summary_line({"times", std::string(what) + ", " + describe_case(setting), unit},
                               in_print, measured(here, why), another_size(context.scale()),
                               unit == std::string("x") ? Better::larger : Better::smaller);
    };
    add("CPU, dense matrix stored, 1 thread", "s", printed.original_s, 0, no_dense);
    add("CPU, weights anew for each product, 1 thread", "s", {}, fastest.fly_on_cpu);
    add("CPU, stored, 1 thread", "s", printed.cpu_s, fastest.cpu);
    add("GPU, block CSR and ELLR-T", "s", printed.gpu_s, fastest.gpu, no_gpu);
    add("GPU over CPU, dense matrix", "x", printed.over_original, 0, no_dense);
    add("GPU over CPU, stored", "x", printed.over_cpu,
        fastest.gpu > 0 ? fastest.cpu / fastest.gpu : 0, no_gpu);
    if (printed.over_cpu.meant)
      result.notes.push_back(misprint_note(
          "Table 2, " + std::to_string(printed.side) + "^2, speed-up over the CPU, stored",
          printed.over_cpu));
    result.notes.push_back(verdict(setting, fastest));
    context.show(result, table);
  }
  result.tables.push_back(std::move(table));
  result.notes.push_back(
      "Times: at most 20 iterations or a second after one to warm up, times 1000. Printed \"CPU "
      "(original matrix)\" kept zeros, in memory at 256^2 and on disk at 512^2; it is not repeated "
      "here. Print's numbers of the GPU are of block CSR and ELLR-T and stand beside these alone.");
}

}  // namespace gantry::matrix_cbct
