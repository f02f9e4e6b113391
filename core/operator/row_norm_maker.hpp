#pragma once

#include "core/operator/projector.hpp"

#include <functional>
#include <vector>

namespace gantry {

/// Computes ||a_i||^2 of all rays of some views, [view of the list][cell]. Throws Interrupted when
/// asked to give way.
using RowNormMaker =
    std::function<std::vector<float>(const Projector& A, const std::vector<int>& views)>;

/// On the host, from the projector's single weights.
std::vector<float> squared_row_norms_on_host(const Projector& A, const std::vector<int>& views);

/// inverse_squared_row_norms (row_norms.hpp) with norms that are made elsewhere.
Array inverse_squared_row_norms_by(const Projector& A, const RowNormMaker& norms);

}  // namespace gantry
