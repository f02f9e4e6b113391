#pragma once

#include "core/operator/projector.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

// Sums over the single weights of a projector, from its RowSource: views in parallel, the same on
// any number of threads. All throw Interrupted when asked to give way.

/// A as a projector that gives its single weights to the CPU. Throws UsageError when it does not.
const Projector& require_single_weights(const LinearOperator& A);
/// The same on any backend, for methods that go through the weights on the host before they start.
const Projector& require_row_norms(const LinearOperator& A);
/// The single weights of an exact pair on any backend, for a matrix to be made of them. Throws
/// UsageError for a projector that does not give them.
const RowSource& require_row_source(const Projector& projector);

/// A ray that hardly grazes the volume says nothing about it, yet its deviation divided by its
/// small norm would be huge: rows whose squared norm is below this fraction of the mean count as
/// zero.
constexpr double negligible_squared_norm = 1e-6;

/// The mean of ||a_i||^2 over the rays of some views that hit the volume; 0 when none does.
double mean_squared_row_norm(const Projector& A, ViewSubset views);

/// n_j: how many rays hit voxel j.
std::vector<std::uint32_t> column_counts(const Projector& A);

/// 1 / sum_j n_j a_ij^2 for every ray, with n_j = 1 where `counts` is empty; 0 where the sum is
/// zero or negligible. Computed on the host, and an array of the projector's backend.
Array inverse_squared_row_norms(const Projector& A, std::span<const std::uint32_t> counts = {});

}  // namespace gantry
