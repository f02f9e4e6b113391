#include "studies/product_times.hpp"

#include "core/base/timing.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace gantry {

namespace {
constexpr double budget_ms = 500;
constexpr int least_calls = 3, most_calls = 10;
}  // namespace

std::string name_of(Direction direction) {
  return direction == Direction::projection ? "projection" : "backprojection";
}

std::vector<float> noisy_values(std::size_t count, float mean) {
  // Repeated after a prime number of values, since random numbers take longer than copies.
  constexpr std::size_t most_different = 1'048'573;
  std::vector<float> values(count);
  std::minstd_rand random(1);
  std::uniform_real_distribution<float> around(0.5F * mean, 1.5F * mean);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = i < most_different ? around(random) : values[i - most_different];
  return values;
}

TimedProducts::Product& TimedProducts::of(Direction direction) {
  const auto found = products_.find(direction);
  if (found != products_.end()) return found->second;
  const bool forward = direction == Direction::projection;
  const std::size_t from = forward ? projector_.domain_size() : projector_.range_size(),
                    to = forward ? projector_.range_size() : projector_.domain_size();
  Product made{
      {}, Array::filled(projector_.backend(), to, 0), noisy_values(from, forward ? 0.02F : 1), {}};
  made.operand = Array::from(projector_.backend(), made.host_operand);
  return products_.emplace(direction, std::move(made)).first->second;
}

void TimedProducts::queue(Direction direction, ViewSubset subset) {
  Product& product = of(direction);
  if (direction == Direction::projection)
    projector_.forward(product.operand, product.result, subset);
  else
    projector_.adjoint(product.operand, product.result, subset);
}

void TimedProducts::upload(Direction direction) {
  Product& product = of(direction);
  const std::vector<float>& host = product.host_operand;
  projector_.backend().upload(host.data(), product.operand.data(), host.size());
}

void TimedProducts::download(Direction direction) {
  Product& product = of(direction);
  std::vector<float>& host = product.host_result;
  host.resize(product.result.size());
  projector_.backend().download(product.result.data(), host.data(), host.size());
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
