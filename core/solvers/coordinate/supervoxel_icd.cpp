#include "core/solvers/coordinate/supervoxel_icd.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/coordinate/coordinate_descent.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <random>
#include <utility>

namespace gantry {

namespace {

constexpr int most_at_once = 256, usual_most_at_once = 128;

/// With zeros passed over, every so-many-th iteration still visits all voxels.
constexpr std::int64_t full_every = 10;

struct Options {
  int side = 16, height = 8, at_once = 0;
  bool skip_zeros = true;
  std::uint64_t seed = 1;
  int ray_copies = 1;  ///< ray vectors whose memory the copies of a batch take
};

class SupervoxelIcd final : public CoordinateDescent {
 public:
  SupervoxelIcd(Options options, CoordinateStart start)
      : CoordinateDescent(supervoxel_icd_traits, std::move(start)), options_(options) {}

  /// Images: x, the curvature, the gradient and the curvature of the prior. Rays: b - A x. The
  /// copies of a batch are no arrays of the backend.
  SolverMemory memory(const OperatorMemory& A) const override {
    const auto copies = static_cast<std::size_t>(options_.ray_copies);
    return {4, 1, A.product_bytes + A.columns_bytes + copies * A.range_size() * sizeof(float)};
  }

 private:
  void do_init() override;
  StepReport do_step() override;
  int at_once() const;
  std::vector<std::string> notes() const override;

  Options options_;
  std::array<int, 3> side_{1, 1, 1};
  std::vector<std::uint32_t> order_;
  Array curvature_;
};

void SupervoxelIcd::do_init() {
  begin(2);
  const VolumeGrid& grid = columns().grid();
  side_ = {std::min(options_.side, grid.nx), std::min(options_.side, grid.ny),
           std::min(options_.height, grid.nz)};
  order_.resize(SuperVoxels::count(grid, side_));
  curvature_ = image();
  compute_squares(curvature_);
  begin_residual();
}

/// Returns the number of super-voxels of a batch: so many that about one of them lies on each ray,
/// if the option leaves it open, and at most twice as many, since more overshoot together. A ray
/// crosses about 1.3 times as many as lie along an axis.
int SupervoxelIcd::at_once() const {
  const VolumeGrid& grid = columns().grid();
  const double along =
      std::max({1.0 * grid.nx / side_[0], 1.0 * grid.ny / side_[1], 1.0 * grid.nz / side_[2]});
  const int usual = std::clamp(static_cast<int>(static_cast<double>(order_.size()) / (1.3 * along)),
                               1, usual_most_at_once);
  return options_.at_once > 0 ? std::min(options_.at_once, 2 * usual) : usual;
}

std::vector<std::string> SupervoxelIcd::notes() const {
  std::vector<std::string> notes = CoordinateDescent::notes();
  if (const int most = at_once(); options_.at_once > most)
    notes.push_back(std::to_string(most) + " super-voxels are changed at once instead of " +
                    std::to_string(options_.at_once) + ", which would overshoot");
  return notes;
}

/// Whether an iteration, 1 for the first, visits all voxels: the first does, since all may be 0,
/// and some later ones, since a voxel that is 0 among zeros would else stay 0 where the minimum is
/// not.
bool visits_all(std::int64_t iteration) { return iteration == 1 || iteration % full_every == 0; }

// The order of a step and whether it passes over zeros follow from its number, so that a run that
// continues from a checkpoint goes on as it would have.
StepReport SupervoxelIcd::do_step() {
  begin_step();
  std::iota(order_.begin(), order_.end(), 0U);
  std::mt19937_64 random(options_.seed + static_cast<std::uint64_t>(done()));
  for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random() % i]);
  const CoordinateStep step = step_of(curvature_, true);
  const bool skip_zeros =  // which without the bound 0 would only be values like others
      options_.skip_zeros && step.low == 0 && !visits_all(done() / steps_per_iteration() + 1);
  return end_step(
      columns().descend(step, colour(), {side_, order_, at_once(), skip_zeros}, x_, residual()));
}

ParamSpec size_param(const char* key, const char* label, std::int64_t fallback, const char* help) {
  return {.key = key,
          .label = label,
          .unit = "voxels",
          .fallback = fallback,
          .min = 1,
          .max = 64,
          .step = 1,
          .help = help};
}

}  // namespace

std::vector<ParamSpec> supervoxel_icd_params() {
  ParamSpec relaxation = relaxation_param(1.0);
  relaxation.help =
      "Fraction of the correction that is applied; smaller values give less noise per iteration. "
      "Above 1 super-voxels that are changed at the same time may overshoot together.";
  return {size_param("side", "Side", 16, "Width and depth of a super-voxel."),
          size_param("height", "Height", 8, "Height of a super-voxel."),
          {.key = "at_once",
           .label = "At once",
           .unit = "super-voxels",
           .fallback = std::int64_t{0},
           .min = 0,
           .max = most_at_once,
           .step = 1,
           .help = "Super-voxels that are changed at the same time; at most twice as many as lie "
                   "apart are, since more overshoot together. 0: as many as lie apart.",
           .least_means = "as many as lie apart"},
          {.key = "skip_zeros",
           .label = "Skip zeros",
           .unit = "",
           .fallback = true,
           .help = "From the second iteration on, passes over voxels that are 0 and whose "
                   "neighbours are 0, as published, except in every tenth iteration. Saves time in "
                   "air. Before the tenth iteration the objective may be 1 % higher than without; "
                   "from the twentieth on both are the same."},
          order_seed_param(),
          filtered_start_param(),
          relaxation,
          nonnegative_param()};
}

namespace {

Options options_of(const Params& params) {
  Options options;
  options.side = static_cast<int>(params.integer("side"));
  options.height = static_cast<int>(params.integer("height"));
  options.at_once = static_cast<int>(params.integer("at_once"));
  options.skip_zeros = params.flag("skip_zeros");
  options.seed = static_cast<std::uint64_t>(params.integer("seed"));
  return options;
}

}  // namespace

// On a GPU, a copy has only the rays that its super-voxel meets.
std::unique_ptr<Solver> make_supervoxel_icd_with(const Params& params, FilteredSumMaker make_sum) {
  return std::make_unique<SupervoxelIcd>(options_of(params),
                                         coordinate_start(params, std::move(make_sum)));
}

std::unique_ptr<Solver> make_supervoxel_icd(const Params& params) {
  Options options = options_of(params);
  // Each thread has 5 bytes per ray, and the changes that a batch lists, of 16 bytes, are about as
  // many as the rays, on each of which lies about one super-voxel of the batch.
  options.ray_copies = (5 * cpu_threads() + 3) / 4 + 4;
  return std::make_unique<SupervoxelIcd>(options, coordinate_start(params, make_cpu_filtered_sum));
}

}  // namespace gantry
