#include "gpu/matrix/rows/row_chunks.hpp"

#include "core/base/parallel_errors.hpp"

#include <algorithm>
#include <numeric>

namespace gantry {

RowChunks::RowChunks(std::span<const std::int64_t> row_start, int group)
    : chunks_in_group((group + 31) / 32) {
  constexpr std::size_t lanes = 32;
  const std::size_t rows = row_start.size() - 1, size = static_cast<std::size_t>(group),
                    chunks = static_cast<std::size_t>(chunks_in_group), groups = rows / size;
  const auto length = [&](int i) {
    return row_start[static_cast<std::size_t>(i) + 1] - row_start[static_cast<std::size_t>(i)];
  };
  row.assign(groups * chunks * lanes, -1);
  start.assign(groups * chunks + 1, 0);
  ParallelErrors errors;
#pragma omp parallel for schedule(static)
  for (std::size_t g = 0; g < groups; ++g)
    errors.run([&] {
      const std::span<int> own = std::span(row).subspan(g * chunks * lanes, size);
      std::iota(own.begin(), own.end(), static_cast<int>(g * size));
      std::ranges::stable_sort(own, std::ranges::greater{}, length);
      for (std::size_t s = 0; s < chunks; ++s) start[g * chunks + s + 1] = length(own[s * lanes]);
    });
  errors.rethrow();
  std::partial_sum(start.begin(), start.end(), start.begin());
}

}  // namespace gantry
