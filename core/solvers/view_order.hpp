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

}  // namespace gantry
