#include "app/cli/mapping_table.hpp"

#include "core/mapping/warp_counters.hpp"
#include "core/operator/row_access.hpp"
#include "core/solvers/row_action/ray_order.hpp"
#include "gpu/projectors/siddon_joseph/trace_steps.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <random>

namespace gantry::cli {

namespace {

constexpr std::size_t usual_warps = 2048;

std::size_t warps_of(std::size_t rays) { return (rays + lanes_of_warp - 1) / lanes_of_warp; }

std::string every(std::size_t stride, const std::string& what) {
  return "every " + std::to_string(stride) +
         (stride % 10 == 1 && stride % 100 != 11   ? "st "
          : stride % 10 == 2 && stride % 100 != 12 ? "nd "
          : stride % 10 == 3 && stride % 100 != 13 ? "rd "
                                                   : "th ") +
         what;
}

/// Returns the rays of all views, each view in the order of `cells`, which it may change.
std::vector<std::uint32_t> view_by_view(
    const Projector& projector, std::vector<std::uint32_t> cells,
    const std::function<void(std::vector<std::uint32_t>&)>& change) {
  std::vector<std::uint32_t> rays;
  rays.reserve(projector.range_size());
  for (int view = 0; view < projector.views(); ++view) {
    change(cells);
    for (const std::uint32_t cell : cells)
      rays.push_back(static_cast<std::uint32_t>(view) *
                         static_cast<std::uint32_t>(projector.cells_per_view()) +
                     cell);
  }
  return rays;
}

std::vector<std::uint32_t> rays_as_they_lie(const Projector& projector) {
  std::vector<std::uint32_t> rays(projector.range_size());
  std::iota(rays.begin(), rays.end(), 0U);
  return rays;
}

std::vector<std::uint32_t> random_rays(const Projector& projector) {
  std::vector<std::uint32_t> cells(projector.cells_per_view());
  std::iota(cells.begin(), cells.end(), 0U);
  std::mt19937 random(1);
  return view_by_view(projector, cells, [&](std::vector<std::uint32_t>& order) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  });
}

std::vector<std::uint32_t> tiled_rays(const Projector& projector) {
  const ScanGeometry& geometry = projector.geometry();
  return view_by_view(projector, rays_by_patches(geometry.columns(), geometry.rows()),
                      [](std::vector<std::uint32_t>&) {});
}

double number(std::int64_t count) { return static_cast<double>(count); }
double percent(double part) { return 100 * part; }

/// Adds a row for each way of assigning steps. Returns the counters along the walks.
WarpCounters add_rows(const std::string& order, std::span<const std::uint32_t> rays,
                      std::optional<double> colours, const Projector& projector,
                      const WarpSample& sample, StudyTable& table) {
  const std::size_t warps = warps_of(rays.size()),
                    groups = (warps + sample.at_once - 1) / sample.at_once,
                    groups_of_view = projector.cells_per_view() / lanes_of_warp / sample.at_once,
                    group_stride = sampling_stride((groups + sample.groups - 1) / sample.groups,
                                                   groups_of_view);
  const double idle =
      number(static_cast<std::int64_t>(warps * lanes_of_warp - rays.size() +
                                       static_cast<std::size_t>(std::ranges::count(rays, no_ray))));
  WarpCounters along_walk;
  for (const StepAlignment alignment : {StepAlignment::walk, StepAlignment::layers}) {
    const bool by_walk = alignment == StepAlignment::walk;
    if (!by_walk && !has_layer_steps(projector)) continue;
    const auto steps = make_ray_steps(projector, alignment);
    const WarpCounters count = count_warps(*steps, rays, sample.stride);
    if (by_walk) along_walk = count;
    table.rows.push_back(
        {order, by_walk ? "walk" : "layers", static_cast<double>(warps), colours, idle,
         number(count.requests), number(count.accesses), number(count.transactions),
         number(count.lines), count.transactions_per_request(), count.lines_per_request(),
         number(count.collisions), percent(count.lost()), number(count.common),
         percent(collisions_between_warps(*steps, rays, sample.at_once, group_stride))});
  }
  return along_walk;
}

}  // namespace

WarpSample usual_sample(const Projector& projector, std::size_t at_once) {
  const std::size_t of_view = std::max<std::size_t>(1, projector.cells_per_view() / lanes_of_warp);
  const std::size_t wanted = (warps_of(projector.range_size()) + usual_warps - 1) / usual_warps;
  return {.stride = sampling_stride(wanted, of_view), .at_once = at_once};
}

std::string describe(const WarpSample& sample) {
  return "counted: " + (sample.stride == 1 ? "all warps" : every(sample.stride, "warp")) +
         "; collisions between warps: up to " + std::to_string(sample.groups) + " groups of " +
         std::to_string(sample.at_once) + " warps at once";
}

StudyTable mapping_table(const Projector& projector, const ThreadMapping& mapping,
                         const WarpSample& sample, std::int64_t& common) {
  StudyTable table{"mapping",
                   "Memory accesses of warps",
                   {{"order", ""},
                    {"steps", ""},
                    {"warps", ""},
                    {"colours", ""},
                    {"idle lanes", ""},
                    {"requests", ""},
                    {"accesses", ""},
                    {"sectors", "32 B"},
                    {"lines", "128 B"},
                    {"sectors/request", ""},
                    {"lines/request", ""},
                    {"collisions", ""},
                    {"lost", "%"},
                    {"in common", ""},
                    {"between warps", "%"}},
                   {}};
  add_rows("default", rays_as_they_lie(projector), {}, projector, sample, table);
  add_rows("random", random_rays(projector), {}, projector, sample, table);
  add_rows("tiles", tiled_rays(projector), {}, projector, sample, table);
  common = add_rows("mapped", mapping.rays, mapping.colours, projector, sample, table).common;
  return table;
}

std::string about_sectors() {
  return "In the default order neighbouring lanes weigh common voxels, and so access common "
         "sectors; "
         "in the mapped order lanes weigh no voxel in common, so that a request rarely has fewer "
         "sectors.";
}

}  // namespace gantry::cli
