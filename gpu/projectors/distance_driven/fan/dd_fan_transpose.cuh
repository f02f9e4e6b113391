#pragma once

// Launches of the transpose of the 2D distance-driven pair: prefix sums of the views
// (dd_fan_sum_views), their differences for each pixel in partial images, one for each kind of
// layers and part of the views (dd_fan_adjoint), and the sum of the partial images (dd_fan_fold).
// Where memory is short, the partial images are made of one region of the image at a time.
#include "gpu/base/launch.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_adjoint.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_fold.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_passes.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_prefix.cuh"

#include <algorithm>
#include <limits>
#include <span>

namespace gantry {

/// Queues x = A^T y, or what a sink makes of A^T y, on the backend's stream. Make an object for
/// each product.
class DdFanTranspose {
 public:
  explicit DdFanTranspose(const DdFanPasses& passes) : cuda_(passes.cuda()), passes_(passes) {}

  /// Transposes the rays that `rays` returns and passes the sum of each pixel to `sink`.
  template <class Rays, class Sink>
  void run(const Rays& rays, const Sink& sink, ViewSubset subset) {
    passes_.for_groups(subset, [&](const auto& group) { run(group, rays, sink); });
  }

  /// The same for one group of values. Groups must come in the order of for_groups.
  template <class Group, class Rays, class Sink>
  void run(const Group& group, const Rays& rays, const Sink& sink) {
    using Value = typename Group::Value;
    const device::DdFanScan scan = passes_.scan_of(group.views);
    auto* sums = reinterpret_cast<Value*>(passes_.view_sums());
    const int parts = passes_.parts_of_views(group.subset);
    const int warps = DdFanPasses::warps_for_lines(parts);
    const dim3 view_blocks(blocks(scan.views, warps / parts),
                           static_cast<unsigned>(group.bundle.values));
    device::dd_fan_sum_views<Value, typename Group::Layout, Rays>
        <<<view_blocks, 32 * warps, 0, cuda_.stream()>>>(scan, group.layout, rays, parts, sums);
    check_launch("dd_fan_sum_views");
    const DdFanTables::Kinds kinds = kinds_of(group);
    const DdFanTransposePass pass = passes_.transpose_pass(group.bundle, Group::quads, group.views);
    if (pass.places > 1) passes_.side_stream().fork(cuda_.stream());
    place_ = {passes_.work(), cuda_.stream()};
    for (int first = 0; first < group.bundle.values; first += pass.values)
      run_pass(group, scan,
               sums + static_cast<std::size_t>(first) * static_cast<std::size_t>(scan.views) *
                          static_cast<std::size_t>(scan.row_stride),
               kinds, pass, first, sink);
    if (pass.places > 1) passes_.side_stream().join(cuda_.stream());
  }

 private:
  /// The partial images of a region: [kind][part of the views][value][line][pixel].
  struct Images {
    const DdFanRegion& region;
    int values, shares;
    std::size_t values_size() const { return static_cast<std::size_t>(values) * region.size(); }
    std::size_t kind_size() const { return values_size() * static_cast<std::size_t>(shares); }
  };

  /// The memory of the partial images, and the stream that makes them and adds them up.
  struct PassMemory {
    float* images;
    cudaStream_t stream;
  };
  void swap_pass_memory() {
    if (place_.stream == cuda_.stream())
      place_ = {passes_.second_work(), passes_.side_stream().stream()};
    else
      place_ = {passes_.work(), cuda_.stream()};
  }

  /// Transposes values first to first + pass.values - 1 of a group.
  template <class Group, class Sink>
  void run_pass(const Group& group, const device::DdFanScan& scan,
                const typename Group::Value* sums, const DdFanTables::Kinds& kinds,
                const DdFanTransposePass& pass, int first, const Sink& sink) {
    constexpr bool stack = Group::Layout::both_kinds;
    const int values = std::min(pass.values, group.bundle.values - first),
              slice = stack ? first * group.bundle.width : 0,
              slices = std::min(values * group.bundle.width, group.slices - slice);
    std::size_t tiles_before = 0;
    for (const DdFanRegion& region : pass.regions) {
      const Images images{region, values * group.bundle.width, pass.shares};
      launch_kinds<Group>(scan, sums, kinds, images);
      device::Folds folds = folds_of<stack>(kinds, images);
      folds.tiles = pass.tiles();
      folds.blocks_before = blocks_before_ + tiles_before;
      device::dd_fan_fold<stack ? 1 : 4, Sink>
          <<<dim3(region.tiles(), static_cast<unsigned>(slices)),
             dim3(device::fold_tile, device::fold_rows), 0, place_.stream>>>(
              folds, place_.images, group.first_slice + slice, sink);
      check_launch("dd_fan_fold");
      if (pass.places > 1) swap_pass_memory();
      tiles_before += region.tiles();
    }
    blocks_before_ += tiles_before * static_cast<std::size_t>(slices);
  }

  template <class Group>
  DdFanTables::Kinds kinds_of(const Group& group) const {
    if constexpr (Group::Layout::both_kinds) return passes_.tables().kinds(group.subset);
    return passes_.tables().kinds(passes_.symmetry().stored());
  }

  template <class Group>
  void launch_kinds(const device::DdFanScan& scan, const typename Group::Value* sums,
                    const DdFanTables::Kinds& kinds, const Images& images) const {
    switch (passes_.tables().kind()) {
      case device::FanKind::flat:
        return launch_kinds<Group, device::FanKind::flat>(scan, sums, kinds, images);
      case device::FanKind::arc:
        return launch_kinds<Group, device::FanKind::arc>(scan, sums, kinds, images);
      case device::FanKind::parallel:
        return launch_kinds<Group, device::FanKind::parallel>(scan, sums, kinds, images);
    }
  }

  template <class Group, device::FanKind kind>
  void launch_kinds(const device::DdFanScan& scan, const typename Group::Value* sums,
                    const DdFanTables::Kinds& kinds, const Images& images) const {
    const DdFanRegion& region = images.region;
    device::Parts parts{.first = place_.images,
                        .along_y = 1,
                        .shares = images.shares,
                        .add = 0,
                        .size = region.size(),
                        .of = {{region.y, region.x, 0, 0}, {region.x, region.y, none, 0}}};
    if (region.with_exchanged_axes) {
      parts.of[1].first_block = blocks_of<Group>(parts.of[0]);
      parts.of[1].first = region.pixels();
    }
    launch_views<Group, kind>(scan, sums, kinds.along_y, parts, images);
    if constexpr (Group::Layout::both_kinds) {
      parts.first += images.kind_size();
      parts.along_y = 0;
      parts.of[0] = {region.x, region.y, 0, 0};
      launch_views<Group, kind>(scan, sums, kinds.along_x, parts, images);
    }
  }

  template <class Group, device::FanKind kind>
  void launch_views(const device::DdFanScan& scan, const typename Group::Value* sums,
                    std::span<const device::FanViewRow> views, device::Parts parts,
                    const Images& images) const {
    while (!views.empty()) {
      const auto some = views.first(std::min<std::size_t>(views.size(), device::FanViews::most));
      device::FanViews taken{.count = static_cast<int>(some.size()), .view = {}};
      std::ranges::copy(some, taken.view);
      launch_transpose<Group, kind>(scan, sums, taken, parts, images);
      parts.add = 1;
      views = views.subspan(some.size());
    }
  }

  /// Launches the transpose of some views of one kind. Grid: see dd_fan_adjoint.
  template <class Group, device::FanKind kind>
  void launch_transpose(const device::DdFanScan& scan, const typename Group::Value* sums,
                        const device::FanViews& views, const device::Parts& parts,
                        const Images& images) const {
    using Value = typename Group::Value;
    constexpr dd_fan::AdjointShape s = shape_of<Group>;
    constexpr int warps = s.warps, floats = Group::quads * device::width_of<Value>;
    unsigned all = blocks_of<Group>(parts.of[0]);
    if (parts.of[1].first_block != none) all += blocks_of<Group>(parts.of[1]);
    const dim3 grid(all, static_cast<unsigned>(images.values / floats),
                    static_cast<unsigned>(images.shares));
    if constexpr (is_single<Group>)
      device::dd_fan_adjoint_rows<kind, warps, s.rows>
          <<<grid, 32 * warps, 0, place_.stream>>>(scan, views, sums, parts);
    else
      device::dd_fan_adjoint<Value, Group::quads, kind, warps>
          <<<grid, 32 * warps, 0, place_.stream>>>(scan, views, sums, parts);
    check_launch("dd_fan_adjoint");
  }

  template <class Group>
  static constexpr bool is_single = device::width_of<typename Group::Value> == 1;
  template <class Group>
  static constexpr dd_fan::AdjointShape shape_of =
      is_single<Group> ? dd_fan::adjoint_single : dd_fan::adjoint;

  template <class Group>
  static unsigned blocks_of(const device::LayerRectangle& part) {
    const device::Span& pixels = part.pixels;
    constexpr dd_fan::AdjointShape s = shape_of<Group>;
    return blocks(part.lines.count, s.warps * s.rows) *
           (blocks(pixels.split, device::per_warp) +
            blocks(pixels.count - pixels.split, device::per_warp));
  }

  /// Returns where the partial images of a region lie. A kind of layers without views has none.
  template <bool stack>
  device::Folds folds_of(const DdFanTables::Kinds& kinds, const Images& images) const {
    const DdFanRegion& region = images.region;
    device::Folds folds{};
    if constexpr (stack) {
      folds.of[0] = {
          .direct = {{0, 1, region.x.count}},
          .exchanged = {{static_cast<std::ptrdiff_t>(images.kind_size()), region.y.count, 1}},
          .x = region.x,
          .y = region.y,
          .first_tile = 0};
      folds.has_direct = kinds.along_y.empty() ? 0 : 1;
      folds.has_exchanged = kinds.along_x.empty() ? 0 : 1;
    } else {
      const DdFanSymmetry& symmetry = passes_.symmetry();
      const std::size_t exchanged = region.with_exchanged_axes ? region.pixels() : 0;
      folds.of[0] = symmetry.fold(region.x, region.y, region.size(), 0, exchanged);
      folds.of[1] = symmetry.fold(region.y, region.x, region.size(), exchanged, 0);
      folds.has_direct = folds.has_exchanged = 1;
    }
    folds.of[1].first_tile = region.with_exchanged_axes ? region.tiles() / 2 : none;
    folds.shares = images.shares;
    folds.share_stride = static_cast<std::ptrdiff_t>(images.values_size());
    folds.slice_stride = static_cast<std::ptrdiff_t>(region.size());
    folds.nx = passes_.grid().nx;
    folds.ny = passes_.grid().ny;
    return folds;
  }

  static constexpr unsigned none = std::numeric_limits<unsigned>::max();
  const CudaBackend& cuda_;
  const DdFanPasses& passes_;
  PassMemory place_{};
  std::size_t blocks_before_ = 0;  // of dd_fan_fold in earlier launches: offset of their norms
};

}  // namespace gantry
