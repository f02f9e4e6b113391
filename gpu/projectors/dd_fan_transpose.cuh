#pragma once

// Launches of the transpose of the 2D distance-driven pair: prefix sums of the views, then
// differences of them for each pixel, in partial images by kind of slices and share of the views,
// which are added up last.
#include "gpu/kernels/dd_fan_adjoint.cuh"
#include "gpu/kernels/dd_fan_fold.cuh"
#include "gpu/kernels/dd_fan_prefix.cuh"
#include "gpu/projectors/dd_fan_passes.hpp"
#include "gpu/projectors/launch.hpp"

#include <algorithm>
#include <span>

namespace gantry {

/// x = A^T y on the views of a subset: queued.
class DdFanTranspose {
 public:
  explicit DdFanTranspose(const DdFanPasses& passes) : cuda_(passes.cuda()), passes_(passes) {}

  /// From rays (what `rays` makes of them) to an image (what `sink` makes of its sums).
  template <class Rays, class Sink>
  void run(const Rays& rays, const Sink& sink, ViewSubset subset) const {
    if (passes_.symmetric(subset)) {
      const int share =
          passes_.shares(DdFanPasses::symmetric_bundle(), 2, passes_.symmetry().stored_views());
      const DdFanTables::Kinds kinds = passes_.tables().kinds(passes_.symmetry().stored());
      transpose<float4, 2>(DdFanPasses::symmetric_bundle(), passes_.symmetry().layout(), kinds,
                           share, rays);
      return fold<4>(passes_.symmetry().fold(share), DdFanPasses::symmetric_bundle(),
                     passes_.symmetry().stored_views(), 0, 1, sink);
    }
    const DdFanTables::Kinds kinds = passes_.tables().kinds(subset);
    if (passes_.slices() == 1) {
      const int share = passes_.shares(DdFanPasses::single(), 1, subset.count);
      transpose<float, 1>(DdFanPasses::single(), passes_.stack_layout(subset, 0), kinds, share,
                          rays);
      return fold<1>(stack_fold(DdFanPasses::single(), kinds, share), DdFanPasses::single(),
                     subset.count, 0, 1, sink);
    }
    const DdFanBundle pass = passes_.stack_pass(passes_.slices());
    const int quads = pass.values == 1 ? 1 : 2, share = passes_.shares(pass, quads, subset.count),
              at_once = 4 * pass.values;
    for (int first = 0; first < passes_.slices(); first += at_once) {
      const device::StackLayout layout = passes_.stack_layout(subset, first);
      if (quads == 1)
        transpose<float4, 1>(pass, layout, kinds, share, rays);
      else
        transpose<float4, 2>(pass, layout, kinds, share, rays);
      fold<1>(stack_fold(pass, kinds, share), pass, subset.count, first,
              std::min(at_once, passes_.slices() - first), sink);
    }
  }

 private:
  template <class Value, int Quads, class Layout, class Rays>
  void transpose(const DdFanBundle& bundle, const Layout& layout, const DdFanTables::Kinds& kinds,
                 int shares, const Rays& rays) const {
    const device::DdFanScan scan = passes_.scan_of(bundle, kinds.count());
    auto* sums = reinterpret_cast<Value*>(passes_.buffer());
    const dim3 view_blocks(blocks(scan.views, DdFanPasses::prefix_warps),
                           static_cast<unsigned>(bundle.values));
    device::dd_fan_sum_views<Value, Layout, Rays>
        <<<view_blocks, 32 * DdFanPasses::prefix_warps, 0, cuda_.stream()>>>(scan, layout, rays,
                                                                             sums);
    check_launch("dd_fan_sum_views");
    walk_kinds<Value, Quads>(bundle, scan, kinds, shares);
  }

  template <class Value, int Quads>
  void walk_kinds(const DdFanBundle& bundle, const device::DdFanScan& scan,
                  const DdFanTables::Kinds& kinds, int shares) const {
    switch (passes_.tables().kind()) {
      case device::FanKind::flat:
        return walk_kinds<Value, Quads, device::FanKind::flat>(bundle, scan, kinds, shares);
      case device::FanKind::arc:
        return walk_kinds<Value, Quads, device::FanKind::arc>(bundle, scan, kinds, shares);
      case device::FanKind::parallel:
        return walk_kinds<Value, Quads, device::FanKind::parallel>(bundle, scan, kinds, shares);
    }
  }

  template <class Value, int Quads, device::FanKind kind>
  void walk_kinds(const DdFanBundle& bundle, const device::DdFanScan& scan,
                  const DdFanTables::Kinds& kinds, int shares) const {
    float* parts = passes_.buffer() + passes_.view_sums(bundle, scan.views);
    walk_views<Value, Quads, kind>(bundle, scan, kinds.along_y, {parts, 1, shares, 0});
    parts += bundle.floats() * passes_.pixels() * static_cast<std::size_t>(shares);
    if (bundle.both_kinds)
      walk_views<Value, Quads, kind>(bundle, scan, kinds.along_x, {parts, 0, shares, 0});
  }

  template <class Value, int Quads, device::FanKind kind>
  void walk_views(const DdFanBundle& bundle, const device::DdFanScan& scan,
                  std::span<const device::FanViewAt> views, device::Parts parts) const {
    while (!views.empty()) {
      const auto some = views.first(std::min<std::size_t>(views.size(), device::FanViews::most));
      device::FanViews taken{.count = static_cast<int>(some.size()), .view = {}};
      std::ranges::copy(some, taken.view);
      launch_transpose<Value, Quads, kind>(bundle, scan, taken, parts);
      parts.add = 1;
      views = views.subspan(some.size());
    }
  }

  /// Grid: groups of slices and of pixels, values, shares.
  template <class Value, int Quads, device::FanKind kind>
  void launch_transpose(const DdFanBundle& bundle, const device::DdFanScan& scan,
                        const device::FanViews& views, const device::Parts& parts) const {
    const device::SlicePlane plane = scan.plane(parts.along_y != 0);
    const auto* sums = reinterpret_cast<const Value*>(passes_.buffer());
    constexpr bool single = device::width_of<Value> == 1;
    constexpr int warps = single ? 4 : 8, rows = single ? 4 : 1;
    const dim3 grid(blocks(plane.count, warps * rows) * blocks(plane.width, device::per_warp),
                    static_cast<unsigned>(bundle.values / Quads),
                    static_cast<unsigned>(parts.shares));
    if constexpr (single)
      device::dd_fan_adjoint_rows<kind, warps, rows>
          <<<grid, 32 * warps, 0, cuda_.stream()>>>(scan, views, sums, parts);
    else
      device::dd_fan_adjoint<Value, Quads, kind, warps>
          <<<grid, 32 * warps, 0, cuda_.stream()>>>(scan, views, sums, parts);
    check_launch("dd_fan_adjoint");
  }

  /// Of kinds that have views; the others have no sums.
  device::Fold stack_fold(const DdFanBundle& bundle, const DdFanTables::Kinds& kinds,
                          int shares) const {
    const auto plane = static_cast<std::ptrdiff_t>(passes_.pixels()),
               share = plane * static_cast<std::ptrdiff_t>(bundle.floats());
    device::Fold fold{};
    fold.direct[0] = {0, 1, passes_.grid().nx};
    fold.turned[0] = {share * shares, passes_.grid().ny, 1};
    fold.has_direct = kinds.along_y.empty() ? 0 : 1;
    fold.has_turned = kinds.along_x.empty() ? 0 : 1;
    fold.shares = shares;
    fold.share_stride = share;
    fold.slice_stride = plane;
    fold.nx = passes_.grid().nx;
    fold.ny = passes_.grid().ny;
    return fold;
  }

  /// Slices first_slice .. first_slice + count - 1 of what the transpose left.
  template <int Terms, class Sink>
  void fold(const device::Fold& terms, const DdFanBundle& bundle, int views, int first_slice,
            int count, const Sink& sink) const {
    const dim3 tiles(blocks(terms.nx, device::fold_tile), blocks(terms.ny, device::fold_tile),
                     static_cast<unsigned>(count));
    device::dd_fan_fold<Terms, Sink>
        <<<tiles, dim3(device::fold_tile, device::fold_rows), 0, cuda_.stream()>>>(
            terms, passes_.buffer() + passes_.view_sums(bundle, views), first_slice, sink);
    check_launch("dd_fan_fold");
  }

  const CudaBackend& cuda_;
  const DdFanPasses& passes_;
};

}  // namespace gantry
