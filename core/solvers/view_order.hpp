#pragma once

#include "core/operator/linear_operator.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The order in which a method visits its subsets.
enum class ViewOrder { natural, golden, random, multilevel };

/// As parse_view_order reads them.
const std::vector<std::string>& view_order_names();
/// Throws UsageError for a name that is none.
ViewOrder parse_view_order(const std::string& name);

/// A permutation of 0 .. count - 1.
/// natural: 0, 1, 2, ...
/// golden: multiples of the whole number nearest to 0.618 count that shares no factor with count.
/// random: a shuffle that depends on seed and iteration alone.
/// multilevel: each view as far as may be from those before it: 0, 1/2, 1/4, 3/4, 1/8, 5/8, 3/8,
/// 7/8
///   ... of half a turn (Guan and Gordon, Phys. Med. Biol. 39 (1994) 2005). A scan of several half
///   turns sees each direction again in each, so that these take turns.
std::vector<int> visiting_order(ViewOrder order, int count, std::uint64_t seed, int iteration,
                                int half_turns = 1);

/// How many half turns lie between the first and the last of so many subsets, at least 1: those of
/// the scan when each view is one. Larger subsets are spread over the whole scan already.
int half_turns(const LinearOperator& A, int subsets);

/// The subsets of a method in the order of its steps, iteration after iteration.
class SubsetSequence {
 public:
  SubsetSequence() = default;
  SubsetSequence(const LinearOperator& A, int subsets, ViewOrder order, std::uint64_t seed);

  int subsets() const { return subsets_; }
  /// Which subset step 0, 1, 2, ... of a run works on. Steps may be asked for again.
  int at(std::int64_t step);
  /// The subsets of the n-th step of a method that takes so many at once; the last of an iteration
  /// has what is left. Valid until the next call.
  std::span<const ViewSubset> step(std::int64_t n, int at_once);
  int steps_per_iteration(int at_once) const { return (subsets_ + at_once - 1) / at_once; }

 private:
  int subsets_ = 1, half_turns_ = 1, views_ = 1;
  ViewOrder order_ = ViewOrder::natural;
  std::uint64_t seed_ = 1;
  std::vector<int> visits_{0};
  int iteration_ = 0;  // of these visits
  std::vector<ViewSubset> step_;
};

}  // namespace gantry
