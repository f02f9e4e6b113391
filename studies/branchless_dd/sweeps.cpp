// Growth of the time of a product: Liu et al. 2017, Figs 7 (views), 8 (pixels in the plane), 9 and
// 10 (slices and detector rows). The figures are curves; statements of the text on the figures are
// compared with the results.
#include "core/backend/cpu_backend.hpp"
#include "studies/branchless_dd/parts.hpp"
#include "studies/branchless_dd/printed.hpp"
#include "studies/branchless_dd/products.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace gantry::branchless_dd {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
const std::string cpu_in_a_straight_line =
    "times of the CPU go on in a straight line beyond 64 views";
/// Series over sizes use a quarter of a turn's views.
constexpr int views_of_sizes = 246;

/// A series of problems of growing size, with the methods that are timed at each.
struct Sweep {
  std::string key, figure, x_label;
  bool speedups = false;  ///< the text states the largest of GPU-BL; over views
  struct Point {
    double x;
    Setting setting;
    std::vector<Method> methods;
  };
  std::vector<Point> points = {};
};

/// Times of a method at each point, s; NaN where not timed.
using Seconds = std::vector<double>;

struct Outcome {
  std::vector<Method> methods;                  ///< the CPU first
  std::array<std::vector<Seconds>, 2> seconds;  ///< [direction][method][point]
};

double seconds_of(const BranchlessContext& context, const Method& method, const Setting& setting,
                  Direction direction) {
  constexpr int most_views = 64;
  if (method.on_host()) return cpu_seconds(context, setting, direction, cpu_threads(), most_views);
  return if_it_fits(
             [&] { return seconds_with_transfers(*context.make(method, setting), direction); })
      .value_or(nothing);
}

Outcome run(const BranchlessContext& context, const Sweep& sweep,
            const std::vector<Method>& methods) {
  Outcome outcome{methods, {}};
  for (auto& curves : outcome.seconds)
    curves.assign(methods.size(), Seconds(sweep.points.size(), nothing));
  for (std::size_t p = 0; p < sweep.points.size(); ++p) {
    const Sweep::Point& point = sweep.points[p];
    context.say(sweep.figure + ": " + sweep.x_label + " " +
                std::to_string(static_cast<int>(point.x)));
    for (std::size_t m = 0; m < methods.size(); ++m) {
      if (std::ranges::find(point.methods, methods[m].label(), &Method::label) ==
          point.methods.end())
        continue;
      for (std::size_t d = 0; d < 2; ++d)
        if (is_timed(methods[m], directions[d]))
          outcome.seconds[d][m][p] = seconds_of(context, methods[m], point.setting, directions[d]);
    }
  }
  return outcome;
}

std::vector<double> places(const Sweep& sweep) {
  std::vector<double> x;
  for (const Sweep::Point& point : sweep.points) x.push_back(point.x);
  return x;
}

/// Returns the number of a figure, for titles; without a GPU with what is missing there.
std::string named(const BranchlessContext& context, const std::string& figure) {
  return context.has_gpu() ? figure
                           : figure + "; the CPU alone: print's other methods need a CUDA device";
}

void draw(const BranchlessContext& context, const Sweep& sweep, const Outcome& outcome,
          StudyResult& result) {
  const std::string figure = named(context, sweep.figure);
  for (std::size_t d = 0; d < 2; ++d) {
    const std::string product = name_of(directions[d]);
    StudyChart time{sweep.key + "-" + product,
                    "Time of the " + product + " (" + figure + ")",
                    sweep.x_label,
                    "s",
                    false,
                    false,
                    {}},
        faster{sweep.key + "-" + product + "-speedup",
               "Speed-up over the CPU, " + product + " (" + figure + ")",
               sweep.x_label,
               "times",
               false,
               false,
               {}};
    for (std::size_t m = 0; m < outcome.methods.size(); ++m) {
      const Seconds& seconds = outcome.seconds[d][m];
      if (std::ranges::all_of(seconds, [](double s) { return std::isnan(s); })) continue;
      time.curves.push_back({outcome.methods[m].label(), places(sweep), seconds});
      if (m == 0) continue;
      StudyCurve curve{outcome.methods[m].label(), places(sweep), {}};
      for (std::size_t p = 0; p < seconds.size(); ++p)
        curve.y.push_back(outcome.seconds[d][0][p] / seconds[p]);
      faster.curves.push_back(std::move(curve));
    }
    result.charts.push_back(std::move(time));
    if (!faster.curves.empty()) result.charts.push_back(std::move(faster));
  }
}

void tabulate(const BranchlessContext& context, const Sweep& sweep, const Outcome& outcome,
              StudyResult& result) {
  StudyTable table{sweep.key,
                   "Time of a product, with transfers (" + named(context, sweep.figure) + ")",
                   {{sweep.x_label, ""}},
                   {}};
  for (std::size_t d = 0; d < 2; ++d)
    for (const Method& method : outcome.methods)
      if (is_timed(method, directions[d]))
        table.columns.push_back({method.label() + " " + name_of(directions[d]), "s"});
  for (std::size_t p = 0; p < sweep.points.size(); ++p) {
    std::vector<StudyCell> row = {sweep.points[p].x};
    for (std::size_t d = 0; d < 2; ++d)
      for (std::size_t m = 0; m < outcome.methods.size(); ++m)
        if (is_timed(outcome.methods[m], directions[d])) {
          const double seconds = outcome.seconds[d][m][p];
          row.push_back(std::isnan(seconds) ? StudyCell() : StudyCell(seconds));
        }
    table.rows.push_back(std::move(row));
  }
  result.tables.push_back(std::move(table));
}

/// Returns n such that the time grows as the n-th power of the size: the slope of a straight line
/// through the logarithms; an empty cell for less than three points.
StudyCell power(const std::vector<double>& x, const Seconds& seconds) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(seconds[i]) || seconds[i] <= 0) continue;
    const double a = std::log(x[i]), b = std::log(seconds[i]);
    n += 1;
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  if (n < 3) return {};
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// Returns the growth that the text states for a method, in its words, and the power that they
/// mean; an empty cell for none.
StudyCell printed_growth(const std::string& key, const std::string& method, Direction direction) {
  const StudyCell linear = StudyCell::stated("linear", 1),
                  quadratic = StudyCell::stated("quadratic", 2);
  if (method.empty()) return {};
  if (key != "in-plane") return linear;
  const bool forward = direction == Direction::projection;
  if (method == "CPU-32") return quadratic;
  if (forward) return method == "GPU-BL" || method == "GPU-DB" ? linear : StudyCell();
  return method == "GPU-BL" || method == "GPU-BS" || method == "GPU-BZ" ? quadratic : StudyCell();
}

void add_powers(const Sweep& sweep, const Outcome& outcome, double scale, StudyTable& laws) {
  for (std::size_t d = 0; d < 2; ++d)
    for (std::size_t m = 0; m < outcome.methods.size(); ++m) {
      const Method& method = outcome.methods[m];
      if (!is_timed(method, directions[d])) continue;
      const bool extrapolates = method.on_host() && sweep.speedups;
      laws.compare({sweep.figure, method.label() + ", " + name_of(directions[d]),
                    "power of " + sweep.x_label},
                   printed_growth(sweep.key, method.printed, directions[d]),
                   power(places(sweep), outcome.seconds[d][m]),
                   extrapolates ? cpu_in_a_straight_line : another_size(scale));
    }
}

/// Adds the largest speed-up of GPU-BL over the CPU among the points. Print's times hold transfers,
/// and so do those here.
void add_speedups(const Sweep& sweep, const Outcome& outcome, StudyTable& laws) {
  const auto bl = std::ranges::find(outcome.methods, gpu_bl().label(), &Method::label);
  for (std::size_t d = 0; d < 2; ++d) {
    StudyCell largest = bl == outcome.methods.end() ? StudyCell(needs_cuda) : StudyCell();
    if (bl != outcome.methods.end()) {
      const auto m = static_cast<std::size_t>(bl - outcome.methods.begin());
      for (std::size_t p = 0; p < sweep.points.size(); ++p) {
        const double faster = outcome.seconds[d][0][p] / outcome.seconds[d][m][p];
        if (faster > largest.number.value_or(0)) largest = faster;
      }
    }
    laws.compare({sweep.figure, "GPU-BL, " + name_of(directions[d]), "most over the CPU, times"},
                 d == 0 ? printed::projection_over_cpu : printed::backprojection_over_cpu, largest,
                 cpu_in_a_straight_line, Better::larger);
  }
}

std::vector<Method> all_methods() {
  return {on_cpu(), ours(), gpu_bl(), gpu_bz(), gpu_db(), gpu_bs()};
}

/// Returns the methods for a size; slow methods are left out where they would take most of the
/// study's time.
std::vector<Method> methods_up_to(int size, int for_slow, int for_all_but_bl) {
  if (size > for_all_but_bl) return {on_cpu(), ours(), gpu_bl()};
  if (size > for_slow) return {on_cpu(), ours(), gpu_bl(), gpu_bz()};
  return all_methods();
}

Sweep over_views(const BranchlessContext& context) {
  Sweep sweep{"views", "Fig. 7", "views", true};
  for (const int views : {100, 500, 984, 2200, 4400, 11000}) {
    const Setting setting = context.scanner(views);
    sweep.points.push_back(
        {1.0 * setting.geometry->views(), setting, methods_up_to(views, 984, 4400)});
  }
  return sweep;
}

Sweep over_sides(const BranchlessContext& context) {
  Sweep sweep{"in-plane", "Fig. 8", "pixels a side"};
  const printed::Steps& steps = printed::sides;
  for (int side = steps.first; side <= steps.last; side += steps.step) {
    const Setting setting = context.scanner(views_of_sizes, side);
    sweep.points.push_back({1.0 * setting.grid.nx, setting, methods_up_to(side, 1024, 1408)});
  }
  return sweep;
}

Sweep over_slices(const BranchlessContext& context) {
  Sweep sweep{"slices", "Fig. 9", "slices and rows"};
  const printed::Steps& steps = printed::slices;
  for (int slices = steps.first; slices <= steps.last; slices += steps.step) {
    const Setting setting = context.scanner(views_of_sizes, 512, slices);
    sweep.points.push_back({1.0 * setting.grid.nz, setting, methods_up_to(slices, 256, 480)});
  }
  return sweep;
}

/// Compares backprojections by GPU-BL and GPU-BZ in small steps of slices.
void figure_10(const BranchlessContext& context, StudyResult& result) {
  const std::string figure = named(context, "Fig. 10");
  StudyChart chart{"bl-against-bz",
                   "GPU-BL and GPU-BZ, backprojection (" + figure + ")",
                   "slices and rows",
                   "ms",
                   false,
                   false,
                   {}};
  StudyTable table{"bl-against-bz",
                   "Time of the backprojection of " +
                       std::to_string(context.scanner(views_of_sizes).geometry->views()) +
                       " views; lines of GPU-BZ have 16 voxels (" + figure + ")",
                   {{"slices and rows", ""}},
                   {}};
  const std::vector<Method> methods = context.available({on_cpu(), gpu_bl(), gpu_bz(), ours()});
  for (const Method& method : methods) {
    table.columns.push_back({method.label(), "ms"});
    chart.curves.push_back({method.label(), {}, {}});
  }
  const int step = context.has_gpu() ? 4 : 32;
  for (int slices = step; slices <= 128; slices += step) {
    const Setting setting = context.scanner(views_of_sizes, 512, slices);
    context.say("Fig. 10: slices " + std::to_string(setting.grid.nz));
    std::vector<StudyCell> row = {1.0 * setting.grid.nz};
    for (std::size_t m = 0; m < methods.size(); ++m) {
      // The CPU's time is that of Fig. 9; a few points suffice beside those of a GPU.
      if (context.has_gpu() && methods[m].on_host() && slices % 64 != 0) {
        row.emplace_back();
        continue;
      }
      const double ms = 1e3 * seconds_of(context, methods[m], setting, Direction::backprojection);
      row.push_back(std::isnan(ms) ? StudyCell() : StudyCell(ms));
      chart.curves[m].x.push_back(setting.grid.nz);
      chart.curves[m].y.push_back(ms);
    }
    table.rows.push_back(std::move(row));
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
}

}  // namespace

void sweeps(BranchlessContext& context, StudyResult& result) {
  const std::vector<Method> methods = context.available(all_methods());
  StudyTable laws = StudyTable::comparing("growth", "How times grow (text on Figs 7 to 9)",
                                          {{"figure", ""}, {"method", ""}, {"measure", ""}}, "");
  for (const auto& make : {over_views, over_sides, over_slices}) {
    const Sweep sweep = make(context);
    const Outcome outcome = run(context, sweep, methods);
    draw(context, sweep, outcome, result);
    tabulate(context, sweep, outcome, result);
    add_powers(sweep, outcome, context.scale(), laws);
    if (sweep.speedups) add_speedups(sweep, outcome, laws);
  }
  figure_10(context, result);
  result.tables.push_back(std::move(laws));
}

}  // namespace gantry::branchless_dd
