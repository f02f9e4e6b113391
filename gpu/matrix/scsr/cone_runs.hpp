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

/// The nonzeros of the stored rays, ordered by stored ray.
struct ConeEntries {
  DeviceBuffer<std::int64_t> start;  ///< [stored ray], and the end
  DeviceBuffer<std::uint32_t> code;  ///< [entry] the voxel's orbit and element, an orbit_code
  DeviceBuffer<int> ray;             ///< [entry] stored ray
  DeviceBuffer<float> weight;        ///< [entry]
  std::uint64_t of_all = 0;          ///< nonzeros of A that these entries stand for

  std::int64_t count() const { return static_cast<std::int64_t>(ray.size()); }
};

/// The entries grouped into lists: the i-th entry of the order belongs to list line[i].
struct EntryOrder {
  DeviceBuffer<int> line;             ///< ascending
  DeviceBuffer<std::uint32_t> entry;  ///< index in ConeEntries
};

/// Returns the nonzeros of the stored rays, whose rows the host computes view by view. Checks for
/// an interrupt between views. Throws UsageError if there are 2^32 entries or more.
ConeEntries cone_entries(const CudaBackend& cuda, const Projector& weights,
                         const ConeStoredViews& stored);
/// Returns the order of the backprojection: a list for each orbit and block of views, within a list
/// by element and ray. by_rays() makes from this the order of the forward product: a list for each
/// stored ray, within a list by element and orbit. Both throw UsageError if there are more lists
/// than keys of 31 bits can count.
EntryOrder by_orbits(const CudaBackend& cuda, const ConeEntries& entries,
                     const ConeStoredViews& stored);
EntryOrder by_rays(const CudaBackend& cuda, const ConeEntries& entries, EntryOrder by_orbits);

/// Lists of runs (scsr_cone.cuh) in device memory: 6.5 bytes an entry, 4.5 with weights in half
/// precision.
template <bool Half>
class StoredRuns {
 public:
  StoredRuns() = default;
  /// Makes a list for each stored ray, whose entries refer to orbits; or, if `of_orbits`, a list
  /// for each orbit and block of views, whose entries refer to stored rays and have the inverse
  /// elements. `order` must have the same lists. Weights are stored as multiples of `unit`.
  StoredRuns(const CudaBackend& cuda, const ConeEntries& entries, const EntryOrder& order,
             const ConeStoredViews& stored, bool of_orbits, float unit);

  device::ConeRuns<Half> view() const;
  std::uint64_t padding() const { return slots_ - entries_; }
  std::vector<MatrixPart> parts(const std::string& prefix, PartOf of) const;

 private:
  std::uint64_t entries_ = 0, slots_ = 0;  // slots: 8 of each run
  DeviceBuffer<std::uint32_t> start_, head_;
  DeviceBuffer<std::uint16_t> steps_;
  DeviceBuffer<float> weights_;  // halves if Half
};

}  // namespace gantry
