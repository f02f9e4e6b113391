#pragma once

#include "core/matrix/symmetric/scsr_sample.hpp"
#include "core/matrix/symmetric/scsr_stored_views.hpp"

namespace gantry {

/// Precision of the stored weights: float32, or half precision in a unit for each view.
enum class ScsrWeights { float32, compact };

/// Builds the stored views, or the first `most_rows` detector rows of each, as CSR cut into bands
/// of consecutive voxels: matrix columns are counted in 16 bits within a band, and the band's part
/// of the vectors stays in the cache while all views are processed.
std::unique_ptr<const ScsrStoredViews> make_scsr_bands(const Projector& weights,
                                                       const std::vector<int>& stored_views,
                                                       ScsrWeights kind, int most_rows = every_row);

/// Returns the bytes of the bands of `views` stored views, of whose matrix rows `sample` are some.
double scsr_bands_bytes(const ScsrSample& sample, std::size_t views, std::size_t voxels,
                        ScsrWeights kind);

}  // namespace gantry
