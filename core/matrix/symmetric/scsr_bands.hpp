#pragma once

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

/// Returns the expected bytes of the bands for `nonzeros` nonzeros in `rows` matrix rows, the
/// longest of which has `longest_row` nonzeros.
double scsr_bands_bytes(double nonzeros, double rows, double longest_row, std::size_t voxels,
                        ScsrWeights kind);

}  // namespace gantry
