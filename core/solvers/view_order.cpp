#include "core/solvers/view_order.hpp"

#include "core/base/error.hpp"
#include "core/operator/projector.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

int golden_stride(int count) {
  const int ideal = static_cast<int>(std::lround(count * 0.6180339887498949));
  for (int offset = 0; offset < count; ++offset)
    for (const int stride : {ideal + offset, ideal - offset})
      if (stride >= 1 && std::gcd(stride, count) == 1) return stride;
  return 1;
}

/// SplitMix64 (Steele, Lea, Flood 2014), which gives the same sequence on every platform.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Returns 0, 1/2, 1/4, 3/4, 1/8, ... of count: the levels of Guan and Gordon. If count is not a
/// power of two, the fractions are rounded down, and views that occur again are skipped.
std::vector<int> levels(int count) {
  const auto places = std::bit_ceil(static_cast<std::uint64_t>(count));
  std::vector<bool> taken(static_cast<std::size_t>(count), false);
  std::vector<int> sequence;
  for (std::uint64_t k = 0; k < places; ++k) {
    std::uint64_t place = 0;  // k with its bits reversed
    for (std::uint64_t bit = 1; bit < places; bit *= 2)
      place = 2 * place + ((k & bit) != 0 ? 1 : 0);
    const std::uint64_t view = place * static_cast<std::uint64_t>(count) / places;
    if (taken[view]) continue;
    taken[view] = true;
    sequence.push_back(static_cast<int>(view));
  }
  return sequence;
}

std::vector<int> multilevel(int count, int half_turns) {
  const int turns = std::clamp(half_turns, 1, count), places = (count + turns - 1) / turns;
  const std::vector<int> within = levels(places);
  std::vector<int> sequence;
  for (int round = 0; round < turns; ++round)
    for (int k = 0; k < places; ++k) {
      const int view = within[static_cast<std::size_t>(k)] + (round + k) % turns * places;
      if (view < count) sequence.push_back(view);
    }
  return sequence;
}

}  // namespace

const std::vector<std::string>& view_order_names() {
  static const std::vector<std::string> names = {"natural", "golden", "random", "multilevel"};
  return names;
}

ViewOrder parse_view_order(const std::string& name) {
  constexpr std::array orders = {ViewOrder::natural, ViewOrder::golden, ViewOrder::random,
                                 ViewOrder::multilevel};
  for (std::size_t i = 0; i < orders.size(); ++i)
    if (view_order_names()[i] == name) return orders[i];
  throw UsageError("unknown view order \"" + name + "\"", "order",
                   "use natural, golden, random or multilevel");
}

std::vector<int> visiting_order(ViewOrder order, int count, std::uint64_t seed, int iteration,
                                int half_turns) {
  if (order == ViewOrder::multilevel) return multilevel(count, half_turns);
  std::vector<int> sequence(static_cast<std::size_t>(count));
  std::iota(sequence.begin(), sequence.end(), 0);
  if (order == ViewOrder::golden) {
    const std::int64_t stride = golden_stride(count);
    for (int i = 0; i < count; ++i)
      sequence[static_cast<std::size_t>(i)] = static_cast<int>(i * stride % count);
  } else if (order == ViewOrder::random) {
    std::uint64_t state = seed * 0x2545f4914f6cdd1dULL + static_cast<std::uint64_t>(iteration);
    for (std::size_t i = sequence.size(); i > 1; --i)
      std::swap(sequence[i - 1], sequence[next_random(state) % i]);
  }
  return sequence;
}

int half_turns(const LinearOperator& A, int subsets) {
  const auto* projector = dynamic_cast<const Projector*>(&A);
  if (projector == nullptr || subsets != A.views() || subsets < 2) return 1;
  const ScanGeometry& geometry = projector->geometry();
  const int last = A.views() - 1;
  const double between = std::abs(geometry.angle_rad(last) - geometry.angle_rad(0));
  const double span = between * A.views() / last;  // includes the step after the last view
  return std::max(1, static_cast<int>(std::lround(span / pi)));
}

SubsetSequence::SubsetSequence(const LinearOperator& A, int subsets, ViewOrder order,
                               std::uint64_t seed)
    : subsets_(subsets),
      half_turns_(half_turns(A, subsets)),
      views_(A.views()),
      order_(order),
      seed_(seed),
      visits_(visiting_order(order, subsets, seed, 0, half_turns_)) {}

int SubsetSequence::at(std::int64_t step) {
  const std::int64_t position = step % subsets_;
  const int iteration = static_cast<int>(step / subsets_);
  if (order_ == ViewOrder::random && iteration != iteration_) {
    visits_ = visiting_order(order_, subsets_, seed_, iteration);
    iteration_ = iteration;
  }
  return visits_[static_cast<std::size_t>(position)];
}

std::span<const ViewSubset> SubsetSequence::step(std::int64_t n, int at_once) {
  const int steps = steps_per_iteration(at_once), first = static_cast<int>(n % steps) * at_once,
            end = std::min(first + at_once, subsets_);
  step_.clear();
  for (int i = first; i < end; ++i)
    step_.push_back(ViewSubset::interleaved(at(n / steps * subsets_ + i), subsets_, views_));
  return step_;
}

}  // namespace gantry
