#pragma once

#include "core/base/params.hpp"
#include "core/priors/prior.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// The potential of the q-generalised Gaussian Markov random field with p = 2 (Thibault, Sauer,
/// Bouman and Hsieh, Med. Phys. 34 (2007) 4526, equation 9), here with curvature 1 at 0:
///   rho(t) = t^2 / 2 / (1 + u),   u = |t / edge|^(2 - q),
///   influence(t) = rho'(t) / t = (1 + u q / 2) / (1 + u)^2.
/// Below the edge height rho is a parabola, which smooths noise; above it rho grows as |t|^q, which
/// preserves edges. rho is convex for 1 <= q <= 2. The influence decreases with |t|, so that rho(t)
/// + rho'(t) (s - t) + influence(t) (s - t)^2 / 2 is nowhere below rho(s).
struct QggmrfShape {
  double q = 1.2;
  double edge = 2e-4;  ///< 1/mm

  double value(double t) const;
  double influence(double t) const;
};

/// A step from a voxel to a neighbour, and the weight of the pair.
struct NeighbourPair {
  int dx = 0, dy = 0, dz = 0;
  double weight = 0;
};
/// Returns one of each two opposite steps to the 26 neighbours of a voxel (8 in a single slice).
/// Weights are proportional to 1 / distance; over all neighbours of a voxel they add up to 1.
std::vector<NeighbourPair> neighbour_pairs(const VolumeGrid& grid);

/// Makes R(x) = sum over pairs {j, k} of neighbours of b_jk rho(x_j - x_k), in the memory of the
/// CPU. Throws UsageError on another backend.
std::unique_ptr<Prior> make_qggmrf(Backend& backend, const VolumeGrid& grid,
                                   const QggmrfShape& shape);

inline constexpr PriorTraits qggmrf_traits{.has_gradient = true, .degree = 2};
std::vector<ParamSpec> qggmrf_params();
QggmrfShape qggmrf_shape(const Params& params);
std::unique_ptr<Prior> make_qggmrf_prior(Backend& backend, const VolumeGrid& grid,
                                         const Params& params);

}  // namespace gantry
