#include "core/operator/row_norms.hpp"
#include "core/operator/row_source.hpp"
#include "core/solvers/row_action/parallel_art.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/rows/device_rows.hpp"
#include "gpu/matrix/rows/row_norms.cuh"
#include "gpu/matrix/rows/row_norms.hpp"

#include <variant>

namespace gantry {

std::vector<float> squared_row_norms_on_device(const Projector& A, const std::vector<int>& views) {
  if (!is_planar(A.geometry(), A.grid()) || A.row_source() == nullptr ||
      definition_of(*A.row_source()) == RowDefinition::other)
    return squared_row_norms_on_host(A, views);
  const CudaBackend& cuda = cuda_backend(A.backend());
  const DeviceScope scope(cuda.device());
  A.check_interrupt();
  const DeviceRows rows(cuda, A, views);
  const std::size_t count = views.size() * A.cells_per_view();
  DeviceBuffer<float> squares(cuda, count, "norms of rows");
  std::visit(
      [&](const auto& model) {
        // StoredRows occur for other definitions alone, which the host has computed above.
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(model)>, device::StoredRows>)
          device::square_rows<<<blocks(static_cast<std::int64_t>(count), usual_warps),
                                usual_threads, 0, cuda.stream()>>>(model, squares.data());
        check_launch("square_rows");
      },
      rows.model());
  return squares.download();
}

std::unique_ptr<Solver> make_cuda_parallel_art(const Params& params) {
  return make_parallel_art_with(params, squared_row_norms_on_device);
}

}  // namespace gantry
