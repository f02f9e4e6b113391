#include "core/base/error.hpp"
#include "core/matrix/rows/view_csr.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/rows/device_sums.hpp"
#include "gpu/matrix/scsr/cone_runs.hpp"
#include "gpu/matrix/scsr/scsr_cone_build.cuh"

#include <limits>

namespace gantry {

namespace {

constexpr const char* purpose = "a symmetric matrix";
constexpr const char* building = "building a matrix on the GPU";

/// The matrix rows of a stored view, copied to the device.
struct UploadedView {
  DeviceBuffer<std::uint32_t> start;
  DeviceBuffer<int> voxel;
  DeviceBuffer<float> weight;

  UploadedView() = default;
  UploadedView(const CudaBackend& cuda, const ViewCsr& rows)
      : start(cuda, std::span<const std::uint32_t>(rows.row_start), purpose),
        voxel(cuda, rows.nonzeros(), purpose),
        weight(cuda, std::span<const float>(rows.weight), purpose) {
    if (rows.nonzeros() > 0)
      cuda.upload_bytes(rows.column.data(), voxel.data(), rows.nonzeros() * sizeof(int));
  }
};

/// Returns how many rays the elements make of a stored ray, itself included.
std::uint64_t images_of(const ConeStoredViews& stored, int view, int row) {
  std::uint64_t count = 0;
  for (int h = 0; h < stored.in_plane; ++h)
    for (const bool mirror : {false, true})
      if (!mirror || stored.mirrored)
        if (stored.rays.target(stored.image[static_cast<std::size_t>(8 * view + h)], row, 0,
                               mirror) >= 0)
          ++count;
  return count;
}

[[noreturn]] void refuse_entries() {
  throw UsageError(
      "the matrix is too large for SCSR of a cone beam: at most 2^32 stored nonzeros, 2^27 stored "
      "rays, and orbits times blocks of views below 2^27",
      "format", "use fewer views, or compute the weights on the fly");
}

unsigned entry_blocks(const CudaBackend& cuda) {
  return static_cast<unsigned>(scsr::entry_blocks * cuda.multiprocessors());
}

/// Sorts entries by their keys, then replaces the keys by the numbers of their lists. Throws
/// UsageError if there are too many lists for keys of 31 bits.
void sort_lines(const CudaBackend& cuda, EntryOrder& order, std::int64_t lines) {
  if (16 * lines > std::numeric_limits<int>::max()) refuse_entries();
  if (order.entry.empty()) return;
  sort_by_key(cuda, order.line, order.entry, static_cast<int>(16 * lines));
  device::lines_of_keys<<<entry_blocks(cuda), usual_threads, 0, cuda.stream()>>>(
      order.line.data(), static_cast<std::int64_t>(order.line.size()));
  check_launch("lines_of_keys");
}

}  // namespace

ConeEntries cone_entries(const CudaBackend& cuda, const Projector& weights,
                         const ConeStoredViews& stored) {
  const device::ConeRays& rays = stored.rays;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(rays.count()) + 1, 0);
  std::vector<std::uint64_t> of_all(stored.views.size(), 0);
  std::vector<UploadedView> views(stored.views.size());
  for_each_view_csr(
      weights, stored.views,
      [&](std::size_t i, const ViewCsr& rows) {
        const int view = static_cast<int>(i);
        for (int cell = 0; cell < rays.rows * rays.columns; ++cell) {
          const int row = cell / rays.columns;
          const auto at = static_cast<std::size_t>(cell);
          const std::int64_t count = rows.row_start[at + 1] - rows.row_start[at];
          counts[static_cast<std::size_t>(rays.number(view, row, cell % rays.columns))] = count;
          of_all[i] += static_cast<std::uint64_t>(count) * images_of(stored, view, row);
        }
        views[i] = UploadedView(cuda, rows);
      },
      rays.rows);
  const DeviceScope scope(cuda.device());
  ConeEntries entries;
  for (const std::uint64_t count : of_all) entries.of_all += count;
  entries.start = DeviceBuffer<std::int64_t>(cuda, std::span<const std::int64_t>(counts), purpose);
  const std::int64_t count = counts_to_starts(cuda, entries.start);
  if (count > std::int64_t{std::numeric_limits<std::uint32_t>::max()}) refuse_entries();
  const auto size = static_cast<std::size_t>(count);
  entries.code = DeviceBuffer<std::uint32_t>(cuda, size, purpose);
  entries.ray = DeviceBuffer<int>(cuda, size, purpose);
  entries.weight = DeviceBuffer<float>(cuda, size, purpose);
  const DeviceBuffer<std::uint32_t> code_of(cuda, std::span<const std::uint32_t>(stored.code),
                                            purpose);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const UploadedView& from = views[i];
    device::place_view<<<blocks(std::int64_t{rays.rows} * rays.columns, usual_warps), usual_threads,
                         0, cuda.stream()>>>(
        rays, static_cast<int>(i), {from.start.data(), from.voxel.data(), from.weight.data()},
        code_of.data(), entries.start.data(), entries.code.data(), entries.ray.data(),
        entries.weight.data());
    check_launch("place_view");
    views[i] = {};
  }
  return entries;
}

EntryOrder by_orbits(const CudaBackend& cuda, const ConeEntries& entries,
                     const ConeStoredViews& stored) {
  const DeviceScope scope(cuda.device());
  EntryOrder order{DeviceBuffer<int>(cuda, entries.ray.size(), purpose),
                   DeviceBuffer<std::uint32_t>(cuda, entries.ray.size(), purpose)};
  device::key_by_orbit<<<entry_blocks(cuda), usual_threads, 0, cuda.stream()>>>(
      stored.rays, entries.code.data(), entries.ray.data(), entries.count(), order.line.data(),
      order.entry.data());
  check_launch("key_by_orbit");
  sort_lines(cuda, order, stored.orbits() * stored.rays.blocks());
  return order;
}

EntryOrder by_rays(const CudaBackend& cuda, const ConeEntries& entries, EntryOrder order) {
  const DeviceScope scope(cuda.device());
  device::key_by_ray<<<entry_blocks(cuda), usual_threads, 0, cuda.stream()>>>(
      entries.code.data(), entries.ray.data(), order.entry.data(), entries.count(),
      order.line.data());
  check_launch("key_by_ray");
  sort_lines(cuda, order, static_cast<std::int64_t>(entries.start.size()) - 1);
  return order;
}

template <bool Half>
StoredRuns<Half>::StoredRuns(const CudaBackend& cuda, const ConeEntries& entries,
                             const EntryOrder& order, const ConeStoredViews& stored, bool of_orbits,
                             float unit)
    : entries_(static_cast<std::uint64_t>(entries.count())) {
  const DeviceScope scope(cuda.device());
  const std::int64_t lines =
      of_orbits ? stored.orbits() * stored.rays.blocks() : stored.rays.count();
  const auto size = static_cast<std::size_t>(lines) + 1;
  DeviceBuffer<std::int64_t> first(cuda, size, purpose), runs(cuda, size, purpose);
  find_starts(cuda, order.line, entries.count(), static_cast<int>(lines), first);
  device::SortedEntries sorted{order.entry.data(),    entries.code.data(), entries.ray.data(),
                               entries.weight.data(), of_orbits,           {}};
  std::ranges::copy(stored.inverse, sorted.inverse);
  check(cudaMemsetAsync(runs.data(), 0, size * sizeof(std::int64_t), cuda.stream()), building);
  device::count_runs<<<blocks(lines, usual_threads), usual_threads, 0, cuda.stream()>>>(
      sorted, first.data(), lines, runs.data());
  check_launch("count_runs");
  const auto count = static_cast<std::size_t>(counts_to_starts(cuda, runs));
  slots_ = count * device::run_length;
  start_ = DeviceBuffer<std::uint32_t>(cuda, size, purpose);
  convert_starts(cuda, runs, start_);
  head_ = DeviceBuffer<std::uint32_t>(cuda, count, purpose);
  steps_ = DeviceBuffer<std::uint16_t>(cuda, slots_, purpose);
  weights_ = DeviceBuffer<float>(cuda, Half ? slots_ / 2 : slots_, purpose);
  if (count == 0) return;
  check(cudaMemsetAsync(steps_.data(), 0, slots_ * sizeof(std::uint16_t), cuda.stream()), building);
  check(cudaMemsetAsync(weights_.data(), 0, weights_.size() * sizeof(float), cuda.stream()),
        building);
  device::fill_runs<Half><<<blocks(lines, usual_threads), usual_threads, 0, cuda.stream()>>>(
      sorted, first.data(), lines, start_.data(), 1 / unit, head_.data(), steps_.data(),
      weights_.data());
  check_launch("fill_runs");
}

template <bool Half>
device::ConeRuns<Half> StoredRuns<Half>::view() const {
  return {start_.data(), head_.data(), reinterpret_cast<const uint4*>(steps_.data()),
          weights_.data()};
}

template <bool Half>
std::vector<MatrixPart> StoredRuns<Half>::parts(const std::string& prefix, PartOf of) const {
  return {{prefix + "weights", weights_.size() * sizeof(float), of},
          {prefix + "steps", steps_.size() * sizeof(std::uint16_t), of},
          {prefix + "runs", head_.size() * sizeof(std::uint32_t), of},
          {prefix + "starts", start_.size() * sizeof(std::uint32_t), of}};
}

template class StoredRuns<false>;
template class StoredRuns<true>;

}  // namespace gantry
