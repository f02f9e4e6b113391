#include "studies/branchless_dd/products.hpp"

#include "core/backend/thread_count.hpp"
#include "core/base/timing.hpp"

#include <algorithm>
#include <limits>

namespace gantry::branchless_dd {

namespace {

ViewSubset spread(int count, int views) { return {0, std::max(1, views / count), count}; }

double one_view_seconds(const Projector& projector, Direction direction) {
  TimedProducts products(projector);
  return median_seconds([&] { products(direction, {0, 1, 1}); });
}

Setting with_one_voxel(const Setting& setting) {
  Setting one = setting;
  one.grid = VolumeGrid::centered(1, 1, 1, setting.grid.spacing_mm);
  return one;
}

}  // namespace

bool is_timed(const Method& method, Direction direction) {
  return method.printed != "GPU-BZ" || direction == Direction::backprojection;
}

double sums_seconds(const BranchlessContext& context, const Method& method, const Setting& setting,
                    Direction direction, double all_s) {
  if (direction == Direction::backprojection)
    return product_seconds(*context.make(method, with_one_voxel(setting)), direction);
  const auto projector = context.make(method, setting);
  const double one_s = one_view_seconds(*projector, direction);
  return std::max(0.0, one_s - (all_s - one_s) / std::max(1, projector->views() - 1));
}

double cpu_seconds(const BranchlessContext& context, const Setting& setting, Direction direction,
                   int threads, int most_views) {
  const ThreadCount now(threads);
  const auto projector = context.make(on_cpu(), setting);
  TimedProducts products(*projector);
  const int views = projector->views(), most = std::min(views, most_views),
            few = std::max(1, most / 4);
  const auto seconds = [&](int count) {
    return 1e-3 * milliseconds([&] { products(direction, spread(count, views)); });
  };
  seconds(few);  // warm-up
  if (most == views) return seconds(views);
  const double of_few = seconds(few), of_most = seconds(most);
  const double a_view = of_most > of_few ? (of_most - of_few) / (most - few) : of_most / most;
  return of_most + a_view * (views - most);
}

}  // namespace gantry::branchless_dd
