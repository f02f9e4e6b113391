#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/matrix/scsr/scsr_copies.cuh"
#include "gpu/matrix/scsr/stored_views.hpp"

#include <algorithm>
#include <span>

namespace gantry {

/// The maps of the stored views in device memory.
class StoredViewTables {
 public:
  StoredViewTables(const CudaBackend& cuda, const StoredViews& stored, const Projector& weights)
      : image_(cuda, std::span<const device::StoredView>(stored.image)),
        source_(cuda, std::span<const device::StoredView>(stored.source)) {
    std::ranges::copy(stored.pixel, maps_.pixel);
    std::ranges::copy(stored.inverse, maps_.inverse);
    maps_.elements = stored.elements;
    maps_.nx = weights.grid().nx;
    maps_.ny = weights.grid().ny;
    maps_.columns = weights.geometry().columns();
    maps_.views = static_cast<int>(stored.views.size());
    maps_.image = image_.data();
    maps_.source = source_.data();
  }

  const device::StoredViewMaps& maps() const { return maps_; }
  MatrixPart part() const {
    return {"maps", (image_.size() + source_.size()) * sizeof(device::StoredView)};
  }

 private:
  DeviceBuffer<device::StoredView> image_, source_;
  device::StoredViewMaps maps_{};
};

}  // namespace gantry
