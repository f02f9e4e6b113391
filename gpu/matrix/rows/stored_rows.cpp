// Matrix rows that the host computes, in two passes: the first counts the nonzeros of each row, so
// that the second can upload each view to its position in the matrix at once. So only a few views
// are held on the host at a time.
#include "core/matrix/rows/view_csr.hpp"
#include "gpu/matrix/rows/device_rows.hpp"

#include <numeric>

namespace gantry {

DeviceCsr stored_rows(const CudaBackend& cuda, const Projector& weights,
                      const std::vector<int>& views, int detector_rows) {
  const std::size_t cells = static_cast<std::size_t>(detector_rows) *
                            static_cast<std::size_t>(weights.geometry().columns());
  std::vector<std::int64_t> counts(views.size() * cells + 1, 0), first(views.size() + 1, 0);
  for_each_view_csr(
      weights, views,
      [&](std::size_t i, const ViewCsr& rows) {
        for (std::size_t cell = 0; cell < cells; ++cell)
          counts[i * cells + cell] = rows.row_start[cell + 1] - rows.row_start[cell];
        first[i + 1] = static_cast<std::int64_t>(rows.nonzeros());
      },
      detector_rows);
  std::partial_sum(first.begin(), first.end(), first.begin());
  DeviceCsr matrix = make_device_csr(
      cuda, static_cast<std::int64_t>(views.size() * cells),
      static_cast<std::int64_t>(weights.domain_size()),
      DeviceBuffer<std::int64_t>(cuda, std::span<const std::int64_t>(counts), "a stored matrix"));
  for_each_view_csr(
      weights, views,
      [&](std::size_t i, const ViewCsr& rows) {
        if (rows.nonzeros() == 0) return;
        cuda.upload_bytes(rows.column.data(), matrix.index.data() + first[i],
                          rows.nonzeros() * sizeof(int));
        cuda.upload_bytes(rows.weight.data(), matrix.weight.data() + first[i],
                          rows.nonzeros() * sizeof(float));
      },
      detector_rows);
  return matrix;
}

}  // namespace gantry
