#include "gpu/matrix/scsr/scsr_estimate.hpp"

#include "core/matrix/symmetric/scsr_blocks.hpp"
#include "core/matrix/symmetric/scsr_sample.hpp"
#include "gpu/matrix/scsr/scsr_columns.hpp"
#include "gpu/matrix/scsr/scsr_tiles.hpp"
#include "gpu/matrix/scsr/tuning.hpp"

#include <algorithm>
#include <optional>

namespace gantry {

namespace {

/// The sizes of what a product reads and writes, for one copy of the image.
struct PlaneSizes {
  std::size_t pixels, stored_rays;
  std::size_t copies;  ///< of the image and of each ray: of 4 or 8 elements of the symmetry group
};

PlaneSizes plane_sizes(const ScanSymmetry& symmetry, const Projector& weights) {
  return {weights.domain_size(), symmetry.stored_views().size() * weights.cells_per_view(),
          symmetry.elements().size() > 4 ? std::size_t{8} : std::size_t{4}};
}

device::TileGrid tile_grid(const Projector& weights, bool half) {
  return device::TileGrid::of(weights.grid().nx, weights.grid().ny, tile_size(half));
}

/// The segments of all stored rays, and their entries with padding.
struct Segments {
  double segments = 0, entries = 0;
};

Segments count_segments(const Projector& weights, const std::vector<int>& stored_views, bool half) {
  const std::size_t vector = tile_vector(half);
  const device::TileGrid grid = tile_grid(weights, half);
  const ScsrSample sample = sample_stored_views(weights, stored_views, 1, false);
  std::vector<std::size_t> of_tile(static_cast<std::size_t>(grid.tiles));
  Segments all;
  for (const ViewCsr& view : sample.views)
    for (std::size_t ray = 0; ray + 1 < view.row_start.size(); ++ray) {
      std::ranges::fill(of_tile, 0);
      for (std::size_t i = view.row_start[ray]; i < view.row_start[ray + 1]; ++i) {
        const int x = static_cast<int>(view.column[i]) % grid.nx,
                  y = static_cast<int>(view.column[i]) / grid.nx;
        ++of_tile[static_cast<std::size_t>(y / grid.size * grid.across + x / grid.size)];
      }
      for (const std::size_t entries : of_tile) {
        if (entries == 0) continue;
        all.segments += 1;
        all.entries += static_cast<double>((entries + vector - 1) / vector * vector);
      }
    }
  return {sample.scale * all.segments, sample.scale * all.entries};
}

/// Returns the quantities of count_segments from the estimate, which counts once.
Segments segments_of(const NonzeroEstimate& estimate, const Projector& weights,
                     const std::vector<int>& stored_views, bool half) {
  const std::string of = half ? "scsr compact " : "scsr ";
  std::optional<Segments> once;
  const auto counted = [&] {
    if (!once) once = count_segments(weights, stored_views, half);
    return *once;
  };
  return {estimate.quantity(of + "segments", [&] { return counted().segments; }),
          estimate.quantity(of + "segment entries", [&] { return counted().entries; })};
}

/// Returns the number of partial sums of rays of one slice.
double ray_values(const PlaneSizes& sizes, const Segments& segments) {
  return static_cast<double>(sizes.copies) *
         std::max(segments.segments, static_cast<double>(sizes.stored_rays));
}

}  // namespace

std::size_t scsr_tiled_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                             const TiledOptions& options) {
  const ScanSymmetry symmetry(weights.geometry(), weights.grid());
  const std::vector<int>& views = symmetry.stored_views();
  const PlaneSizes sizes = plane_sizes(symmetry, weights);
  const Segments segments = segments_of(estimate, weights, views, options.half);
  const device::TileGrid grid = tile_grid(weights, options.half);
  const double tile_views = 1.0 * grid.tiles * static_cast<double>(views.size());
  double bytes = (options.half ? 4 : 6) * segments.entries + 10 * segments.segments +
                 12 * tile_views + 8 * static_cast<double>(sizes.stored_rays) +
                 24.0 * estimate.views;
  if (options.transpose == ScsrTranspose::gather)
    bytes += estimate.quantity(options.half ? "scsr compact transpose" : "scsr transpose", [&] {
      return options.half ? SlicedColumns<true>::bytes(weights, views)
                          : SlicedColumns<false>::bytes(weights, views);
    });
  const int images =
      (options.transpose == ScsrTranspose::colouring ? colour_parts(grid.tiles) : 1) +
      (options.fused ? 1 : 0);
  bytes += 4.0 * images * static_cast<double>(sizes.copies * sizes.pixels) +
           4 * ray_values(sizes, segments);
  if (options.fused) bytes += 8 * static_cast<double>(sizes.stored_rays);
  return static_cast<std::size_t>(bytes);
}

std::size_t scsr_room_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                            const TiledOptions& options, int slices) {
  const int at_once = std::min(slices, scsr::most_slices);
  if (at_once == 1) return 0;
  const ScanSymmetry symmetry(weights.geometry(), weights.grid());
  const PlaneSizes sizes = plane_sizes(symmetry, weights);
  const Segments segments = segments_of(estimate, weights, symmetry.stored_views(), options.half);
  return static_cast<std::size_t>(
      4.0 * at_once *
      (static_cast<double>(sizes.copies * sizes.pixels) + ray_values(sizes, segments)));
}

std::size_t scsr_dense_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                             const std::string& blocking, bool fused) {
  const ScanSymmetry symmetry(weights.geometry(), weights.grid());
  const std::vector<int>& views = symmetry.stored_views();
  const PlaneSizes sizes = plane_sizes(symmetry, weights);
  // The same quantity as that of SCSR on the CPU, whose blocks are copied to the device.
  const double blocks = estimate.quantity("scsr " + blocking, [&] {
    return scsr_blocks_bytes(sample_stored_views(weights, views, 1, blocking == "view"), weights,
                             blocking);
  });
  // A stored ray has two or three pieces of 16 bytes.
  const std::size_t of_fused =
      fused ? 4 * sizes.copies * sizes.pixels + 8 * sizes.stored_rays : std::size_t{0};
  return static_cast<std::size_t>(blocks) + 4 * sizes.copies * (sizes.pixels + sizes.stored_rays) +
         44 * sizes.stored_rays + of_fused;
}

}  // namespace gantry
