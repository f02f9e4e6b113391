// Launches of the forward product of the 2D distance-driven pair: prefix sums of both kinds of
// layers of the image (dd_fan_prefix.cuh), then their differences for each cell
// (dd_fan_forward.cuh; 32 slices of a stack at a time: dd_fan_wide.cuh).
#include "gpu/base/launch.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_forward.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_forward.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_prefix.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_wide.cuh"

#include <algorithm>

namespace gantry {

namespace {

using device::DdFanScan;
using device::LayerSums;
using KindsSeen = DdFanTables::KindsSeen;

class DdFanForward {
 public:
  explicit DdFanForward(const DdFanPasses& passes) : cuda_(passes.cuda()), passes_(passes) {}

  /// Projects one band of the image's layers after the other.
  template <class Group>
  void run(const Group& group, const float* x, float* rays) const {
    constexpr bool both = Group::Layout::both_kinds;
    constexpr int quads = both ? Group::quads : 1;
    const KindsSeen kinds = seen(group);
    const bool wide = is_wide(group);
    const DdFanBundle bundle = wide ? DdFanPasses::wide_pass() : group.bundle;
    const int lines = passes_.band_lines(bundle),
              count = std::max(passes_.grid().nx, passes_.grid().ny);
    for (int first = 0; first < count; first += lines) {
      const DdFanScan scan = passes_.scan_of(bundle, group.views, first, lines);
      if (wide)
        forward_wide(scan, group.layout, kinds, x, rays);
      else
        forward<typename Group::Value, quads, dd_fan::forward_warps(both, quads)>(
            scan, bundle, group.layout, kinds, x, rays);
    }
  }

 private:
  template <class Group>
  KindsSeen seen(const Group& group) const {
    if constexpr (Group::Layout::both_kinds) return passes_.tables().kinds_seen(group.subset);
    return {.along_y = true, .along_x = false};
  }
  template <class Group>
  bool is_wide(const Group& group) const {
    return Group::Layout::both_kinds && passes_.wide(group.slices, group.views);
  }

  /// Returns the grid of the kernels that make prefix sums, with `lines` layers per block, for the
  /// kinds of layers that the views need.
  static dim3 line_blocks(const DdFanScan& scan, KindsSeen kinds, int lines, int values) {
    const auto of = [](bool there, const LayerSums& plane) {
      return there ? plane.end - plane.begin : 0;
    };
    const int most = std::max(of(kinds.along_y, scan.along_y), of(kinds.along_x, scan.along_x));
    return {std::max(blocks(most, lines), 1U), static_cast<unsigned>(values),
            kinds.along_y && kinds.along_x ? 2U : 1U};
  }

  template <class Layout>
  void forward_wide(const DdFanScan& scan, const Layout& layout, KindsSeen kinds,
                    const float* image, float* rays) const {
    if constexpr (Layout::both_kinds) {
      device::dd_fan_sum_image_wide<<<line_blocks(scan, kinds, device::wide_sum_lines,
                                                  dd_fan::wide_slices / dd_fan::wide_sum_slices),
                                      32 * device::wide_sum_warps, 0, cuda_.stream()>>>(
          scan, layout, kinds.along_y, image, passes_.work());
      check_launch("dd_fan_sum_image_wide");
      constexpr int warps = dd_fan::wide_warps;
      device::dd_fan_forward_wide<warps>
          <<<blocks(scan.views, warps) * blocks(scan.columns, device::wide_edges - 1), 32 * warps,
             0, cuda_.stream()>>>(scan, layout, reinterpret_cast<const float4*>(passes_.work()),
                                  rays);
      check_launch("dd_fan_forward_wide");
    }
  }

  template <class Value, int Quads, int Warps, class Layout>
  void forward(const DdFanScan& scan, const DdFanBundle& bundle, const Layout& layout,
               KindsSeen kinds, const float* image, float* rays) const {
    auto* sums = reinterpret_cast<Value*>(passes_.work());
    const int views = scan.views;
    const auto values = static_cast<unsigned>(bundle.values);
    const dim3 lines = line_blocks(scan, kinds, 1, bundle.values);
    const int parts = passes_.parts_of_line(static_cast<int>(lines.x * lines.y * lines.z));
    const int block = DdFanPasses::warps_for_lines(parts);
    device::dd_fan_sum_image<Value, Layout>
        <<<line_blocks(scan, kinds, block / parts, bundle.values), 32 * block, 0, cuda_.stream()>>>(
            scan, layout, kinds.along_y, parts, image, sums);
    check_launch("dd_fan_sum_image");
    const unsigned cell_groups = blocks(scan.columns, device::per_warp);
    const std::size_t warps = std::size_t{values} * cell_groups * static_cast<unsigned>(views);
    const auto fewer_than = [&](int per_multiprocessor) {
      return warps < static_cast<std::size_t>(per_multiprocessor * cuda_.multiprocessors());
    };
    constexpr int width = device::width_of<Value>;
    if (fewer_than(dd_fan::few_warps))
      return forward_shared<Value, dd_fan::forward_few>(scan, layout, views, values, sums, rays);
    if (fewer_than(dd_fan::some_warps(width)))
      return forward_shared<Value, dd_fan::forward_some>(scan, layout, views, values, sums, rays);
    if constexpr (width == 1)
      return forward_shared<Value, dd_fan::forward_single(Warps)>(scan, layout, views, values, sums,
                                                                  rays);
    else
      forward_whole<Value, Quads, Warps>(scan, layout, views, values, sums, rays);
  }

  template <class Value, int Quads, int Warps, class Layout>
  void forward_whole(const DdFanScan& scan, const Layout& layout, int views, unsigned values,
                     const Value* sums, float* rays) const {
    const unsigned cell_groups = blocks(scan.columns, device::per_warp);
    const dim3 view_blocks(blocks(views, Warps) * cell_groups, values / Quads);
    device::dd_fan_forward<Value, Quads, Warps, Layout>
        <<<view_blocks, 32 * Warps, 0, cuda_.stream()>>>(scan, layout, sums, rays);
    check_launch("dd_fan_forward");
  }

  template <class Value, dd_fan::SharedShape s, class Layout>
  void forward_shared(const DdFanScan& scan, const Layout& layout, int views, unsigned values,
                      const Value* sums, float* rays) const {
    const dim3 view_blocks(blocks(views, s.views) * blocks(scan.columns, device::per_warp), values);
    device::dd_fan_forward_shared<Value, s.views, s.shares, Layout>
        <<<view_blocks, 32 * s.warps(), 0, cuda_.stream()>>>(scan, layout, sums, rays);
    check_launch("dd_fan_forward_shared");
  }

  const CudaBackend& cuda_;
  const DdFanPasses& passes_;
};

}  // namespace

void dd_fan_forward(const DdFanPasses& passes, const float* x, float* y, ViewSubset subset) {
  passes.for_groups(subset, [&](const auto& group) { DdFanForward(passes).run(group, x, y); });
}

void dd_fan_forward_of_slice(const DdFanPasses& passes, const float* x, float* y) {
  const ViewSubset all = ViewSubset::all(passes.views());
  device::StackLayout layout = passes.stack_layout(all, 0);
  layout.slices = 1;
  const DdFanGroup<float, 1, device::StackLayout> slice{
      DdFanPasses::single(), layout, all, all.count, 0, 1};
  DdFanForward(passes).run(slice, x, y);
}

template <class Group>
void dd_fan_forward_to_sums(const DdFanPasses& passes, Group group, const float* x) {
  group.layout.in_sums = passes.rays_in_sums(group.bundle, group.views);
  DdFanForward(passes).run(group, x, passes.view_sums());
}

template void dd_fan_forward_to_sums(const DdFanPasses&,
                                     DdFanGroup<float4, 2, device::SymmetricLayout>, const float*);
template void dd_fan_forward_to_sums(const DdFanPasses&, DdFanGroup<float, 1, device::StackLayout>,
                                     const float*);
template void dd_fan_forward_to_sums(const DdFanPasses&, DdFanGroup<float4, 1, device::StackLayout>,
                                     const float*);
template void dd_fan_forward_to_sums(const DdFanPasses&, DdFanGroup<float4, 2, device::StackLayout>,
                                     const float*);

}  // namespace gantry
