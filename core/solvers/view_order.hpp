#pragma once

#include "core/operator/linear_operator.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The order in which a method visits its subsets.
enum class ViewOrder { natural, golden, random, multilevel };

/// The names that parse_view_order accepts.
const std::vector<std::string>& view_order_names();
/// Throws UsageError for an unknown name.
ViewOrder parse_view_order(const std::string& name);

/// Returns a permutation of 0 .. count - 1.
/// natural: 0, 1, 2, ...
/// golden: multiples of the integer nearest to 0.618 count that shares no factor with count.
/// random: a shuffle that depends on seed and iteration alone.
/// multilevel: each view is as far as possible from those before it: 0, 1/2, 1/4, 3/4, 1/8, 5/8,
/// ... of half a turn (Guan and Gordon, Phys. Med. Biol. 39 (1994) 2005). A scan of several half
/// turns measures each direction several times; successive views are taken from different half
/// turns.
std::vector<int> visiting_order(ViewOrder order, int count, std::uint64_t seed, int iteration,
                                int half_turns = 1);

/// Returns the number of half turns over which the subsets are ordered, at least 1: those of the
/// scan if each subset is one view, else 1, since larger subsets are spread over the whole scan
/// already.
int half_turns(const LinearOperator& A, int subsets);

/// The order in which a method uses its subsets, iteration after iteration.
class SubsetSequence {
 public:
  SubsetSequence() = default;
  SubsetSequence(const LinearOperator& A, int subsets, ViewOrder order, std::uint64_t seed);

  int subsets() const { return subsets_; }
  /// Returns the subset of step 0, 1, 2, ... of a run. Steps may be asked for in any order.
  int at(std::int64_t step);
  /// Returns the subsets of step n of a method that uses `at_once` subsets per step; the last step
  /// of an iteration may have fewer. Valid until the next call.
  std::span<const ViewSubset> step(std::int64_t n, int at_once);
  int steps_per_iteration(int at_once) const { return (subsets_ + at_once - 1) / at_once; }

 private:
  int subsets_ = 1, half_turns_ = 1, views_ = 1;
  ViewOrder order_ = ViewOrder::natural;
  std::uint64_t seed_ = 1;
  std::vector<int> visits_{0};
  int iteration_ = 0;  // the iteration that visits_ belongs to
  std::vector<ViewSubset> step_;
};

}  // namespace gantry
