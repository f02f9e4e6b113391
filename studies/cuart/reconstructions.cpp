// Whole reconstructions in every format, with print's numbers of iterations: Yu et al. 2019, Figs
// 11 and 12. Formats of all rows make iterations at the global level; SCSR makes iterations at the
// view level as well. The baseline is ART on one thread of the CPU, of which one iteration is
// timed. Building the matrix (Fig. 17) is apart, as in print.
#include "studies/cuart/object.hpp"
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"
#include "studies/stored_art.hpp"

#include <algorithm>
#include <functional>

namespace gantry::cuart {

namespace {

constexpr int art_views = 24;     // on which the iteration of ART is timed
constexpr double longest_s = 30;  // of iterating; slower reconstructions are stopped

/// A format, the level at which the image is updated, and what came of it.
struct Reconstruction {
  MatrixMethod product;
  TrackedMethod method;
  TrackedRun run = {};

  bool by_views() const { return updates_by_views(method); }
  bool finished() const { return static_cast<int>(run.rmse.size()) == method.iterations; }
  double iterating_s() const { return run.seconds.back(); }
  double all_s() const { return run.build_s + run.setup_s + iterating_s(); }
  std::string name() const { return method.name + ", " + product.full_name(); }
};

/// Returns the variant of SCSR that print uses at a level.
std::string blocking_of(bool by_views) {
  return std::string("blocking ") + (by_views ? "view" : "global");
}

/// All reconstructions at one size.
struct Size {
  BenchCase setting;
  double art_s = 0;  ///< of print's number of iterations; 0: the rows do not fit
  std::vector<Reconstruction> all = {};

  /// Returns the fastest finished reconstruction for which `suits` returns true.
  template <class Suits>
  const Reconstruction* fastest(const Suits& suits) const {
    const Reconstruction* best = nullptr;
    for (const Reconstruction& one : all)
      if (one.finished() && suits(one) &&
          (best == nullptr || one.iterating_s() < best->iterating_s()))
        best = &one;
    return best;
  }
};

TrackedMethod at_level(const MatrixStudyContext& context, bool by_views) {
  const int iterations = by_views ? printed::view_iterations : printed::global_iterations;
  return {.name = by_views ? "view level" : "global level",
          .solver = "parallel_art",
          .params = parallel(by_views ? "views" : "all", "printed", 1),
          .iterations = context.iterations(iterations),
          .seconds = longest_s};
}

/// Returns what print compares: every format at the global level, and every SCSR at both levels.
std::vector<Reconstruction> compared(const MatrixStudyContext& context,
                                     const std::string& backend) {
  const std::string symmetric = symmetric_format(context, backend).format;
  std::vector<Reconstruction> all = {};
  for (const bool by_views : {false, true})
    for (const MatrixMethod& product : context.stored(backend, true)) {
      const bool is_symmetric = product.format == symmetric;
      if (is_symmetric || (!by_views && product.variant().empty()))
        all.push_back({product, at_level(context, by_views)});
    }
  return all;
}

Size reconstruct_all(const MatrixStudyContext& context, const std::string& backend,
                     const BenchCase& setting, const std::function<void(const Size&)>& grown) {
  Size size{setting};
  context.say("ART on one thread, " + describe_case(setting));
  if (const auto iteration_s = if_it_fits(
          [&] { return art_iteration_seconds(*context.weights_on_cpu(setting), art_views); }))
    size.art_s = context.iterations(printed::art_iterations) * *iteration_s;
  const std::vector<float> truth = square_phantom(context, "shepp_logan", {}, setting.grid),
                           data = exact_data(
                               *context.make(context.on_the_fly(backend, false).front(), setting),
                               truth);
  for (Reconstruction& one : compared(context, backend)) {
    std::unique_ptr<Projector> A;
    one.run.problem = why_refused([&] { A = context.make(one.product, setting); });
    if (A) one.run = track(context, *A, backend, data, truth, one.method);
    size.all.push_back(std::move(one));
    grown(size);
  }
  return size;
}

StudyCell ratio(double of, double over) { return of > 0 ? StudyCell(of / over) : StudyCell(); }

std::vector<StudyCell> row_of(const Size& size, const Reconstruction& one) {
  std::vector<StudyCell> row = {describe_case(size.setting), one.method.name,
                                one.product.full_name()};
  if (!one.finished()) {
    const std::string why = one.run.problem.empty()
                                ? "stopped after " + std::to_string(one.run.rmse.size())
                                : one.run.problem;
    row.insert(row.end(), {why, {}, {}, {}, {}, {}, {}});
    return row;
  }
  row.insert(row.end(),
             {1.0 * one.method.iterations, one.run.rmse.back(), one.run.build_s, one.iterating_s(),
              one.all_s(), ratio(size.art_s, one.iterating_s()), ratio(size.art_s, one.all_s())});
  return row;
}

StudyTable table_of(const MatrixStudyContext& context, const std::string& backend,
                    const std::vector<Size>& sizes) {
  StudyTable table{"reconstructions-" + backend,
                   "Whole reconstructions on " + backend + " (Figs 11 and 12)",
                   {{"case", ""},
                    {"level", ""},
                    {"matrix", ""},
                    {"iterations", ""},
                    {"RMSE", ""},
                    {"build", "s"},
                    {"iterating", "s"},
                    {"with build and set-up", "s"},
                    {"iterating, over ART, 1 thread", "x"},
                    {"with build and set-up, over ART", "x"}},
                   {}};
  for (const Size& size : sizes) {
    if (size.art_s > 0)
      table.rows.push_back({describe_case(size.setting),
                            "ART, 1 thread",
                            "rows in memory",
                            1.0 * context.iterations(printed::art_iterations),
                            {},
                            {},
                            size.art_s,
                            size.art_s,
                            1.0,
                            1.0});
    for (const Reconstruction& one : size.all) table.rows.push_back(row_of(size, one));
  }
  return table;
}

/// Returns the format that stands for one of print: on the CPU, where there is no cuSPARSE, CSR.
std::string format_for(const std::string& printed, const std::string& backend) {
  return printed == "cusparse" && on_host(backend) ? "csr" : printed;
}

/// Returns whether a chart shows a reconstruction: the formats that print compares, print's
/// blocking of the level, and SCSR without options. The table has the other variants.
bool is_charted(const Reconstruction& one) {
  const std::string variant = one.product.variant();
  const auto is_compared = [&](const printed::Counterpart& other) {
    return one.product.format == format_for(other.format, one.product.backend);
  };
  return variant.empty() ? std::ranges::any_of(printed::faster_than, is_compared) ||
                               one.product.format == "scsr"
                         : variant == blocking_of(one.by_views());
}

/// Returns curves of `value` over the side of the image, one for each charted reconstruction.
template <class Value>
std::vector<StudyCurve> curves_of(const std::vector<Size>& sizes, const Value& value) {
  std::vector<StudyCurve> curves;
  for (std::size_t r = 0; r < sizes.front().all.size(); ++r) {
    if (!is_charted(sizes.front().all[r])) continue;
    StudyCurve curve{sizes.front().all[r].name(), {}, {}};
    for (const Size& size : sizes) {
      const Reconstruction& one = size.all[r];
      const double y = one.finished() ? value(size, one) : 0;
      if (!(y > 0)) continue;
      curve.x.push_back(size.setting.grid.nx);
      curve.y.push_back(y);
    }
    if (!curve.x.empty()) curves.push_back(std::move(curve));
  }
  return curves;
}

void add_charts(const std::string& backend, const std::vector<Size>& sizes, StudyResult& result) {
  StudyCurve art{"ART, 1 thread", {}, {}};
  for (const Size& size : sizes) {
    if (!(size.art_s > 0)) continue;
    art.x.push_back(size.setting.grid.nx);
    art.y.push_back(size.art_s);
  }
  StudyChart times{
      "reconstructions-" + backend,
      "Whole reconstructions on " + backend + ", matrix there (Fig. 11)",
      "pixels along a side",
      "s",
      true,
      true,
      curves_of(sizes, [](const Size&, const Reconstruction& one) { return one.iterating_s(); })};
  if (!art.x.empty()) times.curves.insert(times.curves.begin(), std::move(art));
  result.charts.push_back(std::move(times));
  result.charts.push_back({"reconstruction-speed-ups-" + backend,
                           "Whole reconstructions on " + backend +
                               " over ART on one thread (Fig. "
                               "12)",
                           "pixels along a side", "speed-up", true, true,
                           curves_of(sizes, [](const Size& size, const Reconstruction& one) {
                             return size.art_s / one.iterating_s();
                           })});
}

/// Returns the largest ratio over the sizes; `of` and `over` return seconds of a size, 0 where
/// there are none.
template <class Of, class Over>
StudyCell greatest(const std::vector<Size>& sizes, const Of& of, const Over& over) {
  double most = 0;
  for (const Size& size : sizes)
    if (of(size) > 0 && over(size) > 0) most = std::max(most, of(size) / over(size));
  return most > 0 ? StudyCell(most) : StudyCell();
}

/// Returns a function that gives the seconds of a reconstruction with a format at a level: of
/// `variant`, or of the fastest variant where `variant` is empty or the format has no such one.
auto seconds_of(const std::string& format, bool by_views, const std::string& variant = {}) {
  return [=](const Size& size) {
    const auto of = [&](bool any) {
      return size.fastest([&](const Reconstruction& one) {
        return one.product.format == format && one.by_views() == by_views &&
               (any || one.product.variant() == variant);
      });
    };
    const Reconstruction* found = of(variant.empty());
    if (found == nullptr) found = of(true);
    return found != nullptr ? found->iterating_s() : 0.0;
  };
}

class Summary {
 public:
  Summary(MatrixStudyContext& context, std::string backend, const std::vector<Size>& sizes)
      : context_(context),
        backend_(std::move(backend)),
        symmetric_(symmetric_format(context, backend_).format),
        sizes_(sizes) {}

  void add();

 private:
  static constexpr const char* streamed = "print sends this matrix from the host in groups";
  static constexpr const char* another_variant = "a variant that print does not have";
  /// In print all methods converge within their numbers of iterations; eq. 9 as printed does not.
  static constexpr const char* not_converged =
      "print: converged; here as many iterations, which do not converge";

  std::string format_of(const printed::Counterpart& other) const {
    return format_for(other.format, backend_);
  }
  /// Returns "cusparse", or "csr (print: cusparse)", or "brc (simplified)".
  std::string name_of(const printed::Counterpart& other) const {
    const std::string format = format_of(other);
    if (format != other.format) return format + " (print: " + std::string(other.format) + ")";
    return other.is_own_form ? format + " (simplified)" : format;
  }

  void add_level(bool by_views);
  void add_line(const std::string& what, double printed, const StudyCell& here,
                const std::string& unlike_at_full_size) {
    const double scale = context_.scale_on(backend_);
    context_.add_summary_line(
        {"reconstructions",
         "whole reconstructions, iterating alone, the most of all sizes: " + what + ", " + backend_,
         "x"},
        printed, here, scale != 1 ? another_size(scale) : unlike_at_full_size, Better::larger);
  }
  MatrixStudyContext& context_;
  std::string backend_, symmetric_;
  const std::vector<Size>& sizes_;
};

void Summary::add_level(bool by_views) {
  const std::string level = by_views ? "view level, " : "global level, ";
  // Print's blocking for the level first, then the fastest variant, which need not be blocked.
  for (const bool as_printed : {true, false}) {
    const std::string name =
        level + symmetric_ + ", " + (as_printed ? blocking_of(by_views) : "fastest variant");
    const auto symmetric_s =
        seconds_of(symmetric_, by_views, as_printed ? blocking_of(by_views) : std::string());
    add_line(name + ", over ART on one thread",
             by_views ? printed::view_over_art : printed::global_over_art,
             greatest(
                 sizes_, [](const Size& size) { return size.art_s; }, symmetric_s),
             as_printed ? not_converged : another_variant);
    for (const printed::Counterpart& other : printed::faster_than)
      add_line(name + ", over " + name_of(other), by_views ? other.view_level : other.global_level,
               greatest(sizes_, seconds_of(format_of(other), false), symmetric_s),
               as_printed ? streamed : another_variant);
  }
}

void Summary::add() {
  for (const bool by_views : {false, true}) add_level(by_views);
  for (const printed::Counterpart& other : printed::faster_than)
    add_line(name_of(other) + " over ART on one thread", other.over_art,
             greatest(
                 sizes_, [](const Size& size) { return size.art_s; },
                 seconds_of(format_of(other), false)),
             streamed);
}

}  // namespace

void reconstructions(MatrixStudyContext& context, StudyResult& result) {
  for (const std::string& backend : context.matrix_backends()) {
    std::vector<Size> sizes;
    for (const BenchCase& setting : settings(context, backend))
      sizes.push_back(reconstruct_all(context, backend, setting, [&](const Size& growing) {
        std::vector<Size> so_far = sizes;
        so_far.push_back(growing);
        context.show(result, table_of(context, backend, so_far));
      }));
    result.tables.push_back(table_of(context, backend, sizes));
    add_charts(backend, sizes, result);
    Summary(context, backend, sizes).add();
  }
  result.notes.push_back(
      "Whole reconstructions: eq. 9 with lambda 1 as printed, from exact data of the Shepp-Logan "
      "head; " +
      std::to_string(printed::global_iterations) + " iterations at the global level, " +
      std::to_string(printed::view_iterations) + " at the view level, " +
      std::to_string(printed::art_iterations) + " of ART on one thread (one timed on rows of " +
      std::to_string(art_views) +
      " views spread over the scan), the numbers after which print's converge. The numbers are "
      "print's, not those after which the images here are alike: part plateau has these. All "
      "matrices lie in the memory of the device, with the transposes that their formats store, "
      "where print sends CSR, BRC and CSR5 through the K80's " +
      format_param(printed::k80_gb) +
      " GB (as printed; a K80 is two devices of 12 GB, one of which a program uses) and transposes "
      "them there. The RMSE shows that all formats give one image at a level.");
}

}  // namespace gantry::cuart
