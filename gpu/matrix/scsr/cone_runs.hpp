#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/matrix/scsr/cone_stored_views.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

namespace device {
template <bool Half>
struct ConeRuns;
}  // namespace device

/// The stored rays' entries by themselves, ray after ray.
struct ConeEntries {
  DeviceBuffer<std::int64_t> start;  ///< [stored ray]
  DeviceBuffer<std::uint32_t> code;  ///< of the voxel: its orbit and element
  DeviceBuffer<int> ray;
  DeviceBuffer<float> weight;
  std::uint64_t of_all = 0;  ///< entries that they stand for

  std::int64_t count() const { return static_cast<std::int64_t>(ray.size()); }
};

/// Which entries stand in which order.
struct EntryOrder {
  DeviceBuffer<int> line;  ///< ascending
  DeviceBuffer<std::uint32_t> entry;
};

/// From the host's rows, view by view; gives way between views. Throws UsageError from 2^32 entries
/// on.
ConeEntries cone_entries(const CudaBackend& cuda, const Projector& weights,
                         const ConeStoredViews& stored);
/// By orbit and block of views, in it by element and ray; throws UsageError where these are too
/// many. And that order anew by ray, in it by element and orbit.
EntryOrder by_orbits(const CudaBackend& cuda, const ConeEntries& entries,
                     const ConeStoredViews& stored);
EntryOrder by_rays(const CudaBackend& cuda, const ConeEntries& entries, EntryOrder by_orbits);

/// Lines of runs (scsr_cone.cuh): 6.5 bytes an entry, 4.5 with weights in half precision.
template <bool Half>
class StoredRuns {
 public:
  StoredRuns() = default;
  /// Of stored rays, whose entries have places among the orbits; or of orbits, the other way round
  /// and under inverse elements. Weights are stored in units.
  StoredRuns(const CudaBackend& cuda, const ConeEntries& entries, const EntryOrder& order,
             const ConeStoredViews& stored, bool of_orbits, float unit);

  device::ConeRuns<Half> view() const;
  std::uint64_t padding() const { return slots_ - entries_; }
  std::vector<MatrixPart> parts(const std::string& prefix, PartOf of) const;

 private:
  std::uint64_t entries_ = 0, slots_ = 0;
  DeviceBuffer<std::uint32_t> start_, head_;
  DeviceBuffer<std::uint16_t> steps_;
  DeviceBuffer<float> weights_;  // or halves
};

}  // namespace gantry
