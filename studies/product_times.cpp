#include "studies/product_times.hpp"

#include "core/base/timing.hpp"

#include <algorithm>

namespace gantry {

namespace {
constexpr double budget_ms = 500;
constexpr int least_calls = 3, most_calls = 10;
}  // namespace

std::string name_of(Direction direction) {
  return direction == Direction::projection ? "projection" : "backprojection";
}

TimedProducts::TimedProducts(const Projector& projector)
    : projector_(projector),
      image_(Array::filled(projector.backend(), projector.domain_size(), 0.02F)),
      rays_(Array::filled(projector.backend(), projector.range_size(), 1.0F)) {}

void TimedProducts::queue(Direction direction, ViewSubset subset) {
  if (direction == Direction::projection)
    projector_.forward(image_, rays_, subset);
  else
    projector_.adjoint(rays_, image_, subset);
}

double median_seconds(const std::function<void()>& work) {
  return 1e-3 * time_within(work, budget_ms, least_calls, most_calls).median_ms;
}

double product_seconds(const Projector& projector, Direction direction) {
  return subset_seconds(projector, direction, 1);
}

double subset_seconds(const Projector& projector, Direction direction, int subsets) {
  TimedProducts products(projector);
  const int count = std::min(subsets, projector.views());
  return median_seconds([&] {
    for (int s = 0; s < count; ++s)
      products.queue(direction, ViewSubset::interleaved(s, count, projector.views()));
    products.wait();
  });
}

}  // namespace gantry
