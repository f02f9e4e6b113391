#include "core/alignment/coarse_scan.hpp"

#include <cstddef>

namespace gantry {

CoarseScan coarse_scan(const ScanGeometry& geometry, std::span<const float> line_integrals,
                       CellBinning binning, int most_views) {
  const ScanSpec& spec = geometry.spec();
  CoarseScan coarse{with_binned_cells(spec, binning), {}};
  coarse.spec.view_angles_rad.clear();
  const auto whole =
      static_cast<std::size_t>(coarse.spec.detector_rows * binning.rows * spec.detector_columns);
  const int every = (geometry.views() + most_views - 1) / most_views;
  for (int view = 0; view < geometry.views(); view += every) {
    coarse.spec.view_angles_rad.push_back(geometry.angle_rad(view));
    const auto means =
        bin_cells(line_integrals.subspan(static_cast<std::size_t>(view) * geometry.cells(), whole),
                  spec, binning);
    coarse.values.insert(coarse.values.end(), means.begin(), means.end());
  }
  return coarse;
}

}  // namespace gantry
