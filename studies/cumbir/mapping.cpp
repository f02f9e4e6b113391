// Which rays the threads of a warp work on: Figs 9 and 10, with the score that Fig. 4 defines.
// Counters are those of an emulation of the addresses (core/mapping/warp_counters.hpp), so that
// they are the same on any computer.
#include "core/mapping/thread_mapping.hpp"
#include "core/mapping/warp_counters.hpp"
#include "core/solvers/row_action/sgd_order.hpp"
#include "studies/cumbir/methods.hpp"
#include "studies/cumbir/parts.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gantry::cumbir {

namespace {

constexpr double longest_s = 20;
constexpr std::size_t counted_warps = 20000, warps_at_once = 64;

struct Order {
  std::string name, key;  ///< key: the order of the solver `sgd`
};
const std::vector<Order>& orders() {
  static const std::vector<Order> all = {{"default: thread = ray", "numbered"},
                                         {"random", "scattered"},
                                         {"tiles of 8 x 4 cells", "natural"},
                                         {"cuMBIR mapping", "mapped"}};
  return all;
}

/// The accesses of a warp by its counters, as a row of Fig. 10.
void count(const CumbirContext& context, const Scanned& scanned, StudyTable& table,
           std::vector<double>& transactions) {
  const auto projector = context.make("siddon", scanned.setting);
  const WalkSteps steps(*projector);
  std::string note;
  for (const Order& order : orders()) {
    context.say("counting accesses: " + order.name);
    const std::vector<std::uint32_t> rays = ordered_rays(*projector, ray_order(order.key), 1, note);
    const std::size_t warps = rays.size() / lanes_of_warp,
                      stride = std::max<std::size_t>(1, warps / counted_warps);
    const WarpCounters counted = count_warps(steps, rays, stride);
    const double between =
        collisions_between_warps(steps, rays, warps_at_once, std::max<std::size_t>(1, stride / 8));
    transactions.push_back(counted.transactions_per_request());
    table.rows.push_back({order.name, counted.transactions_per_request(),
                          counted.lines_per_request(),
                          100 * static_cast<double>(counted.coalescing_score()) /
                              static_cast<double>(counted.accesses),
                          static_cast<double>(counted.common) /
                              static_cast<double>(std::max<std::size_t>(1, warps / stride)),
                          100 * counted.lost(), 100 * between});
  }
}

}  // namespace

void mapping(CumbirContext& context, StudyResult& result) {
  const Scanned& scanned = context.shepp_logan();
  StudyTable counters{"fig-10",
                      "Accesses of a warp in Siddon's order of the voxels (Figs 4 and 10)",
                      {{"mapping", ""},
                       {"transactions a request, 32 bytes", ""},
                       {"128 bytes", ""},
                       {"coalesced (score of Fig. 4)", "% of accesses"},
                       {"voxels in common, pairs of a warp", ""},
                       {"collisions in a step", "% of accesses"},
                       {"collisions between warps", "% of accesses"}},
                      {}};
  std::vector<double> transactions;
  count(context, scanned, counters, transactions);
  result.tables.push_back(std::move(counters));
  context.summary.compare({"transactions of the mapping over those of the default", "Fig. 10"},
                          printed::transactions_left, transactions.back() / transactions.front(),
                          another_size(context.scale()), Better::smaller);

  StudyTable table{"fig-9",
                   "Mapping: time to 1.05 x the least error of these (Fig. 9)",
                   {{"mapping", ""},
                    {"writes", ""},
                    {"epoch", "s"},
                    {"set-up", "s"},
                    {"epochs to the criterion", ""},
                    {"time without set-up", "s"},
                    {"least error", "1/mm"}},
                   {}};
  StudyChart chart{"fig-9", "Mappings, Shepp-Logan (Fig. 9)", "seconds", "RMSE, 1/mm", false, false,
                   {}};
  const NoisyData data = context.noisy(scanned, 1);
  std::vector<std::pair<Method, Run>> runs;
  double least = std::numeric_limits<double>::infinity();
  // Of writes that collide the CPU knows one kind alone.
  const std::vector<std::string> kinds_of_writes =
      context.has_gpu() ? std::vector<std::string>{"atomic", "racing"}
                        : std::vector<std::string>{"atomic"};
  for (const std::string& writes : kinds_of_writes)
    for (const Order& order : orders()) {
      Method method = sgd(order.name, "thread", order.key, writes);
      runs.emplace_back(method, run_method(context, scanned, data, method, longest_s));
      least = std::min(least, runs.back().second.best());
      StudyCurve curve =
          curve_of(context.has_gpu() ? order.name + ", " + writes : order.name, runs.back().second);
      for (double& seconds : curve.x) seconds -= runs.back().second.setup_s;
      chart.curves.push_back(std::move(curve));
    }
  std::vector<std::optional<double>> times;
  for (const auto& [method, run] : runs) {
    const auto seconds = run.seconds_to(criterion * least);
    const auto epochs = run.iterations_to(criterion * least);
    times.push_back(seconds ? std::optional(*seconds - run.setup_s) : std::nullopt);
    table.rows.push_back(
        {method.name, context.has_gpu() ? method.params.text("writes") : "of the CPU",
         run.seconds.empty()
             ? StudyCell(run.problem)
             : StudyCell((run.seconds.back() - run.setup_s) / static_cast<double>(run.rmse.size())),
         run.setup_s, epochs ? StudyCell(static_cast<double>(*epochs)) : StudyCell("not reached"),
         times.back(), run.rmse.empty() ? StudyCell() : StudyCell(run.best())});
  }
  const auto over = [](std::optional<double> a, std::optional<double> b) {
    return a && b ? std::optional(*a / *b) : std::nullopt;
  };
  context.summary.compare({"default over mapping, time to converge, set-up not counted", "Fig. 9"},
                          printed::mapping_gain, over(times[0], times[3]),
                          another_size(context.scale()), Better::larger);
  context.summary.compare({"tiles over mapping, likewise", "not in print"}, {},
                          over(times[2], times[3]), like_for_like);
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
}

}  // namespace gantry::cumbir
