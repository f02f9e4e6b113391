#pragma once

#include "core/operator/projector.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

/// Rays that the threads of a warp trace together; never divided among the batches of an iteration.
inline constexpr std::size_t rays_of_warp = 32;

/// The orders in which stochastic gradient descent visits the rays:
///   natural, golden:  patches of 8 x 4 neighbouring cells, the views in that order;
///   random:           the same patches in random order;
///   mapped:           the warps of the thread mapping (core/mapping), the views in golden order;
///   numbered:         as the data lie in memory, which is print's default mapping;
///   scattered:        single rays in random order, which is print's random mapping.
enum class RayOrder { natural, golden, random, mapped, numbered, scattered };

/// Returns the order of a name; the name must be one of the above.
RayOrder ray_order(const std::string& name);

/// Returns all rays of a projector in an order. `note` says where a thread mapping came from.
/// Throws Interrupted.
std::vector<std::uint32_t> ordered_rays(const Projector& A, RayOrder order, std::uint64_t seed,
                                        std::string& note);

}  // namespace gantry
