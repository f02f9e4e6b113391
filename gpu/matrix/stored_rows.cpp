// Rows from the host: counted in a first pass, so that the second can put each view where it
// belongs and no more than a few views are held.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "gpu/matrix/device_rows.hpp"

#include <algorithm>
#include <numeric>

namespace gantry {

namespace {

/// The rows of one view, side by side.
struct HostRows {
  std::vector<std::int64_t> count;
  std::vector<int> index;
  std::vector<float> weight;
};

HostRows rows_of_view(const Projector& A, int view, bool counts_alone) {
  HostRows out;
  RowWeights row;
  std::vector<std::size_t> order;
  const auto rows = A.row_source()->view_rows(view);
  for (int r = 0; r < A.geometry().rows(); ++r)
    for (int c = 0; c < A.geometry().columns(); ++c) {
      rows->weights(c, r, row);
      out.count.push_back(static_cast<std::int64_t>(row.size()));
      if (counts_alone) continue;
      order.resize(row.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::sort(order, {}, [&](std::size_t k) { return row.voxel[k]; });
      for (const std::size_t k : order) {
        out.index.push_back(static_cast<int>(row.voxel[k]));
        out.weight.push_back(static_cast<float>(row.weight[k]));
      }
    }
  return out;
}

/// Calls use(i, rows) for the views in order; several are computed at a time.
template <class Use>
void for_views(const Projector& A, std::span<const int> views, bool counts_alone, const Use& use) {
  const auto at_once = static_cast<std::size_t>(cpu_threads());
  for (std::size_t first = 0; first < views.size(); first += at_once) {
    A.give_way();
    const std::size_t count = std::min(at_once, views.size() - first);
    std::vector<HostRows> rows(count);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < count; ++i)
      rows[i] = rows_of_view(A, views[first + i], counts_alone);
    for (std::size_t i = 0; i < count; ++i) use(first + i, rows[i]);
  }
}

}  // namespace

DeviceCsr stored_rows(const CudaBackend& cuda, const Projector& A, std::span<const int> views) {
  std::vector<std::int64_t> counts, first_of_view(1, 0);
  for_views(A, views, true, [&](std::size_t, const HostRows& rows) {
    counts.insert(counts.end(), rows.count.begin(), rows.count.end());
    first_of_view.push_back(
        std::accumulate(rows.count.begin(), rows.count.end(), first_of_view.back()));
  });
  counts.push_back(0);
  DeviceCsr matrix = make_device_csr(
      cuda, static_cast<std::int64_t>(counts.size()) - 1,
      static_cast<std::int64_t>(A.domain_size()),
      DeviceBuffer<std::int64_t>(cuda, std::span<const std::int64_t>(counts), "a stored matrix"));
  for_views(A, views, false, [&](std::size_t i, const HostRows& rows) {
    if (rows.index.empty()) return;
    cuda.upload_bytes(rows.index.data(), matrix.index.data() + first_of_view[i],
                      rows.index.size() * sizeof(int));
    cuda.upload_bytes(rows.weight.data(), matrix.weight.data() + first_of_view[i],
                      rows.weight.size() * sizeof(float));
  });
  return matrix;
}

}  // namespace gantry
