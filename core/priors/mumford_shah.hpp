#pragma once

#include "core/base/params.hpp"
#include "core/priors/prior.hpp"

#include <memory>
#include <vector>

namespace gantry {

// The Mumford-Shah functional (Commun. Pure Appl. Math. 42 (1989) 577), which smooths inside
// regions, and charges for the edges between them by their length instead of their height:
//   MS(x, K) = beta integral outside K of |grad x|^2 + lambda length(K).
// With the threshold tau, the height of a difference (1/mm) from which an edge is cheaper than a
// slope, and beta = 1/2, there are two discrete forms. Both are not convex: a run finds the minimum
// near its start.

/// The weak membrane of Blake and Zisserman (Visual Reconstruction (1987), chapter 3), in which the
/// edges have been eliminated: R(x) = 1/2 sum_j min(|(grad x)_j|^2, tau^2).
inline constexpr PriorTraits weak_membrane_traits{
    .has_gradient = true, .is_convex = false, .degree = 2};
std::vector<ParamSpec> weak_membrane_params();
std::unique_ptr<Prior> make_weak_membrane(Backend& backend, const VolumeGrid& grid,
                                          const Params& params);

/// The form of Ambrosio and Tortorelli (Boll. Un. Mat. Ital. 6-B (1992) 105) with an edge field v
/// in (0, 1], which is near 0 on edges:
///   R(x) = 1/2 sum_j [ v_j^2 |(grad x)_j|^2 + tau^2 (1 - v_j)^2 + 4 eps^2 tau^2 |(grad v)_j|^2 ],
/// eps the width of edges in voxels. In the printed parameters this is beta = 1/2 and lambda =
/// 2 eps tau^2. Where v is stationary and eps small, v = tau^2 / (tau^2 + |grad x|^2).
/// adapt_edges() minimises over v by sweeps of Gauss and Seidel over the voxels of even and of odd
/// index sum, each of which lowers R.
inline constexpr PriorTraits ambrosio_tortorelli_traits{
    .has_gradient = true, .is_convex = false, .has_edges = true, .degree = 2};
std::vector<ParamSpec> ambrosio_tortorelli_params();
std::unique_ptr<Prior> make_ambrosio_tortorelli(Backend& backend, const VolumeGrid& grid,
                                                const Params& params);

/// Returns tau in 1/mm.
double edge_threshold(const Params& params);

/// The sweeps over the edge field in one call of adapt_edges().
inline constexpr int edge_sweeps = 10;

}  // namespace gantry
