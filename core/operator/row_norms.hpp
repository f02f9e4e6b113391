#pragma once

#include "core/operator/projector.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gantry {

// Sums over the single weights of a projector, from its RowSource. Views are processed in parallel;
// results do not depend on the number of threads. All functions throw Interrupted.

/// Returns A as a projector on any backend that has single weights, for methods that read the
/// weights on the host before they start. Throws UsageError if A has none.
const Projector& require_row_norms(const LinearOperator& A);
/// Returns the single weights of an exact pair on any backend, for building a matrix. Throws
/// UsageError if the projector has none.
const RowSource& require_row_source(const Projector& projector);

/// Rows whose squared norm is below this fraction of the mean count as zero. A ray that only grazes
/// the volume tells little about it, but division by its small norm would make its correction huge.
constexpr double negligible_squared_norm = 1e-6;

/// Returns the mean of ||a_i||^2 over those rays of the views that hit the volume; 0 if none does.
double mean_squared_row_norm(const Projector& A, ViewSubset views);

/// Returns n_j for each voxel: the number of rays that hit voxel j.
std::vector<std::uint32_t> column_counts(const Projector& A);

/// Returns 1 / sum_j n_j a_ij^2 for every ray, as an array on the projector's backend, computed on
/// the host. n_j = 1 if `counts` is empty. 0 if the sum is zero or negligible.
Array inverse_squared_row_norms(const Projector& A, std::span<const std::uint32_t> counts = {});

/// Returns ||a_i||^2 of all rays of the given views, [index in the list][cell]. Throws Interrupted.
using RowNormMaker =
    std::function<std::vector<float>(const Projector& A, const std::vector<int>& views)>;

/// Computes the norms on the host, from the projector's single weights.
std::vector<float> squared_row_norms_on_host(const Projector& A, const std::vector<int>& views);

/// Does what inverse_squared_row_norms (row_norms.hpp) does, with norms computed by `norms`.
Array inverse_squared_row_norms_by(const Projector& A, const RowNormMaker& norms);

}  // namespace gantry
