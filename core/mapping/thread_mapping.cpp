#include "core/mapping/thread_mapping.hpp"

#include "core/base/parallel_errors.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/mapping/ray_walks.hpp"
#include "core/mapping/warp_counters.hpp"
#include "core/mapping/weighted_graph.hpp"
#include "core/operator/row_access.hpp"

#include <algorithm>

namespace gantry {

namespace {

using Warp = std::vector<std::size_t>;  // walks of a block
using Sets = std::vector<std::vector<std::uint32_t>>;

/// Numbers what the rays of a block visit from 0 on, in the order of the first visits. Graphs of a
/// block then need tables of the size of the block, not of the volume.
class LocalNumbers {
 public:
  explicit LocalNumbers(std::size_t count) : number_of_(count, none) {}

  /// Returns the numbers of what each walk visits: voxels divided by `voxels_of_one`.
  Sets of(const RayWalks& walks, std::size_t voxels_of_one) {
    Sets sets(walks.size());
    std::vector<std::size_t> seen;
    for (std::size_t n = 0; n < walks.size(); ++n)
      for (const std::uint32_t voxel : walks.walk(n)) {
        std::uint32_t& number = number_of_[voxel / voxels_of_one];
        if (number == none) {
          number = static_cast<std::uint32_t>(seen.size());
          seen.push_back(voxel / voxels_of_one);
        }
        sets[n].push_back(number);
      }
    for (const std::size_t one : seen) number_of_[one] = none;
    return sets;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> number_of_;
};

/// Returns the warps of one colour of a block. `segments` are those of all its rays.
std::vector<Warp> warps_of_colour(const Sets& segments, const std::vector<std::size_t>& members,
                                  const MappingOptions& options) {
  const auto parts = static_cast<int>((members.size() + lanes_of_warp - 1) / lanes_of_warp);
  Sets of_members;
  for (const std::size_t member : members) of_members.push_back(segments[member]);
  const WeightedGraph coalescing = common_members(of_members);
  const std::vector<int> part_of =
      options.metis ? partition(coalescing, parts, options.seed) : grown_parts(coalescing, parts);
  std::vector<Warp> warps(static_cast<std::size_t>(parts));
  Warp extra;
  for (std::size_t n = 0; n < members.size(); ++n) {
    Warp& warp = warps[static_cast<std::size_t>(part_of[n])];
    (warp.size() < lanes_of_warp ? warp : extra).push_back(members[n]);
  }
  for (Warp& warp : warps)
    while (warp.size() < lanes_of_warp && !extra.empty()) {
      warp.push_back(extra.back());
      extra.pop_back();
    }
  // Warps that are still short are joined, so that only the last one is.
  Warp rest;
  std::vector<Warp> full;
  for (Warp& warp : warps)
    if (warp.size() == lanes_of_warp)
      full.push_back(std::move(warp));
    else
      rest.insert(rest.end(), warp.begin(), warp.end());
  for (std::size_t first = 0; first < rest.size(); first += lanes_of_warp)
    full.emplace_back(
        rest.begin() + static_cast<std::ptrdiff_t>(first),
        rest.begin() + static_cast<std::ptrdiff_t>(std::min(rest.size(), first + lanes_of_warp)));
  return full;
}

/// Appends the warps of a block of rays.
void map_block(const Projector& projector, const std::vector<std::uint32_t>& rays,
               const MappingOptions& options, LocalNumbers& numbers, ThreadMapping& mapping) {
  const RayWalks walks = walks_of(projector, rays);
  const std::vector<int> colours = welsh_powell(common_members(numbers.of(walks, 1)));
  const Sets segments = numbers.of(walks, options.voxels_of_segment);
  const int count = colours.empty() ? 0 : std::ranges::max(colours) + 1;
  mapping.colours = std::max(mapping.colours, count);
  std::vector<std::vector<std::size_t>> members(static_cast<std::size_t>(count));
  for (std::size_t n = 0; n < walks.size(); ++n)
    members[static_cast<std::size_t>(colours[n])].push_back(n);
  for (int colour = 0; colour < count; ++colour)
    for (const Warp& warp :
         warps_of_colour(segments, members[static_cast<std::size_t>(colour)], options)) {
      for (std::size_t lane = 0; lane < lanes_of_warp; ++lane)
        mapping.rays.push_back(lane < warp.size() ? walks.rays[warp[lane]] : no_ray);
      mapping.colour.push_back(colour);
    }
}

ThreadMapping map_view(const Projector& projector, int view, const MappingOptions& options) {
  ThreadMapping mapping;
  LocalNumbers numbers(projector.domain_size());
  const ScanGeometry& geometry = projector.geometry();
  const auto first = static_cast<std::size_t>(view) * projector.cells_per_view();
  // Few rows make blocks wider, so that a colour has rays enough to fill warps.
  const int rows_of_block = std::min(options.rows_of_block, geometry.rows()),
            columns_of_block = options.columns_of_block * (options.rows_of_block / rows_of_block);
  for (int row = 0; row < geometry.rows(); row += rows_of_block)
    for (int column = 0; column < geometry.columns(); column += columns_of_block) {
      if (projector.interrupted()) return mapping;
      std::vector<std::uint32_t> rays;
      for (int r = row; r < std::min(geometry.rows(), row + rows_of_block); ++r)
        for (int c = column; c < std::min(geometry.columns(), column + columns_of_block); ++c)
          rays.push_back(static_cast<std::uint32_t>(first + cell_index(geometry, c, r)));
      map_block(projector, rays, options, numbers, mapping);
    }
  return mapping;
}

/// The views whose mapping is computed, and how that of every view follows from one of them: as its
/// image under an element that leaves neighbours along x neighbours along x, on which coalescing
/// depends. (A rotation by 90 degrees would make them neighbours along y.)
struct ViewImages {
  std::vector<int> computed;
  struct Image {
    std::size_t of;  ///< index into computed
    SymmetryElement element;
  };
  std::vector<Image> images;

  explicit ViewImages(const ScanSymmetry& symmetry) {
    for (int view = 0; view < static_cast<int>(symmetry.images().size()); ++view) {
      const ScanSymmetry::Image& mine = symmetry.images()[static_cast<std::size_t>(view)];
      const auto same_kind = [&](int other) {
        const ScanSymmetry::Image& its = symmetry.images()[static_cast<std::size_t>(other)];
        return its.stored_view == mine.stored_view &&
               (its.element.quarter_turns - mine.element.quarter_turns) % 2 == 0;
      };
      auto found = std::ranges::find_if(computed, same_kind);
      if (found == computed.end()) found = computed.insert(computed.end(), view);
      const SymmetryElement& its = symmetry.images()[static_cast<std::size_t>(*found)].element;
      images.push_back({static_cast<std::size_t>(found - computed.begin()),
                        compose(mine.element, inverse(its))});
    }
  }
};

}  // namespace

ThreadMapping map_threads(const Projector& projector, const MappingOptions& options,
                          const std::function<void(double)>& progress) {
  require_walks(projector);
  const ScanGeometry& geometry = projector.geometry();
  const ScanSymmetry symmetry(geometry, projector.grid());
  const ViewImages views(symmetry);
  std::vector<ThreadMapping> of_computed(views.computed.size());
  constexpr std::size_t at_once = 8;  // views between two reports of the progress
  for (std::size_t first = 0; first < of_computed.size(); first += at_once) {
    progress(static_cast<double>(first) / static_cast<double>(of_computed.size()));
    const std::size_t last = std::min(of_computed.size(), first + at_once);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t n = first; n < last; ++n)
      errors.run([&] { of_computed[n] = map_view(projector, views.computed[n], options); });
    errors.rethrow();
    projector.check_interrupt();
  }
  ThreadMapping all;
  const auto columns = static_cast<std::uint32_t>(geometry.columns()),
             cells = static_cast<std::uint32_t>(projector.cells_per_view());
  for (const ViewImages::Image& image : views.images) {
    all.first_of_view.push_back(all.rays.size());
    const ThreadMapping& from = of_computed[image.of];
    all.colours = std::max(all.colours, from.colours);
    all.colour.insert(all.colour.end(), from.colour.begin(), from.colour.end());
    for (const std::uint32_t ray : from.rays) {
      if (ray == no_ray) {
        all.rays.push_back(no_ray);
        continue;
      }
      const std::uint32_t cell = ray % cells;
      const RayIndex at =
          symmetry.ray(image.element, {views.computed[image.of], static_cast<int>(cell % columns),
                                       static_cast<int>(cell / columns)});
      all.rays.push_back(static_cast<std::uint32_t>(static_cast<std::size_t>(at.view) * cells +
                                                    cell_index(geometry, at.column, at.row)));
    }
  }
  all.first_of_view.push_back(all.rays.size());
  return all;
}

}  // namespace gantry
