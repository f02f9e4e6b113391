// Time of whole reconstructions to the error that ART reaches after the printed number of
// iterations ("rounds"): Yu et al. 2019, section 6 (24.8 and 18.7 times faster than ART on one
// thread). The error of ART after each iteration is computed on all threads; the time of an
// iteration on one thread is measured on the first few. Golden order of the views helps ART as much
// as the methods that are compared with it; therefore the speed-up that is claimed is that over ART
// in the order that reaches the error sooner.
#include "studies/cuart/object.hpp"
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"

#include <cstdio>

namespace gantry::cuart {

namespace {

constexpr int timed_iterations = 2;
constexpr double longest_s = 6;  // of iterating; slower runs are stopped

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// Returns the methods that are run to the plateau: eq. 9 at both levels, and other solvers of the
/// program.
std::vector<TrackedMethod> ways(const MatrixStudyContext& context, double level) {
  std::vector<TrackedMethod> all = {
      {"g-l, 1.9 of 2 to the bound", "parallel_art", parallel("all", "bound", 1.9), 1500},
      {"v-l, half the bound", "parallel_art", parallel("views", "bound", 1), 60},
      {"v-l, half the bound, golden views", "parallel_art", parallel("views", "bound", 1, "golden"),
       60},
      {"SIRT, 1.9", "sirt", {{"relaxation", 1.9}, {"nonnegative", false}}, 1500},
      {"SART, 1, golden views",
       "sart",
       {{"relaxation", 1.0}, {"order", std::string("golden")}, {"nonnegative", false}},
       60},
      {"CGLS", "cgls", {}, 100}};
  for (TrackedMethod& method : all) {
    method.level = level;
    method.iterations = context.iterations(method.iterations);
    method.seconds = longest_s;
  }
  return all;
}

/// The method with the shortest time so far among a group of methods.
struct Best {
  double iterating_s = 0, all_s = 0;
  std::string name;
  void take(double iterating, double all, const std::string& with) {
    if (all_s > 0 && all_s <= all) return;
    iterating_s = iterating;
    all_s = all;
    name = with;
  }
};

class Plateau {
 public:
  Plateau(MatrixStudyContext& context, std::string backend, const Object& object,
          StudyResult& result)
      : context_(context), backend_(std::move(backend)), object_(object), result_(result) {}

  void compute();

 private:
  void add_art();
  /// Runs methods on one matrix: all of them, or only those for which this matrix is of interest.
  void add_ways(const MatrixMethod& product, bool all);
  void add(const MatrixMethod& product, const TrackedMethod& method, const TrackedRun& run);
  void add_summary_line();

  MatrixStudyContext& context_;
  std::string backend_;
  const Object& object_;
  StudyResult& result_;
  StudyTable table_;
  Best global_, view_, any_;
  bool bound_found_ = false;  // by views, on a format that records the updates
};

void Plateau::compute() {
  table_ = {"plateau-" + backend_,
            "To RMSE " + digits(object_.level()) + ", that of ART after " +
                std::to_string(object_.art_rmse.size()) + " iterations, " +
                describe_case(object_.setting) + ", " + backend_,
            {{"method", ""},
             {"products", ""},
             {"iterations", ""},
             {"build", "s"},
             {"set-up", "s"},
             {"iterating", "s"},
             {"all", "s"},
             {"over ART in its best order, iterating", "x"},
             {"over ART in its best order, all", "x"},
             {"over ART in natural order, all", "x"}},
            {}};
  add_art();
  // SCSR runs all methods. Other formats hold several copies of the weights in more memory; these
  // run CGLS, in which the time of a product matters, and methods by views if they record the
  // updates of several views at once.
  const std::string symmetric = symmetric_format(context_, backend_).format;
  const auto compact = [&](const MatrixMethod& method) {
    return method.format == symmetric && method.variant() == "weights compact";
  };
  add_ways(symmetric_format(context_, backend_), true);
  for (const MatrixMethod& method : context_.stored(backend_, true))
    if (compact(method)) add_ways(method, true);
  for (const MatrixMethod& method : context_.on_the_fly(backend_, false)) add_ways(method, false);
  for (const MatrixMethod& method : context_.stored(backend_, false))
    if (method.format != symmetric) add_ways(method, false);
  add_summary_line();
  result_.tables.push_back(std::move(table_));
}

void Plateau::add_art() {
  const double natural = object_.art_s(), best = object_.best_art_s();
  const auto name = [&](const std::string& order) {
    return "ART, lambda 1, " + order + ", 1 thread, " + std::to_string(object_.timed_iterations) +
           " iterations timed";
  };
  const auto line = [&](const std::string& order, std::size_t rounds, double seconds) {
    table_.rows.push_back({name(order),
                           "rows in memory",
                           static_cast<double>(rounds),
                           {},
                           {},
                           seconds,
                           seconds,
                           best / seconds,
                           best / seconds,
                           natural / seconds});
  };
  line("natural order", object_.art_rmse.size(), natural);
  if (object_.golden_reaches_level())
    line("golden order", object_.golden_rmse.size(), best);
  else
    table_.rows.push_back({name("golden order"),
                           "rows in memory",
                           "RMSE " + digits(object_.golden_rmse.back()) + " after " +
                               std::to_string(object_.golden_rmse.size()),
                           {},
                           {},
                           {},
                           {},
                           {},
                           {},
                           {}});
}

void Plateau::add_ways(const MatrixMethod& product, bool all) {
  std::unique_ptr<Projector> A;
  try {
    A = context_.make(product, object_.setting);
  } catch (const UsageError&) {
    return;  // the table of times gives the reason
  }
  const bool records = !all && product.stored() && records_views(*A);
  for (const TrackedMethod& method : ways(context_, object_.level())) {
    // Finding the bound of eq. 9 takes seconds on some formats; the view level of eq. 9 therefore
    // runs on the first such format only.
    const bool recorded =
        updates_by_views(method) && records && (method.solver == "sart" || !bound_found_);
    if (!all && method.solver != "cgls" && !recorded) continue;
    add(product, method, track(context_, *A, backend_, object_.data, object_.truth, method));
    context_.show(result_, table_);
  }
  bound_found_ = bound_found_ || records;
}

void Plateau::add(const MatrixMethod& product, const TrackedMethod& method, const TrackedRun& run) {
  const std::string name = product.full_name();
  if (!run.reached) {
    const std::string why = !run.problem.empty() ? run.problem
                            : run.rmse.empty()   ? "nothing"
                                                 : "RMSE " + digits(run.rmse.back()) + " after " +
                                                     std::to_string(run.rmse.size());
    table_.rows.push_back({method.name, name, why, {}, {}, {}, {}, {}, {}, {}});
    return;
  }
  const double iterating = run.seconds.back(), all = run.build_s + run.setup_s + iterating,
               best = object_.best_art_s();
  table_.rows.push_back({method.name, name, 1.0 * *run.reached, run.build_s, run.setup_s, iterating,
                         all, best / iterating, best / all, object_.art_s() / all});
  if (!product.stored()) return;
  const std::string way = method.name + ", " + name;
  any_.take(iterating, all, way);
  if (method.solver != "parallel_art") return;
  (updates_by_views(method) ? view_ : global_).take(iterating, all, way);
}

void Plateau::add_summary_line() {
  const double natural = object_.art_s(), soonest = object_.best_art_s();
  const auto line = [&](const std::string& what, const StudyCell& printed, const Best& best) {
    const bool found = best.all_s > 0 && soonest > 0;
    const auto add_summary_line = [&](const std::string& which, double art, double seconds) {
      context_.add_summary_line(
          {"plateau", what + " (" + best.name + "), " + which + ", " + backend_, "x"}, printed,
          found ? StudyCell(art / seconds) : StudyCell(), context_.scale_on(backend_));
    };
    add_summary_line("ART in its best order, with build and set-up", soonest, best.all_s);
    add_summary_line("ART in its best order, iterating", soonest, best.iterating_s);
    add_summary_line("ART in natural order, with build and set-up", natural, best.all_s);
  };
  line("whole reconstruction over ART on one thread: g-l", printed::global_over_art, global_);
  line("v-l", printed::view_over_art, view_);
  line("any method", printed::view_over_art, any_);
}

}  // namespace

void plateau(MatrixStudyContext& context, StudyResult& result) {
  const std::string backend = context.fastest_backend();
  const Object object = head(context, backend, timed_iterations);
  Plateau(context, backend, object, result).compute();
  const std::size_t rounds = object.art_rmse.size();
  const double last =
      rounds > 1 ? 100 * (1 - object.art_rmse[rounds - 1] / object.art_rmse[rounds - 2]) : 0;
  result.notes.push_back(
      "Plateau: print has ART converge after about 15 iterations, without a rule; here it is ART's "
      "RMSE after " +
      std::to_string(rounds) +
      " iterations (lambda 1, rays in natural order), of which the last took " + digits(last) +
      " % off the error. With its views in golden order ART " +
      (object.golden_reaches_level() ? "is there" : "is not there") + " after " +
      std::to_string(object.golden_rmse.size()) +
      " iterations; the speed-ups refer to the better of the two. ART's time is its iterations "
      "times " +
      digits(object.iteration_s) + " s, the faster of its first " +
      std::to_string(object.timed_iterations) +
      " iterations on one thread with its rows in memory (float32; building them is not counted). "
      "Errors of all iterations were computed on all threads by solving, view by view, for what a "
      "sequential iteration adds; largest difference after iteration " +
      std::to_string(object.timed_iterations) + ": " + digits(object.difference) +
      ". Times of the others: iterating alone, and with building and set-up (norms, bounds).");
}

}  // namespace gantry::cuart
