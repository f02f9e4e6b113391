// Time of an iteration W x + W^T y in every format and on the fly, and of building the matrix (Yu
// et al. 2019, Fig. 17). The baseline is an iteration of ART on one thread of the CPU. Whole
// reconstructions, print's Figs 11 and 12, are the part reconstructions.
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"
#include "studies/stored_art.hpp"

#include <cmath>
#include <functional>

namespace gantry::cuart {

namespace {

constexpr int art_views = 24;  // on which the iteration of ART is timed
/// Iterations that share a csr2csc, which a reconstruction makes once; print has no number of its
/// own for this.
constexpr int transposed_once_in = printed::global_iterations;

struct Row {
  MatrixMethod method;
  std::optional<MatrixTimes> times;
  std::string problem;

  bool is(const std::string& format, const std::string& variant = {}) const {
    return times && method.format == format && method.variant() == variant;
  }
};

/// All times at one size.
struct Timed {
  BenchCase setting;
  double art_s = 0;
  std::vector<Row> rows;
  std::string reference;    ///< format of the reference
  double reference_s = 0;   ///< iteration of the reference; 0: not timed
  double conversion_s = 0;  ///< csr2csc; 0: the transpose needs no conversion

  const Row* find(const std::string& format, const std::string& variant = {}) const {
    for (const Row& row : rows)
      if (row.is(format, variant)) return &row;
    return nullptr;
  }
  /// Returns the fastest method for which `suits` returns true.
  template <class Suits>
  const Row* fastest(const Suits& suits) const {
    const Row* best = nullptr;
    for (const Row& row : rows)
      if (row.times && suits(row) &&
          (best == nullptr || row.times->both_s() < best->times->both_s()))
        best = &row;
    return best;
  }
};

/// Sets the reference: an iteration of cuSPARSE with a transpose that is made once per run, as in
/// the paper. Where the format cannot convert (beyond 2^31 nonzeros), the faster of its two
/// transposed products counts, neither of which uses cuSPARSE there. Backends without cuSPARSE use
/// their first format.
void set_reference(Timed& timed) {
  timed.conversion_s = 0;
  const Row* stored = timed.find(printed::faster_than[0].format);
  if (stored == nullptr) {
    for (const Row& row : timed.rows)
      if (stored == nullptr && row.method.stored() && row.times) stored = &row;
    if (stored == nullptr) return;
  } else if (const Row* convert = timed.find(stored->method.format, "transpose convert")) {
    timed.conversion_s = std::max(0.0, convert->times->backward_s - stored->times->backward_s);
  } else if (const Row* transposed = timed.find(stored->method.format, "transpose op");
             transposed != nullptr && transposed->times->both_s() < stored->times->both_s()) {
    stored = transposed;
  }
  timed.reference = stored->method.format;
  timed.reference_s = stored->times->both_s() + timed.conversion_s / transposed_once_in;
}

/// Times all methods at one size; calls `grown` after each method.
Timed time_all(const MatrixStudyContext& context, const std::string& backend,
               const BenchCase& setting, const std::function<void(const Timed&)>& grown) {
  Timed timed;
  timed.setting = setting;
  context.say("ART on one thread, " + describe_case(setting));
  timed.art_s = if_it_fits([&] {
                  return art_iteration_seconds(*context.weights_on_cpu(setting), art_views);
                }).value_or(0);
  std::vector<MatrixMethod> methods = context.stored(backend, true);
  for (MatrixMethod& method : context.on_the_fly(backend, true))
    methods.push_back(std::move(method));
  for (const MatrixMethod& method : methods) {
    Row row{method, {}, {}};
    row.times = context.time(method, setting, row.problem);
    timed.rows.push_back(std::move(row));
    set_reference(timed);
    grown(timed);
  }
  return timed;
}

StudyCell ratio(double of, double over) {
  if (!(of > 0) || !(over > 0)) return {};
  return of / over;
}

StudyTable times_table(const std::string& backend, const std::vector<Timed>& sizes) {
  StudyTable table{"times-" + backend,
                   "An iteration W x + W^T y on " + backend + ", and building (Fig. 17)",
                   {{"case", ""},
                    {"method", ""},
                    {"variant", ""},
                    {"matrix", ""},
                    {"build", "s"},
                    {"memory", "MB"},
                    {"W x", "ms"},
                    {"W^T y", "ms"},
                    {"both", "ms"},
                    {"against ART, 1 thread", "x"},
                    {"against " + sizes.front().reference + ", transposed once in " +
                         std::to_string(transposed_once_in),
                     "x"}},
                   {}};
  for (const Timed& timed : sizes) {
    const std::string name = describe_case(timed.setting);
    table.rows.push_back({name,
                          "ART, 1 thread, an iteration",
                          {},
                          "the same",
                          {},
                          {},
                          {},
                          {},
                          1e3 * timed.art_s,
                          1.0,
                          ratio(timed.reference_s, timed.art_s)});
    for (const Row& row : timed.rows) {
      const char* matrix = row.method.same_matrix ? "the same" : "another";
      if (!row.times) {
        table.rows.push_back({name,
                              row.method.name(),
                              row.method.variant(),
                              row.problem.empty() ? "does not fit" : row.problem,
                              {},
                              {},
                              {},
                              {},
                              {},
                              {},
                              {}});
        continue;
      }
      const MatrixTimes& t = *row.times;
      StudyCell build, memory;
      if (t.storage) {
        build = t.storage->build_s;
        memory = 1e-6 * static_cast<double>(t.storage->bytes());
      }
      table.rows.push_back({name, row.method.name(), row.method.variant(), matrix, build, memory,
                            1e3 * t.forward_s, 1e3 * t.backward_s, 1e3 * t.both_s(),
                            ratio(timed.art_s, t.both_s()), ratio(timed.reference_s, t.both_s())});
    }
  }
  return table;
}

/// Returns curves of `value` over the side of the image, one curve for each method.
template <class Value>
StudyChart chart_of(const std::string& key, const std::string& title, const std::string& what,
                    const std::vector<Timed>& sizes, const Value& value) {
  StudyChart chart{key, title, "pixels along a side", what, true, true, {}};
  for (std::size_t r = 0; r < sizes.front().rows.size(); ++r) {
    const MatrixMethod& method = sizes.front().rows[r].method;
    StudyCurve curve{method.full_name(), {}, {}};
    for (const Timed& timed : sizes) {
      const auto& times = timed.rows[r].times;
      if (!times || !method.same_matrix) continue;
      const double y = value(timed, *times);
      if (!(y > 0)) continue;
      curve.x.push_back(timed.setting.grid.nx);
      curve.y.push_back(y);
    }
    if (!curve.x.empty()) chart.curves.push_back(std::move(curve));
  }
  return chart;
}

void add_charts(const std::string& backend, const std::vector<Timed>& sizes, StudyResult& result) {
  result.charts.push_back(
      chart_of("times-" + backend, "An iteration on " + backend, "ms", sizes,
               [](const Timed&, const MatrixTimes& times) { return 1e3 * times.both_s(); }));
  result.charts.push_back(chart_of(
      "speed-ups-" + backend, "ART's iteration on one thread over one on " + backend, "speed-up",
      sizes,
      [](const Timed& timed, const MatrixTimes& times) { return timed.art_s / times.both_s(); }));
  result.charts.push_back(chart_of("build-" + backend,
                                   "Building the matrix on " + backend + " (Fig. 17)", "s", sizes,
                                   [](const Timed&, const MatrixTimes& times) {
                                     return times.storage ? times.storage->build_s : 0.0;
                                   }));
}

/// Returns the row of SCSR with a blocking; where the backend has no such variant, the row of the
/// fastest SCSR.
const Row* scsr(const Timed& timed, const std::string& blocking) {
  if (const Row* row = timed.find("scsr", "blocking " + blocking)) return row;
  return timed.fastest([](const Row& row) { return row.method.format == "scsr"; });
}

/// The largest ratio over the sizes, with the name of the method.
struct Greatest {
  double value = 0;
  std::string name;
  void take(double of, double over, const std::string& method) {
    if (of / over <= value) return;
    value = of / over;
    name = method;
  }
  StudyCell cell() const { return value > 0 ? StudyCell(value) : StudyCell(); }
};

/// Adds how many times as long building the matrix takes as building CSR, at the largest size:
/// Fig. 17. Print has a number for CSR5 alone.
void add_build_summary(MatrixStudyContext& context, const std::string& backend,
                       const std::vector<Timed>& sizes) {
  struct Built {
    const char *name, *format, *blocking;
    StudyCell printed;
  };
  const Built all[] = {{"SCSR, global level", "scsr", "global", "substantial preprocessing time"},
                       {"SCSR, view level", "scsr", "view", "nearly the same"},
                       {"BRC (simplified)", "brc", "", "substantial preprocessing time"},
                       {"CSR5 (simplified)", "csr5", "", printed::csr5_build_over_csr}};
  for (const Built& built : all) {
    const Timed& largest = sizes.back();
    const Row* ours =
        *built.blocking != 0 ? scsr(largest, built.blocking) : largest.find(built.format);
    const Row* csr = largest.find(largest.reference);
    if (ours == nullptr || csr == nullptr || !ours->times->storage || !csr->times->storage)
      continue;
    context.add_summary_line(
        {"times",
         "building " + std::string(built.name) + " over building " + largest.reference + ", " +
             describe_case(largest.setting) + ", " + backend,
         "x"},
        built.printed, ours->times->storage->build_s / csr->times->storage->build_s,
        "print: from a matrix; here its weights are computed as well", Better::smaller);
  }
}

void add_summary(MatrixStudyContext& context, const std::string& backend,
                 const std::vector<Timed>& sizes) {
  Greatest over_art;
  for (const Timed& timed : sizes)
    if (const Row* ours = scsr(timed, "global"); ours != nullptr && timed.art_s > 0)
      over_art.take(timed.art_s, ours->times->both_s(),
                    ours->method.name() + " " + ours->method.variant());
  const double scale = context.scale_on(backend);
  context.add_summary_line(
      {"times",
       "an iteration (" + over_art.name + ") over ART's iteration on one thread, " + backend, "x"},
      printed::iteration_over_art, over_art.cell(),
      scale == 1 && sizes.size() < printed::global_smaller.size()
          ? std::to_string(sizes.size()) + " of print's three sizes"
          : another_size(scale),
      Better::larger);
}

/// Returns a sentence that says whether storing the matrix is faster, with times.
std::string verdict(const std::string& backend, const Timed& timed) {
  const Row* stored = timed.fastest([](const Row& row) { return row.method.stored(); });
  const Row* same =
      timed.fastest([](const Row& row) { return !row.method.stored() && row.method.same_matrix; });
  const Row* any = timed.fastest([](const Row& row) { return !row.method.stored(); });
  if (stored == nullptr || same == nullptr) return {};
  const double stored_s = stored->times->both_s(), same_s = same->times->both_s(),
               build_s = stored->times->storage->build_s;
  const auto named = [](const Row& row) {
    return row.method.name() +
           (row.method.variant().empty() ? "" : " (" + row.method.variant() + ")") + " " +
           three_digits(1e3 * row.times->both_s()) + " ms";
  };
  std::string text = "On " + backend + ", " + describe_case(timed.setting) +
                     ": fastest stored matrix, " + named(*stored) +
                     "; the same matrix computed anew, " + named(*same) + ": ";
  if (stored_s < same_s)
    text += "storing is " + three_digits(same_s / stored_s) +
            " times faster and makes up for its " + three_digits(build_s) +
            " s of building after " + three_digits(std::ceil(build_s / (same_s - stored_s))) +
            " iterations.";
  else
    text += "computing anew beats the stored matrix " + three_digits(stored_s / same_s) + " times.";
  if (any != same)
    text += " Another matrix of the same scan, " + named(*any) +
            (any->times->both_s() < stored_s
                 ? ", beats the stored matrix: " + three_digits(stored_s / any->times->both_s()) +
                       " times as fast."
                 : ", does not beat the stored one.");
  return text;
}

}  // namespace

void times(MatrixStudyContext& context, StudyResult& result) {
  for (const std::string& backend : context.matrix_backends()) {
    std::vector<Timed> sizes;
    for (const BenchCase& setting : settings(context, backend))
      sizes.push_back(time_all(context, backend, setting, [&](const Timed& growing) {
        std::vector<Timed> so_far = sizes;
        so_far.push_back(growing);
        context.show(result, times_table(backend, so_far));
      }));
    result.tables.push_back(times_table(backend, sizes));
    add_charts(backend, sizes, result);
    add_summary(context, backend, sizes);
    add_build_summary(context, backend, sizes);
    for (const Timed& timed : sizes) {
      if (const std::string text = verdict(backend, timed); !text.empty())
        result.notes.push_back(text);
      if (timed.conversion_s > 0)
        result.notes.push_back("On " + backend + ", " + describe_case(timed.setting) +
                               ": csr2csc takes " + three_digits(1e3 * timed.conversion_s) +
                               " ms, of which an iteration bears a " +
                               std::to_string(transposed_once_in) + "th.");
    }
  }
  result.notes.push_back(
      "Times: medians of 3 to 10 calls after one to warm up, by the host's clock, the device "
      "waited "
      "for, operands there. ART: rows of " +
      std::to_string(art_views) +
      " views spread over the scan in memory (float32), one thread, times the views there are. BRC "
      "and CSR5 are this program's own, simplified.");
}

}  // namespace gantry::cuart
