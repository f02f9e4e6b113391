#include "core/operator/view_columns.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/operator/row_norms.hpp"

#include <algorithm>

namespace gantry {

ViewColumns columns_of_slices(const Projector& projector, const SliceColumns& slices) {
  ViewColumns out;
  out.start.reserve(projector.domain_size() + 1);
  out.start.push_back(0);
  constexpr std::size_t usual_cells = 3;  // of a voxel
  out.cell.reserve(usual_cells * projector.domain_size());
  out.weight.reserve(usual_cells * projector.domain_size());
  for (int iz = 0; iz < projector.grid().nz && !projector.interrupted(); ++iz)
    slices.append(iz, out);
  return out;
}

namespace {

ViewColumns columns_of_rays(const Projector& projector, const ViewRows& rows) {
  std::vector<std::uint32_t> voxel;
  std::vector<float> weight;
  const ScanGeometry& scan = projector.geometry();
  ViewColumns out;
  out.start.resize(projector.domain_size() + 1);
  std::vector<std::size_t> ray_end;
  RowWeights row;
  for (int v = 0; v < scan.rows(); ++v)
    for (int u = 0; u < scan.columns() && !projector.interrupted(); ++u) {
      rows.weights(u, v, row);
      for (std::size_t k = 0; k < row.size(); ++k) {
        voxel.push_back(static_cast<std::uint32_t>(row.voxel[k]));
        weight.push_back(static_cast<float>(row.weight[k]));
        ++out.start[row.voxel[k] + 1];
      }
      ray_end.push_back(voxel.size());
    }
  for (std::size_t j = 0; j + 1 < out.start.size(); ++j) out.start[j + 1] += out.start[j];
  out.cell.resize(voxel.size());
  out.weight.resize(voxel.size());
  std::vector<std::size_t> next(out.start.begin(), out.start.end() - 1);
  for (std::size_t ray = 0, k = 0; ray < ray_end.size(); ++ray)
    for (; k < ray_end[ray]; ++k) {
      const std::size_t at = next[voxel[k]]++;
      out.cell[at] = static_cast<std::uint32_t>(ray);
      out.weight[at] = weight[k];
    }
  return out;
}

}  // namespace

ViewColumns view_columns(const Projector& projector, const ViewRows& rows) {
  const auto slices = rows.slice_columns();
  return slices != nullptr ? columns_of_slices(projector, *slices)
                           : columns_of_rays(projector, rows);
}

void for_batches_of_views(
    const Projector& projector,
    const std::function<void(int first, const std::vector<ViewColumns>& views)>& use) {
  constexpr int of_all = 8;  // a batch holds at most this part of the views
  const int count = projector.views(),
            at_once = std::clamp(cpu_threads(), 1, std::max(1, count / of_all));
  const RowSource& source = require_row_source(projector);
  for (int first = 0; first < count; first += at_once) {
    std::vector<ViewColumns> views(static_cast<std::size_t>(std::min(at_once, count - first)));
    ParallelErrors errors;
#pragma omp parallel for schedule(static, 1)
    for (std::size_t v = 0; v < views.size(); ++v)
      errors.run([&] {
        views[v] = view_columns(projector, *source.view_rows(first + static_cast<int>(v)));
      });
    errors.rethrow();
    projector.check_interrupt();
    use(first, views);
  }
}

}  // namespace gantry
