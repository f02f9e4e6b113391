#include "gpu/matrix/rows/build_memory.hpp"

#include "core/operator/row_source.hpp"
#include "core/operator/slice_stack.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr double entry_bytes = 8, start_bytes = 8;
/// Of the lines and paths of a computed row.
constexpr double row_table_bytes = 56;
/// While a matrix is transposed, keys and numbers of its entries are sorted from one buffer to
/// another with work space of the same size.
constexpr double sorting_bytes = 24;

bool is_computed(const Projector& slice) {
  return is_planar(slice.geometry(), slice.grid()) &&
         definition_of(*slice.row_source()) != RowDefinition::other;
}

}  // namespace

BuildMemory::BuildMemory(const NonzeroEstimate& estimate, const Projector& weights, int slices)
    : nonzeros(estimate.nonzeros / slices),
      rows(entry_bytes * nonzeros + start_bytes * static_cast<double>(estimate.rows) / slices),
      columns(entry_bytes * nonzeros +
              start_bytes * static_cast<double>(estimate.columns) / slices) {
  const bool computed = slices > 1 ? is_computed(*slice_of_stack(weights)) : is_computed(weights);
  tables = computed ? row_table_bytes * static_cast<double>(estimate.rows) / slices : both();
  preparing = computed ? tables : both() + sorting_bytes * nonzeros;
}

std::size_t BuildMemory::beyond(double stated, std::initializer_list<double> stages) const {
  return static_cast<std::size_t>(std::max({0.0, preparing - stated, std::max(stages) - stated}));
}

}  // namespace gantry
