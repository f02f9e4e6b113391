#include "core/matrix/tiles/tile_pattern.hpp"

#include "core/base/parallel_errors.hpp"
#include "core/matrix/tiles/group_rows.hpp"
#include "core/matrix/tiles/sample_of_part.hpp"

#include <algorithm>

namespace gantry {

std::vector<std::uint32_t> tile_entries(const std::vector<std::vector<std::uint32_t>>& patches) {
  std::vector<std::uint64_t> met;  // patch * group_tiles + tile
  for (std::size_t i = 0; i < patches.size(); ++i)
    for (const std::uint32_t patch : patches[i])
      met.push_back(std::uint64_t{patch} * group_tiles + i / tile_rays);
  std::ranges::sort(met);
  std::vector<std::uint32_t> entries;
  for (const std::uint64_t one : met) {
    const auto patch = static_cast<std::uint32_t>(one / group_tiles);
    if (entries.empty() || patch_of(entries.back()) != patch)
      entries.push_back(tile_entry(patch, 0));
    entries.back() |= tile_entry(0, 1U << one % group_tiles);
  }
  return entries;
}

BlockCount count_blocks(const Projector& slice, const BlockOrder& rays, const BlockOrder& pixels,
                        int stride) {
  const GroupRows rows(slice, rays, pixels);
  const std::size_t groups = rays.at.size() / group_rays, every = static_cast<std::size_t>(stride),
                    looked_at = (groups + every - 1) / every;
  // Whole numbers: the sums are exact in any order.
  double nonzeros = 0, tiles = 0, pairs = 0, all = 0;
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) reduction(+ : nonzeros, tiles, pairs, all)
  for (std::size_t i = 0; i < looked_at; ++i)
    errors.run([&] {
      if (slice.interrupted()) return;
      const std::size_t group = sample_of_part(i, looked_at, groups, 0);
      for (const std::uint32_t entry : rows.entries(group, &nonzeros)) {
        tiles += std::popcount(tiles_of(entry));
        pairs += std::popcount(stored_tiles(tiles_of(entry), 16)) / 2;
        all += 1;
      }
    });
  errors.rethrow();
  slice.check_interrupt();
  const double scale = static_cast<double>(groups) / static_cast<double>(looked_at);
  return {scale * nonzeros,
          scale * tiles,
          scale * pairs,
          scale * all,
          static_cast<double>(rays.at.size()),
          static_cast<double>(pixels.at.size()) / patch_pixels};
}

ParamSpec block_size_param() {
  return {.key = "block",
          .label = "Blocks",
          .unit = "",
          .fallback = std::string("8x16"),
          .choices = {"8x16", "16x16", "32x16"},
          .help =
              "Rays by pixels of a block. A block with any nonzero is stored whole: small ones "
              "hold fewer zeros.",
          .in_names = ""};
}

int block_rays_of(const std::string& name) { return std::stoi(name); }

}  // namespace gantry
