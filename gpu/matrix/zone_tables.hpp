#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/kernels/zone_copies.cuh"
#include "gpu/matrix/zone.hpp"

#include <algorithm>
#include <span>

namespace gantry {

/// A zone's tables on a device.
class ZoneTables {
 public:
  ZoneTables(const CudaBackend& cuda, const Zone& zone, const Projector& weights)
      : image_(cuda, std::span<const device::ZoneView>(zone.image)),
        source_(cuda, std::span<const device::ZoneView>(zone.source)) {
    std::ranges::copy(zone.pixel, maps_.pixel);
    std::ranges::copy(zone.inverse, maps_.inverse);
    maps_.elements = zone.elements;
    maps_.nx = weights.grid().nx;
    maps_.ny = weights.grid().ny;
    maps_.columns = weights.geometry().columns();
    maps_.views = static_cast<int>(zone.views.size());
    maps_.image = image_.data();
    maps_.source = source_.data();
  }

  const device::ZoneMaps& maps() const { return maps_; }
  MatrixPart part() const {
    return {"maps", (image_.size() + source_.size()) * sizeof(device::ZoneView)};
  }

 private:
  DeviceBuffer<device::ZoneView> image_, source_;
  device::ZoneMaps maps_{};
};

}  // namespace gantry
