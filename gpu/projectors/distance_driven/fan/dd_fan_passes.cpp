#include "gpu/projectors/distance_driven/fan/dd_fan_passes.hpp"

#include "gpu/base/launch.hpp"

#include <algorithm>

namespace gantry {

using device::DdFanScan;
using device::LayerSums;

DdFanScan DdFanPasses::scan_of(const DdFanBundle& bundle, int views, int first, int lines) const {
  DdFanScan scan = tables_.scan(views);
  for (LayerSums* plane : {&scan.along_y, &scan.along_x}) {
    plane->size = static_cast<std::size_t>(plane->stride) *
                  static_cast<std::size_t>(std::min(lines, plane->end));
    plane->begin = std::min(first, plane->end);
    plane->end = std::min(first + lines, plane->end);
  }
  scan.along_x.first = static_cast<std::size_t>(bundle.values) * scan.along_y.size;
  scan.add = first > 0 ? 1 : 0;
  return scan;
}

float* DdFanPasses::view_sums() const {
  if (buffer_.empty())
    buffer_ = DeviceBuffer<float4>(
        cuda_, blocks(static_cast<std::int64_t>(view_sums_floats() + work_floats()), 4),
        "the distance-driven projector");
  return reinterpret_cast<float*>(buffer_.data());
}

SideStream& DdFanPasses::side_stream() const {
  if (side_stream_ == nullptr) side_stream_ = std::make_unique<SideStream>();
  return *side_stream_;
}

device::StackLayout DdFanPasses::stack_layout(ViewSubset subset, int first_slice) const {
  return {grid_.nx, grid_.ny, slices(), columns_, first_slice, subset.first, subset.stride, {}};
}

}  // namespace gantry
