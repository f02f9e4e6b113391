// Launches of the forward product of the 2D distance-driven pair: prefix sums of the image along
// both kinds of slices, then differences of them for each cell.
#include "gpu/kernels/dd_fan_forward.cuh"
#include "gpu/kernels/dd_fan_prefix.cuh"
#include "gpu/kernels/dd_fan_wide.cuh"
#include "gpu/projectors/dd_fan_forward.hpp"
#include "gpu/projectors/launch.hpp"

#include <algorithm>

namespace gantry {

namespace {

using device::DdFanScan;
using KindsSeen = DdFanTables::KindsSeen;
using device::StackLayout;

class DdFanForward {
 public:
  explicit DdFanForward(const DdFanPasses& passes) : cuda_(passes.cuda()), passes_(passes) {}

  void run(const float* x, float* y, ViewSubset subset) const {
    if (passes_.symmetric(subset))
      return forward<float4, 1, 4>(DdFanPasses::symmetric_bundle(), passes_.symmetry().layout(),
                                   {true, false}, passes_.symmetry().stored_views(), x, y);
    const KindsSeen kinds = passes_.tables().kinds_seen(subset);
    if (passes_.slices() == 1)
      return forward<float, 1, 8>(DdFanPasses::single(), passes_.stack_layout(subset, 0), kinds,
                                  subset.count, x, y);
    const int wide = passes_.wide_slices(subset.count);
    for (int first = 0; first < wide; first += device::wide_slices)
      forward_wide(passes_.stack_layout(subset, first), kinds, subset.count, x, y);
    if (wide == passes_.slices()) return;
    const DdFanBundle pass = passes_.stack_pass(passes_.slices() - wide);
    const auto run = pass.values == 1 ? &DdFanForward::forward<float4, 1, 8, StackLayout>
                                      : &DdFanForward::forward<float4, 2, 4, StackLayout>;
    for (int first = wide; first < passes_.slices(); first += 4 * pass.values)
      (this->*run)(pass, passes_.stack_layout(subset, first), kinds, subset.count, x, y);
  }

 private:
  /// Groups of lines that blocks sum up, by the kinds there are.
  static dim3 line_blocks(const DdFanScan& scan, KindsSeen kinds, int lines, int values) {
    const int most =
        std::max(kinds.along_y ? scan.along_y.padded : 0, kinds.along_x ? scan.along_x.padded : 0);
    return {blocks(most, lines), static_cast<unsigned>(values),
            kinds.along_y && kinds.along_x ? 2U : 1U};
  }

  void forward_wide(const StackLayout& layout, KindsSeen kinds, int views, const float* image,
                    float* rays) const {
    const DdFanScan scan = passes_.scan_of(DdFanPasses::wide_pass(), views);
    device::dd_fan_sum_image_wide<<<line_blocks(scan, kinds, device::wide_sum_lines,
                                                device::wide_slices / device::wide_sum_slices),
                                    32 * device::wide_sum_warps, 0, cuda_.stream()>>>(
        scan, layout, kinds.along_y, image, passes_.buffer());
    check_launch("dd_fan_sum_image_wide");
    constexpr int warps = 8;
    device::dd_fan_forward_wide<warps>
        <<<blocks(scan.views, warps) * blocks(scan.columns, device::wide_edges - 1), 32 * warps, 0,
           cuda_.stream()>>>(scan, layout, reinterpret_cast<const float4*>(passes_.buffer()), rays);
    check_launch("dd_fan_forward_wide");
  }

  template <class Value, int Quads, int Warps, class Layout>
  void forward(const DdFanBundle& bundle, const Layout& layout, KindsSeen kinds, int views,
               const float* image, float* rays) const {
    const DdFanScan scan = passes_.scan_of(bundle, views);
    auto* sums = reinterpret_cast<Value*>(passes_.buffer());
    const auto values = static_cast<unsigned>(bundle.values);
    device::dd_fan_sum_image<Value, Layout>
        <<<line_blocks(scan, kinds, DdFanPasses::prefix_warps, bundle.values),
           32 * DdFanPasses::prefix_warps, 0, cuda_.stream()>>>(scan, layout, kinds.along_y, image,
                                                                sums);
    check_launch("dd_fan_sum_image");
    const unsigned cell_groups = blocks(scan.columns, device::per_warp);
    const std::size_t warps = std::size_t{values} * cell_groups * static_cast<unsigned>(views);
    const auto fewer_than = [&](int per_multiprocessor) {
      return warps < static_cast<std::size_t>(per_multiprocessor * cuda_.multiprocessors());
    };
    if (fewer_than(4)) return forward_shared<Value, 1, 16>(scan, layout, views, values, sums, rays);
    if (fewer_than(device::width_of<Value> == 1 ? 32 : 16))
      return forward_shared<Value, 1, 4>(scan, layout, views, values, sums, rays);
    // Two warps share a view where a lane has one value: the more are at work.
    if constexpr (device::width_of<Value> == 1)
      return forward_shared<Value, Warps, 2>(scan, layout, views, values, sums, rays);
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

  template <class Value, int Views, int Shares, class Layout>
  void forward_shared(const DdFanScan& scan, const Layout& layout, int views, unsigned values,
                      const Value* sums, float* rays) const {
    const dim3 view_blocks(blocks(views, Views) * blocks(scan.columns, device::per_warp), values);
    device::dd_fan_forward_shared<Value, Views, Shares, Layout>
        <<<view_blocks, 32 * Views * Shares, 0, cuda_.stream()>>>(scan, layout, sums, rays);
    check_launch("dd_fan_forward_shared");
  }

  const CudaBackend& cuda_;
  const DdFanPasses& passes_;
};

}  // namespace

void dd_fan_forward(const DdFanPasses& passes, const float* x, float* y, ViewSubset subset) {
  DdFanForward(passes).run(x, y, subset);
}

}  // namespace gantry
