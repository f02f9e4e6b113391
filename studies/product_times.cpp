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

void TimedProducts::upload(Direction direction) {
  const bool forward = direction == Direction::projection;
  std::vector<float>& host = forward ? hostImage_ : hostRays_;
  Array& there = forward ? image_ : rays_;
  host.resize(there.size(), 1.0F);
  projector_.backend().upload(host.data(), there.data(), host.size());
}

void TimedProducts::download(Direction direction) {
  const bool forward = direction == Direction::projection;
  std::vector<float>& host = forward ? hostRays_ : hostImage_;
  const Array& there = forward ? rays_ : image_;
  host.resize(there.size());
  projector_.backend().download(there.data(), host.data(), host.size());
}

double median_seconds(const std::function<void()>& work) {
  return 1e-3 * time_within(work, budget_ms, least_calls, most_calls).median_ms;
}

double product_seconds(const Projector& projector, Direction direction) {
  return subset_seconds(projector, direction, 1);
}

namespace {

double timed(const Projector& projector, Direction direction, int subsets, bool copies) {
  TimedProducts products(projector);
  const int count = std::min(subsets, projector.views());
  return median_seconds([&] {
    if (copies) products.upload(direction);
    for (int s = 0; s < count; ++s)
      products.queue(direction, ViewSubset::interleaved(s, count, projector.views()));
    if (copies) products.download(direction);
    products.wait();
  });
}

}  // namespace

double subset_seconds(const Projector& projector, Direction direction, int subsets) {
  return timed(projector, direction, subsets, false);
}

double seconds_with_transfers(const Projector& projector, Direction direction, int subsets) {
  return timed(projector, direction, subsets, projector.backend().kind() != BackendKind::cpu);
}

}  // namespace gantry
