#include "core/priors/dual_projection.hpp"

#include "core/priors/differences.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

DualProjection::DualProjection(const PriorTraits& traits, Backend& backend, const VolumeGrid& grid,
                               double edge)
    : Prior(traits),
      backend_(backend),
      dual_size_(static_cast<std::size_t>(difference_axes(grid)) * grid.voxels()),
      edge_(edge),
      norm_square_(0) {
  // Bounds |grad|^2 by the sum of 4 c_a^2: the differences along one axis have at most the norm 2
  // c_a.
  const auto weights = difference_weights(grid);
  for (int a = 0; a < difference_axes(grid); ++a)
    norm_square_ += 4 * weights[static_cast<std::size_t>(a)] * weights[static_cast<std::size_t>(a)];
}

void DualProjection::do_proximal(const ProximalTask& task, Array& dual, Array& x) {
  if (extrapolated_.empty()) extrapolated_ = Array(backend_, dual_size_);
  constexpr double largest_step = 1e15;  // for a tiny weight: squares stay finite
  const double exact_step = std::min(largest_step, 1 / (task.weight * norm_square_ + edge_));
  const auto step = static_cast<float>(exact_step),
             keep = static_cast<float>(1 - exact_step * edge_);
  backend_.copy(dual, extrapolated_);
  double t = 1;
  for (int k = 0; k < task.iterations && task.weight > 0; ++k) {
    const double next_t = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
    primal(task, extrapolated_, x);
    task.check_interrupt();
    ascend(x, step, keep, static_cast<float>((t - 1) / next_t), dual, extrapolated_);
    task.check_interrupt();
    t = next_t;
  }
  primal(task, dual, x);
}

}  // namespace gantry
