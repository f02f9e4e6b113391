#include "core/solvers/coordinate/supervoxel_icd.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/coordinate/coordinate_descent.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <random>
#include <span>
#include <utility>

namespace gantry {

namespace {

constexpr int most_at_once = 256, usual_most_at_once = 128;

/// Every so-many-th iteration visits all voxels, whether or not zeros are passed over and changing
/// super-voxels preferred.
constexpr std::int64_t full_every = 10;

/// The passes of an iteration where changing super-voxels are preferred, each over a fifth of all.
constexpr int passes_with_preference = 5;
constexpr std::uint32_t least_for_preference = 25;  // super-voxels

struct Options {
  int side = 16, height = 8, at_once = 0;
  bool skip_zeros = true, prefer_changing = true;
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
  int steps_per_iteration() const override {
    return passes_ * CoordinateDescent::steps_per_iteration();
  }
  CarriedState carried() override {
    chosen_pass_ = -1;  // a state may be given back
    CarriedState state = CoordinateDescent::carried();
    state.arrays.insert(state.arrays.end(), {&ranked_, &changed_});
    return state;
  }
  std::vector<std::uint32_t> permutation(std::uint64_t seed) const;
  std::vector<std::uint32_t> part_of(std::vector<std::uint32_t> order, int part) const;
  std::vector<std::uint32_t> most_changed() const;
  std::vector<std::uint32_t> chosen_in(std::int64_t pass) const;
  std::vector<std::uint32_t> order_of_step();
  void note_changes(std::span<const std::uint32_t> order, std::span<const double> squares);
  bool visits_all() const;

  Options options_;
  std::array<int, 3> side_{1, 1, 1};
  std::uint32_t super_voxels_ = 0;
  int passes_ = 1;  ///< of an iteration
  /// Sums of squared changes of each super-voxel in the pass that visited it last: as they were
  /// when the present pass began, and as they are now.
  Array ranked_, changed_;
  std::vector<std::uint32_t> chosen_;  // the super-voxels of chosen_pass_
  std::int64_t chosen_pass_ = -1;
  Array curvature_;
};

void SupervoxelIcd::do_init() {
  begin(2);
  const VolumeGrid& grid = columns().grid();
  side_ = {std::min(options_.side, grid.nx), std::min(options_.side, grid.ny),
           std::min(options_.height, grid.nz)};
  super_voxels_ = SuperVoxels::count(grid, side_);
  passes_ = options_.prefer_changing && super_voxels_ >= least_for_preference
                ? passes_with_preference
                : 1;
  ranked_ = Array(backend(), super_voxels_);
  changed_ = Array(backend(), super_voxels_);
  chosen_pass_ = -1;
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
  const int usual = std::clamp(static_cast<int>(static_cast<double>(super_voxels_) / (1.3 * along)),
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

/// Whether the present iteration visits all voxels: the first does, since all may be 0, and some
/// later ones, since a voxel that is 0 among zeros would else stay 0 where the minimum is not.
bool SupervoxelIcd::visits_all() const {
  const std::int64_t iteration = done() / steps_per_iteration() + 1;
  return iteration == 1 || iteration % full_every == 0;
}

std::vector<std::uint32_t> shuffled(std::vector<std::uint32_t> order, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

std::vector<std::uint32_t> SupervoxelIcd::permutation(std::uint64_t seed) const {
  std::vector<std::uint32_t> order(super_voxels_);
  std::iota(order.begin(), order.end(), 0U);
  return shuffled(std::move(order), seed);
}

/// Returns the part of an order that one of the passes of an iteration visits.
std::vector<std::uint32_t> SupervoxelIcd::part_of(std::vector<std::uint32_t> order,
                                                  int part) const {
  const auto before = [&](int parts) {
    return order.begin() + static_cast<std::ptrdiff_t>(order.size()) * parts / passes_;
  };
  return {before(part), before(part + 1)};
}

/// Returns the fifth of the super-voxels whose last changes were the largest, in the order of their
/// numbers; of equal changes the lower number counts.
std::vector<std::uint32_t> SupervoxelIcd::most_changed() const {
  const std::vector<float> square = ranked_.to_host();
  std::vector<std::uint32_t> order(super_voxels_);
  std::iota(order.begin(), order.end(), 0U);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(order.size()) / passes_;
  std::ranges::nth_element(order, end, [&](std::uint32_t a, std::uint32_t b) {
    return square[a] != square[b] ? square[a] > square[b] : a < b;
  });
  order.erase(end, order.end());
  std::ranges::sort(order);
  return order;
}

/// Returns the super-voxels that a pass visits. The first pass of an iteration that visits all has
/// all of them, and its other passes none.
std::vector<std::uint32_t> SupervoxelIcd::chosen_in(std::int64_t pass) const {
  const std::int64_t nth = pass % passes_;
  if (visits_all() && nth > 0) return {};
  if (passes_ == 1 || visits_all()) {
    std::vector<std::uint32_t> all(super_voxels_);
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }
  if (nth % 2 == 0) return most_changed();
  // The passes of random parts visit all parts of one permutation before those of the next.
  const std::int64_t of_random = pass / passes_ * (passes_ / 2) + nth / 2;
  return part_of(permutation(options_.seed + static_cast<std::uint64_t>(of_random / passes_)),
                 static_cast<int>(of_random % passes_));
}

// The order of a step follows from its number and from the carried state, so that a run that
// continues from a checkpoint goes on as it would have.
std::vector<std::uint32_t> SupervoxelIcd::order_of_step() {
  const int colours = CoordinateDescent::steps_per_iteration();
  const std::int64_t pass = done() / colours;
  if (pass != chosen_pass_) {
    if (done() % colours == 0) backend().copy(changed_, ranked_);
    chosen_ = chosen_in(pass);
    chosen_pass_ = pass;
  }
  return shuffled(chosen_, options_.seed + static_cast<std::uint64_t>(done()));
}

StepReport SupervoxelIcd::do_step() {
  const std::vector<std::uint32_t> order = order_of_step();
  if (order.empty()) return end_step(0);
  begin_step();
  const CoordinateStep step = step_of(curvature_, true);
  const bool skip_zeros =  // which without the bound 0 would only be values like others
      options_.skip_zeros && step.low == 0 && !visits_all();
  std::vector<double> squares(order.size());
  const double square = columns().descend(
      step, colour(), {side_, order, at_once(), skip_zeros, squares}, x_, residual());
  note_changes(order, squares);
  return end_step(square);
}

/// Adds the changes of a step to those of its pass.
void SupervoxelIcd::note_changes(std::span<const std::uint32_t> order,
                                 std::span<const double> squares) {
  if (passes_ == 1) return;
  std::vector<float> changed = changed_.to_host();
  const bool begins = done() % CoordinateDescent::steps_per_iteration() == 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    float& sum = changed[order[k]];
    sum = (begins ? 0.0F : sum) + static_cast<float>(squares[k]);
  }
  backend().upload(changed.data(), changed_.data(), changed.size());
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
          {.key = "prefer_changing",
           .label = "Prefer changes",
           .unit = "",
           .fallback = true,
           .help = "From the second iteration on, most visits go to the fifth of the super-voxels "
                   "that changed the most, as published; every tenth iteration visits all alike."},
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
  options.prefer_changing = params.flag("prefer_changing");
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
