// Time of whole reconstructions to the error that ART reaches after the printed number of
// iterations ("rounds"): Yu et al. 2019, section 6 (24.8 and 18.7 times faster than ART on one
// thread). The error of ART after each iteration is computed on all threads; the time of an
// iteration on one thread is measured on the first few. A smaller relaxation and golden order of
// the views help ART as much as the methods that are compared with it; therefore the speed-up that
// is claimed is that over ART at its best, with build and set-up: the smallest of the ratios.
#include "studies/cuart/object.hpp"
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"

#include <array>

namespace gantry::cuart {

namespace {

constexpr int timed_iterations = 2;
constexpr double longest_s = 6;  // of iterating; slower runs are stopped

/// Returns the methods that are run to the plateau: eq. 9 at both levels, and other solvers of the
/// program.
std::vector<TrackedMethod> ways(const MatrixStudyContext& context, double level) {
  std::vector<TrackedMethod> all = {
      {"global level, 0.95 of the largest step", "parallel_art", parallel("all", "bound", 1.9),
       1500},
      {"view level, half of the largest step", "parallel_art", parallel("views", "bound", 1), 60},
      {"view level, half of the largest step, golden views", "parallel_art",
       parallel("views", "bound", 1, "golden"), 60},
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
  double all_s = 0;
  std::string name;
  std::optional<bool> golden;  // its order of the views, if it has one
  void take(double all, const std::string& with, std::optional<bool> in_golden_order) {
    if (all_s > 0 && all_s <= all) return;
    all_s = all;
    name = with;
    golden = in_golden_order;
  }
};

/// Returns whether a method takes the views in golden order; nothing for methods of all rays at
/// once.
std::optional<bool> golden_order(const TrackedMethod& method) {
  if (!updates_by_views(method)) return {};
  return method.params.text("order") == "golden";
}

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
  /// Returns ART's time at its best over `seconds`, in the same order of the views (nothing without
  /// an order) and as in print.
  std::array<StudyCell, 3> ratios(double seconds, std::optional<bool> golden) const;
  /// Adds a line for each baseline of ART over which there is a ratio.
  void add_summary_lines(const std::string& what, const StudyCell& printed, const Best& best);

  MatrixStudyContext& context_;
  std::string backend_;
  const Object& object_;
  StudyResult& result_;
  StudyTable table_;
  Best global_, view_, sart_, cgls_;
  bool bound_found_ = false;  // by views, on a format that records the updates
};

void Plateau::compute() {
  table_ = {"plateau-" + backend_,
            "To RMSE " + three_digits(object_.level()) + ", that of ART after " +
                std::to_string(object_.art_rmse.size()) + " iterations, " +
                describe_case(object_.setting) + ", " + backend_,
            {{"method", ""},
             {"products", ""},
             {"iterations", ""},
             {"build", "s"},
             {"set-up", "s"},
             {"iterating", "s"},
             {"all", "s"},
             {"all, over ART at its best", "x"},
             {"over ART in the same order with its best lambda", "x"},
             {"over ART as in print, lambda 1, natural order", "x"}},
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
  add_summary_lines("global level", printed::global_over_art, global_);
  add_summary_lines("view level", printed::view_over_art, view_);
  add_summary_lines("SART", {}, sart_);
  add_summary_lines("CGLS", {}, cgls_);
  result_.tables.push_back(std::move(table_));
}

void Plateau::add_art() {
  for (const ArtRun& run : object_.baselines) {
    const std::string name = "ART, " + run.name() + ", 1 thread, " +
                             std::to_string(object_.timed_iterations) + " iterations timed";
    const auto rounds = static_cast<double>(run.rmse.size());
    if (!object_.reaches_level(run)) {
      const std::string why =
          "RMSE " + three_digits(run.rmse.back()) + " after " + three_digits(rounds);
      table_.rows.push_back({name, "rows in memory", why, {}, {}, {}, {}, {}, {}, {}});
      continue;
    }
    const auto [best, same, printed] = ratios(run.all_s, run.golden);
    table_.rows.push_back(
        {name, "rows in memory", rounds, {}, {}, run.all_s, run.all_s, best, same, printed});
  }
}

std::array<StudyCell, 3> Plateau::ratios(double seconds, std::optional<bool> golden) const {
  StudyCell same;
  if (golden)
    if (const ArtRun& run = object_.best_of_order(*golden); object_.reaches_level(run))
      same = run.all_s / seconds;
  return {object_.best().all_s / seconds, same, object_.as_printed().all_s / seconds};
}

void Plateau::add_ways(const MatrixMethod& product, bool all) {
  std::unique_ptr<Projector> A;
  const std::string problem = why_refused([&] { A = context_.make(product, object_.setting); });
  if (!problem.empty()) {
    table_.rows.push_back({"", product.full_name(), problem, {}, {}, {}, {}, {}, {}, {}});
    return;
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
                                                 : "RMSE " + three_digits(run.rmse.back()) +
                                                     " after " + std::to_string(run.rmse.size());
    table_.rows.push_back({method.name, name, why, {}, {}, {}, {}, {}, {}, {}});
    return;
  }
  const double iterating = run.seconds.back(), all = run.build_s + run.setup_s + iterating;
  const std::optional<bool> golden = golden_order(method);
  const auto [best, same, printed] = ratios(all, golden);
  table_.rows.push_back({method.name, name, 1.0 * *run.reached, run.build_s, run.setup_s, iterating,
                         all, best, same, printed});
  if (!product.stored()) return;
  Best* of = method.solver == "sart"           ? &sart_
             : method.solver == "cgls"         ? &cgls_
             : method.solver != "parallel_art" ? nullptr
             : updates_by_views(method)        ? &view_
                                               : &global_;
  if (of != nullptr) of->take(all, method.name + ", " + name, golden);
}

void Plateau::add_summary_lines(const std::string& what, const StudyCell& printed,
                                const Best& best) {
  const std::string line = "whole reconstruction over ART on one thread: " + what;
  const double scale = context_.scale_on(backend_);
  const std::string unlike =
      scale != 1 ? another_size(scale) : "print states neither lambda nor order of its ART";
  if (best.all_s <= 0)
    return context_.add_summary_line({"plateau", line + ", " + backend_, "x"}, printed,
                                     "not reached", unlike, Better::larger);
  const auto [least, same, as_printed] = ratios(best.all_s, best.golden);
  const auto add = [&](const std::string& baseline, const StudyCell& in_print,
                       const StudyCell& ratio) {
    if (ratio.number)
      context_.add_summary_line({"plateau",
                                 line + " (" + best.name + "), " + backend_ +
                                     ", build and set-up counted; ART " + baseline,
                                 "x"},
                                in_print, ratio, unlike, Better::larger);
  };
  add("at its best (" + object_.best().name() + ")", {}, least);
  add("in the same order with its best lambda", {}, same);
  add("as in print (" + object_.as_printed().name() + ")", printed, as_printed);
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
      " iterations (lambda 1, rays in natural order), of which the last took " +
      three_digits(last) +
      " % off the error. Baselines, on one thread with the rows in memory (float32; building them "
      "is "
      "not counted): ART as print has it (lambda 1, natural order: print states neither), ART in "
      "the "
      "order of the method with its best lambda of 1, 0.5, 0.2 and 0.1, and ART at its best: " +
      object.best().name() + ", " + std::to_string(object.best().rmse.size()) +
      " iterations. What is claimed is the ratio to the last, with build and set-up. ART's time is "
      "its iterations times the faster of " +
      std::to_string(object.timed_iterations) + " in natural order, " +
      three_digits(object.natural_s) + " s, or in golden order, " + three_digits(object.golden_s) +
      " s. Errors of all iterations were computed on all threads by solving, view by view, for "
      "what "
      "a sequential iteration adds; largest difference after iteration " +
      std::to_string(object.timed_iterations) + ": " + three_digits(object.difference) +
      ". A run of ART ends where another of the same order was at the level. x >= 0 is not used.");
}

}  // namespace gantry::cuart
