#include "core/solvers/view_order.hpp"

#include "core/base/error.hpp"

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

/// SplitMix64 (Steele, Lea, Flood 2014): the same sequence on every platform and library.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

ViewOrder parse_view_order(const std::string& name) {
  if (name == "natural") return ViewOrder::natural;
  if (name == "golden") return ViewOrder::golden;
  if (name == "random") return ViewOrder::random;
  throw UsageError("unknown view order \"" + name + "\"", "order", "use natural, golden or random");
}

std::vector<int> visiting_order(ViewOrder order, int count, std::uint64_t seed, int iteration) {
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

SubsetSequence::SubsetSequence(int subsets, ViewOrder order, std::uint64_t seed)
    : subsets_(subsets),
      order_(order),
      seed_(seed),
      visits_(visiting_order(order, subsets, seed, 0)) {}

int SubsetSequence::at(std::int64_t step) {
  const std::int64_t position = step % subsets_;
  if (position == 0 && order_ == ViewOrder::random)
    visits_ = visiting_order(order_, subsets_, seed_, static_cast<int>(step / subsets_));
  return visits_[static_cast<std::size_t>(position)];
}

}  // namespace gantry
