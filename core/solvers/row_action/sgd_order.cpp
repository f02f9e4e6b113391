#include "core/solvers/row_action/sgd_order.hpp"

#include "core/base/named_value.hpp"
#include "core/mapping/mapping_cache.hpp"
#include "core/solvers/row_action/ray_order.hpp"
#include "core/solvers/view_order.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>

namespace gantry {

namespace {

/// Returns all rays in patches of neighbours within each view, view after view.
std::vector<std::uint32_t> patched_rays(const Projector& A, ViewOrder order, std::uint64_t seed) {
  const auto cells = static_cast<std::uint32_t>(A.cells_per_view());
  const std::vector<std::uint32_t> patches =
      rays_by_patches(A.geometry().columns(), A.geometry().rows());
  std::vector<std::uint32_t> rays;
  rays.reserve(A.range_size());
  for (const int view : visiting_order(order, A.views(), seed, 0))
    for (const std::uint32_t cell : patches)
      rays.push_back(static_cast<std::uint32_t>(view) * cells + cell);
  return rays;
}

/// Returns the rays in the warps of a thread mapping, the views in golden order.
std::vector<std::uint32_t> mapped_rays(const Projector& A, const ThreadMapping& mapping,
                                       std::uint64_t seed) {
  std::vector<std::uint32_t> rays;
  rays.reserve(mapping.rays.size());
  for (const int view : visiting_order(ViewOrder::golden, A.views(), seed, 0)) {
    const auto v = static_cast<std::size_t>(view);
    rays.insert(rays.end(),
                mapping.rays.begin() + static_cast<std::ptrdiff_t>(mapping.first_of_view[v]),
                mapping.rays.begin() + static_cast<std::ptrdiff_t>(mapping.first_of_view[v + 1]));
  }
  return rays;
}

/// Returns the rays in groups of `of_group` successive ones in random order; the last group may be
/// smaller.
std::vector<std::uint32_t> shuffled(const std::vector<std::uint32_t>& rays, std::size_t of_group,
                                    std::uint64_t seed) {
  std::vector<std::size_t> groups((rays.size() + of_group - 1) / of_group);
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  for (std::size_t i = groups.size(); i > 1; --i) std::swap(groups[i - 1], groups[random() % i]);
  std::vector<std::uint32_t> result;
  result.reserve(rays.size());
  for (const std::size_t group : groups)
    for (std::size_t k = group * of_group; k < std::min(rays.size(), (group + 1) * of_group); ++k)
      result.push_back(rays[k]);
  return result;
}

std::vector<std::uint32_t> numbered_rays(const Projector& A) {
  std::vector<std::uint32_t> rays(A.range_size());
  std::iota(rays.begin(), rays.end(), 0U);
  return rays;
}

}  // namespace

RayOrder ray_order(const std::string& name) {
  return named_value<RayOrder>(name, {{"natural", RayOrder::natural},
                                      {"golden", RayOrder::golden},
                                      {"random", RayOrder::random},
                                      {"mapped", RayOrder::mapped},
                                      {"numbered", RayOrder::numbered},
                                      {"scattered", RayOrder::scattered}});
}

std::vector<std::uint32_t> ordered_rays(const Projector& A, RayOrder order, std::uint64_t seed,
                                        std::string& note) {
  switch (order) {
    case RayOrder::natural:
      return patched_rays(A, ViewOrder::natural, seed);
    case RayOrder::golden:
      return patched_rays(A, ViewOrder::golden, seed);
    case RayOrder::random:
      return shuffled(patched_rays(A, ViewOrder::natural, seed), rays_of_warp, seed);
    case RayOrder::numbered:
      return numbered_rays(A);
    case RayOrder::scattered:
      return shuffled(numbered_rays(A), 1, seed);
    case RayOrder::mapped:
      break;
  }
  KeptMapping kept =
      kept_or_mapped(A, {}, mapping_cache_folder(), [&](double) { A.check_interrupt(); });
  note = std::move(kept.note);
  return mapped_rays(A, kept.mapping, seed);
}

}  // namespace gantry
