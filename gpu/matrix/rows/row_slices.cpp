#include "gpu/matrix/rows/row_slices.hpp"

#include "core/base/parallel_errors.hpp"

#include <algorithm>
#include <numeric>

namespace gantry {

RowSlices::RowSlices(std::span<const std::int64_t> row_start, int group)
    : slices_in_group((group + 31) / 32) {
  constexpr std::size_t lanes = 32;
  const std::size_t rows = row_start.size() - 1, size = static_cast<std::size_t>(group),
                    slices = static_cast<std::size_t>(slices_in_group), groups = rows / size;
  const auto length = [&](int i) {
    return row_start[static_cast<std::size_t>(i) + 1] - row_start[static_cast<std::size_t>(i)];
  };
  row.assign(groups * slices * lanes, -1);
  start.assign(groups * slices + 1, 0);
  ParallelErrors errors;
#pragma omp parallel for schedule(static)
  for (std::size_t g = 0; g < groups; ++g)
    errors.run([&] {
      const std::span<int> own = std::span(row).subspan(g * slices * lanes, size);
      std::iota(own.begin(), own.end(), static_cast<int>(g * size));
      std::ranges::stable_sort(own, std::ranges::greater{}, length);
      for (std::size_t s = 0; s < slices; ++s) start[g * slices + s + 1] = length(own[s * lanes]);
    });
  errors.rethrow();
  std::partial_sum(start.begin(), start.end(), start.begin());
}

}  // namespace gantry
