#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

/// The order in which a method visits its subsets. Each function returns a permutation of 0 ..
/// count - 1.
enum class ViewOrder { natural, golden, random };

/// Throws UsageError for a name that is none.
ViewOrder parse_view_order(const std::string& name);

/// natural: 0, 1, 2, ...
/// golden: multiples of the whole number nearest to 0.618 count that shares no factor with count.
/// random: a shuffle that depends on seed and iteration alone.
std::vector<int> visiting_order(ViewOrder order, int count, std::uint64_t seed, int iteration);

/// The subsets of a method in the order of its steps, iteration after iteration.
class SubsetSequence {
 public:
  SubsetSequence() = default;
  SubsetSequence(int subsets, ViewOrder order, std::uint64_t seed);

  int subsets() const { return subsets_; }
  /// Which subset step 0, 1, 2, ... of a run works on. Steps may be asked for again.
  int at(std::int64_t step);

 private:
  int subsets_ = 1;
  ViewOrder order_ = ViewOrder::natural;
  std::uint64_t seed_ = 1;
  std::vector<int> visits_{0};
};

}  // namespace gantry
