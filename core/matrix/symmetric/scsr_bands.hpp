#pragma once

#include "core/matrix/symmetric/scsr_stored_views.hpp"

namespace gantry {

enum class ScsrWeights { float32, compact };

/// The stored views, or the first rows of their detector, as CSR rows cut at bands of voxels:
/// within a band 16 bits count columns, and the band's vectors stay in the cache while all views
/// pass.
std::unique_ptr<const ScsrStoredViews> make_scsr_bands(const Projector& weights,
                                                       const std::vector<int>& stored_views,
                                                       ScsrWeights kind, int most_rows = every_row);

/// Bytes that it will take of so many nonzeros in so many rows.
double scsr_bands_bytes(double nonzeros, double rows, double longest_row, std::size_t voxels,
                        ScsrWeights kind);

}  // namespace gantry
