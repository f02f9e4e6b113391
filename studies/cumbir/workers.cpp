// Threads or blocks as workers of stochastic gradient descent and of coordinate descent: Figs 3 and
// 6 to 8. A block of print is a warp here, which needs no barrier. The CPU knows neither: a method
// runs there once for both workers. ICD is run with print's step from zero, which is the published
// method, with Newton's step for voxels that lie apart, and as it is run here by default: from
// FDK's image, with steps that never increase the objective.
#include "core/base/joined.hpp"
#include "core/mapping/warp_counters.hpp"
#include "core/matrix/matrix_format.hpp"
#include "studies/cumbir/methods.hpp"
#include "studies/cumbir/parts.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace gantry::cumbir {

namespace {

constexpr double longest_s = 40;
/// Bytes that a weight moves if no cache helps: SGD reads a voxel, then reads and writes it; ICD
/// does the same with a ray.
constexpr double bytes_per_weight = 12;

/// What print says of a method's worker: SGD_Thd is faster than it by this factor.
struct PrintedGain {
  std::string method;
  double factor;
};

struct Compared {
  Method method;
  std::vector<PrintedGain> printed = {};  ///< of the workers for which the run stands
  Run run = {};
};

/// A form of ICD: its step and the image from which it starts.
struct IcdForm {
  const char *words, *step, *start;
};
constexpr std::array<IcdForm, 3> icd_forms = {{{", step of print", "printed", "zero"},
                                               {", default step, from zero", "bound", "zero"},
                                               {", default step, from FDK", "bound", "fbp"}}};

std::vector<Compared> compared_methods(bool has_workers) {
  const PrintedGain sgd_block{"SGD_Blk", printed::over_sgd_block};
  std::vector<Compared> all;
  if (has_workers)
    all = {{sgd("SGD_Thd", "thread")}, {sgd(sgd_block.method, "warp"), {sgd_block}}};
  else
    all = {{sgd("SGD_Thd and SGD_Blk", "thread"), {sgd_block}}};
  for (const auto& [words, step, start] : icd_forms) {
    const PrintedGain block{std::string("ICD_Blk") + words, printed::over_icd_block},
        thread{std::string("ICD_Thd") + words, printed::over_icd_thread};
    if (has_workers) {
      all.push_back({icd(block.method, "warp", step, start), {block}});
      all.push_back({icd(thread.method, "thread", step, start), {thread}});
    } else {
      all.push_back({icd(std::string("ICD_Blk and ICD_Thd") + words, "thread", step, start),
                     {block, thread}});
    }
  }
  all.push_back({printed_sgd()});
  return all;
}

std::optional<double> error_after(const Run& run, std::size_t epochs) {
  if (run.rmse.size() < epochs) return {};
  return run.rmse[epochs - 1];
}

std::optional<double> seconds_of_epoch(const Run& run) {
  if (run.seconds.empty()) return {};
  return (run.seconds.back() - run.setup_s) / static_cast<double>(run.seconds.size());
}

/// The example of Fig. 3: two rays through 4 x 4 voxels, two of which are a segment of memory. The
/// voxels are those that give print's order of the segments, 0, 2, 4, 4, 6, 6, 7.
void utilisation_of_memory(CumbirContext& context) {
  constexpr std::array<std::array<std::uint32_t, 5>, 2> rays = {
      {{0, 4, 8, 9, 13}, {1, 5, 9, 13, 14}}};
  constexpr std::size_t voxels_of_segment = 2;
  WarpCounters block, thread;
  std::vector<Access> together;
  for (const auto& ray : rays) {
    std::vector<Access> at_once;  // the threads of a block take a voxel each
    for (std::uint32_t step = 0; step < ray.size(); ++step) {
      at_once.push_back({0, ray[step]});
      together.push_back({step, ray[step]});  // two threads of a warp take a ray each
    }
    block += count_accesses(at_once, voxels_of_segment);
  }
  thread = count_accesses(together, voxels_of_segment);
  const auto utilisation = [](const WarpCounters& counted) {
    return 100 * static_cast<double>(counted.accesses) /
           static_cast<double>(counted.transactions * std::int64_t{voxels_of_segment});
  };
  context.summary.compare({"memory utilisation, a block as worker, %", "Fig. 3"},
                          printed::utilisation_block, utilisation(block), like_for_like);
  context.summary.compare({"memory utilisation, a thread as worker, %", "Fig. 3"},
                          printed::utilisation_thread, utilisation(thread), like_for_like);
}

/// Adds the middle slices after epochs 1, 3 and 5 (Fig. 6). Print states no window: the values of
/// the phantom.
void add_slices(const Compared& one, const Scanned& scanned, StudyResult& result) {
  const auto [least, largest] = std::ranges::minmax(scanned.truth);
  for (const auto& [epoch, slice] : one.run.slices) {
    StudyImage image = slice;
    image.key = "fig-6-" + std::to_string(result.images.size());
    image.title = one.method.name + ", epoch " + std::to_string(epoch) + " (Fig. 6)";
    image.unit = "1/mm";
    image.low = least;
    image.high = largest;
    result.images.push_back(std::move(image));
  }
}

StudyTable empty_table() {
  return {"fig-7",
          "Workers: error after epochs 1, 3 and 5 (Fig. 6), time to 1.05 x the least error of "
          "these (Fig. 7)",
          {{"method", ""},
           {"RMSE after 1", "1/mm"},
           {"after 3", "1/mm"},
           {"after 5", "1/mm"},
           {"least", "1/mm"},
           {"epoch", "s"},
           {"epochs to the criterion", ""},
           {"time to the criterion", "s"},
           {"SGD_Thd is faster, printed", ""},
           {"here", ""},
           {"here, to 1.05 x the method's own least error or that of SGD_Thd", ""}},
          {}};
}

/// Returns print's factors in words if the run stands for several workers: "4.2 (ICD_Blk ...),
/// ...".
StudyCell printed_cell(const std::vector<PrintedGain>& printed, bool has_workers) {
  if (printed.empty()) return {};
  if (has_workers) return printed.front().factor;
  return joined(printed, [](const PrintedGain& one) {
    return shown(one.factor) + " (" + one.method.substr(0, one.method.find(',')) + ")";
  });
}

/// How many times as long a run takes as that of SGD_Thd: to the criterion, and to 1.05 times the
/// larger of their own least errors, which both reach.
struct Ratios {
  std::optional<double> to_criterion, to_own;
};

Ratios ratios_of(const Run& run, const Run& first, double level) {
  const auto over = [&](double error) -> std::optional<double> {
    const auto seconds = run.seconds_to(error), of_first = first.seconds_to(error);
    return seconds && of_first ? std::optional(*seconds / *of_first) : std::nullopt;
  };
  return {over(level), over(criterion * std::max(run.best(), first.best()))};
}

/// What is said of print's factor on a GPU.
StudyCell claim_of(const Ratios& ratios) {
  if (ratios.to_criterion) return *ratios.to_criterion;
  if (!ratios.to_own) return "criterion not reached";
  return "criterion not reached; " + shown(*ratios.to_own) + " to its own least error";
}

void add_rows(CumbirContext& context, const std::vector<Compared>& all, StudyTable& table) {
  const char* no_workers = "the CPU knows no such workers";
  double least = std::numeric_limits<double>::infinity();
  for (const Compared& one : all) least = std::min(least, one.run.best());
  const auto cell = [](std::optional<double> value, const char* otherwise) {
    return value ? StudyCell(*value) : StudyCell(otherwise);
  };
  for (const Compared& one : all) {
    const auto epochs = one.run.iterations_to(criterion * least);
    const bool has_ratio = context.has_gpu() || one.printed.empty();
    const Ratios ratios =
        context.has_gpu() ? ratios_of(one.run, all.front().run, criterion * least) : Ratios{};
    table.rows.push_back(
        {one.method.name, error_after(one.run, 1), error_after(one.run, 3), error_after(one.run, 5),
         one.run.rmse.empty() ? StudyCell(one.run.problem) : StudyCell(one.run.best()),
         seconds_of_epoch(one.run),
         epochs ? StudyCell(static_cast<double>(*epochs)) : StudyCell("not reached"),
         cell(one.run.seconds_to(criterion * least), "not reached"),
         printed_cell(one.printed, context.has_gpu()),
         has_ratio ? StudyCell(ratios.to_criterion) : StudyCell(no_workers),
         has_ratio ? StudyCell(ratios.to_own) : StudyCell(no_workers)});
    for (const PrintedGain& printed : one.printed)
      context.summary.compare({"SGD_Thd over " + printed.method + ", time to converge", "Fig. 7"},
                              printed.factor,
                              context.has_gpu() ? claim_of(ratios) : StudyCell(no_workers),
                              another_size(context.scale()), Better::larger);
  }
}

/// Returns Fig. 8, which print draws without numbers: (a), how busy the units for float32 are,
/// needs the counters of a profiler; of (b) there is the bandwidth that the weights ask for.
StudyTable figure_8(const CumbirContext& context, const Scanned& scanned,
                    const std::vector<Compared>& all) {
  StudyTable table{"fig-8",
                   "Units and memory that the workers use (Fig. 8; print has bars without numbers)",
                   {{"method", ""},
                    {"(a) utilisation of the SP units", "%"},
                    {"(b) bandwidth that the weights ask for", "GB/s"},
                    {"(b) utilisation of the bandwidth", "%"}},
                   {}};
  const char* counters = context.has_gpu() ? "not computed: counted by a profiler alone"
                                           : "not computed: the CPU has no SP units";
  const double weights = estimate_nonzeros(*context.make("siddon", scanned.setting)).nonzeros;
  for (const Compared& one : all) {
    const auto epoch = seconds_of_epoch(one.run);
    table.rows.push_back(
        {one.method.name, counters,
         epoch ? std::optional(1e-9 * bytes_per_weight * weights / *epoch) : std::nullopt,
         "not computed: caches serve a part, which a profiler alone counts"});
  }
  return table;
}

}  // namespace

void workers(CumbirContext& context, StudyResult& result) {
  utilisation_of_memory(context);
  const Scanned& scanned = context.shepp_logan();
  const NoisyData data = context.noisy(scanned, 1);
  std::vector<Compared> all = compared_methods(context.has_gpu());
  StudyTable table = empty_table();
  StudyChart chart{"fig-7", "Workers, Shepp-Logan (Fig. 7)", "seconds", "RMSE, 1/mm", true, false,
                   {}};
  for (Compared& one : all) {
    one.method.shown = {1, 3, 5};
    one.run = run_method(context, scanned, data, one.method, longest_s);
    chart.curves.push_back(curve_of(one.method.name, one.run));
    add_slices(one, scanned, result);
    context.show(result, table);
  }
  add_rows(context, all, table);
  result.tables.push_back(std::move(table));
  result.tables.push_back(figure_8(context, scanned, all));
  result.charts.push_back(std::move(chart));
  if (!context.has_gpu())
    result.notes.emplace_back(
        "Figs 6 to 8: the CPU has neither threads of a warp nor blocks; SGD_Thd and SGD_Blk, and "
        "ICD_Thd and ICD_Blk, are the same there and run once.");
}

}  // namespace gantry::cumbir
