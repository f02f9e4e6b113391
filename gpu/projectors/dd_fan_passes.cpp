#include "gpu/projectors/dd_fan_passes.hpp"

#include "gpu/projectors/launch.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

using device::DdFanScan;

constexpr std::size_t workspace_aim_bytes = std::size_t{1} << 30U;  // stacks go in passes within it
constexpr int warps_per_multiprocessor = 192;  // of the transpose: fewer, and views are shared out
constexpr int most_shares = device::most_fold_shares, fewest_views_of_share = 24;

}  // namespace

DdFanBundle DdFanPasses::stack_pass(int slices) const {
  const int quads = static_cast<int>(blocks(slices, 4));
  const auto each = floats_of({1, 4, true}, geometry_->views(), 1) * sizeof(float);
  const auto most = static_cast<int>(std::min<std::size_t>(workspace_aim_bytes / each, 32768));
  return {quads == 1 ? 1 : std::clamp(most / 2 * 2, 2, (quads + 1) / 2 * 2), 4, true};
}

int DdFanPasses::wide_slices(int views) const {
  constexpr int worth_a_pass = 28, enough_warps = 4;  // of a multiprocessor
  const std::int64_t warps = std::int64_t{views} * blocks(geometry_->columns(), device::per_warp);
  if (warps < std::int64_t{enough_warps} * cuda_.multiprocessors() ||
      image_sums(wide_pass()) * sizeof(float) > workspace_aim_bytes)
    return 0;
  const int passes = (slices() + device::wide_slices - worth_a_pass) / device::wide_slices;
  return std::min(passes * device::wide_slices, slices());
}

int DdFanPasses::shares(const DdFanBundle& bundle, int quads, int views) const {
  const DdFanScan scan = tables_.scan(views);
  const auto warps = [](const device::SlicePlane& plane) {
    return static_cast<double>(plane.count) * blocks(plane.width, device::per_warp);
  };
  // Each kind of slices has a launch of its own.
  const double at_once = std::max(warps(scan.along_y), warps(scan.along_x)) * bundle.values / quads;
  const double wanted = static_cast<double>(warps_per_multiprocessor) * cuda_.multiprocessors();
  return std::clamp(static_cast<int>(std::lround(wanted / at_once)), 1,
                    std::clamp(views / fewest_views_of_share, 1, most_shares));
}

std::size_t DdFanPasses::image_sums(const DdFanBundle& bundle) const {
  const DdFanScan scan = tables_.scan(1);
  return bundle.floats() * (scan.along_y.size + (bundle.both_kinds ? scan.along_x.size : 0));
}

std::size_t DdFanPasses::view_sums(const DdFanBundle& bundle, int views) const {
  return bundle.floats() * static_cast<std::size_t>(views) *
         static_cast<std::size_t>(tables_.scan(1).row_stride);
}

std::size_t DdFanPasses::parts(const DdFanBundle& bundle, int shares) const {
  return bundle.floats() * pixels() * static_cast<std::size_t>(shares) *
         (bundle.both_kinds ? 2 : 1);
}

std::size_t DdFanPasses::floats_of(const DdFanBundle& bundle, int views, int shares) const {
  return std::max(image_sums(bundle), view_sums(bundle, views) + parts(bundle, shares));
}

int DdFanPasses::most_shares_of(const DdFanBundle& bundle) const {
  return shares(bundle, bundle.values > 1 ? 2 : 1, geometry_->views());
}

std::size_t DdFanPasses::buffer_bytes() const {
  const DdFanBundle plain = slices() == 1 ? single() : stack_pass(slices());
  std::size_t floats = floats_of(plain, geometry_->views(), most_shares_of(plain));
  if (wide_slices(geometry_->views()) > 0) floats = std::max(floats, image_sums(wide_pass()));
  if (symmetry_.holds())
    floats = std::max(floats, floats_of(symmetric_bundle(), symmetry_.stored_views(),
                                        most_shares_of(symmetric_bundle())));
  return floats * sizeof(float);
}

float* DdFanPasses::buffer() const {
  if (buffer_.empty())
    buffer_ = DeviceBuffer<float4>(cuda_, buffer_bytes() / sizeof(float4) + 1,
                                   "the distance-driven projector");
  return reinterpret_cast<float*>(buffer_.data());
}

device::DdFanScan DdFanPasses::scan_of(const DdFanBundle& bundle, int views) const {
  DdFanScan scan = tables_.scan(views);
  scan.along_x.first = static_cast<std::size_t>(bundle.values) * scan.along_y.size;
  return scan;
}

device::StackLayout DdFanPasses::stack_layout(ViewSubset subset, int first_slice) const {
  return {grid_.nx,    grid_.ny,     slices(),     geometry_->columns(),
          first_slice, subset.first, subset.stride};
}

}  // namespace gantry
