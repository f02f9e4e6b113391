#include "core/solvers/row_action/sgd.hpp"

#include "core/base/named_value.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/operator/projector.hpp"
#include "core/operator/row_norms.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/penalty.hpp"
#include "core/solvers/printed_rate.hpp"
#include "core/solvers/row_action/sgd_order.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace gantry {

namespace {

constexpr int most_batches = 10000;
constexpr int far_from_full = 10;        // a damping with which a prior hardly acts
constexpr float most_of_object = 0.95F;  // weight of a ray through the object, over the largest

struct Options {
  bool normalised = true, nonnegative = true;
  double relaxation = 0.5;
  PrintedRate printed;
  int batches = 10;
  RayOrder order = RayOrder::golden;
  std::uint64_t seed = 1;
  RowWorkers workers;
};

class Sgd final : public Solver, public CarriesState {
 public:
  explicit Sgd(Options options) : Solver(sgd_traits), options_(std::move(options)) {}

  int steps_per_iteration() const override { return batches_; }
  bool repeatable() const override { return rows_->is_sequential(); }
  std::optional<RelaxationRange> admissible() const override {
    if (!options_.normalised) return std::nullopt;
    return RelaxationRange{options_.relaxation, 2, {}, {}};
  }
  /// Images: x, that of the step, and the prior's gradient, curvature and n. The list of the
  /// rays is as large as a vector of them. Products are computed by init alone, before the last
  /// three images exist. (The capped weights take the memory of the weighted rays, of which SGD has
  /// none.)
  SolverMemory memory(const OperatorMemory& A) const override {
    const std::size_t later = 3 * A.domain_size * sizeof(float);
    return {5, 1, A.held_bytes() + A.scratch_bytes - std::min(A.scratch_bytes, later)};
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = penalty_notes(lambda_, penalty().prior);
    if (!mapping_note_.empty()) notes.push_back(mapping_note_);
    if (!capped_.empty())
      notes.push_back("weights of rays above " + format_param(to_digits(1 / capped_scale_, 3)) +
                      " count as that; the objective that is reported has all weights");
    if (options_.normalised)
      notes.push_back(
          "steps over the squared norms of the rows, at a constant relaxation, end near a minimum "
          "in which a ray counts by one over that norm, not at that of the objective that is "
          "reported; ICD and WLS-PCG reach the latter");
    if (full_batches_ > far_from_full * batches_)
      notes.push_back("the prior is too strong for " + std::to_string(batches_) +
                      (batches_ == 1 ? " batch" : " batches") +
                      ": the objective stays far from its minimum; use a smaller weight or up to " +
                      std::to_string(full_batches_) + " batches");
    if (backend().kind() == BackendKind::cpu && options_.workers != RowWorkers{})
      notes.push_back("worker, writes and variant have no effect on the CPU");
    return notes;
  }
  std::optional<Objective> objective_with(const Array& residual,
                                          double residual_norm) const override {
    return objective_of(residual, residual_norm, weights(), lambda_, penalty().prior, x_);
  }
  CarriedState carried() override {
    CarriedState state{{&x_}, {&done_}};
    carry_edges(lambda_ > 0 ? penalty().prior : nullptr, state);
    return state;
  }

 private:
  void do_init() override;
  StepReport do_step() override;
  void cap_weights();
  void find_full_batches();
  void compute_pull();
  const Projector& projector() const {  // which RowAccess requires
    return dynamic_cast<const Projector&>(A());
  }
  /// Returns gamma of the present iteration, 1/mm^2.
  double rate() const {
    if (!options_.normalised) return options_.printed.at(done_ / batches_, projector().grid());
    return mean_square_ > 0 ? options_.relaxation / mean_square_ : 0;
  }

  Options options_;
  std::unique_ptr<RowAccess> rows_;
  std::unique_ptr<RayList> rays_;
  std::string mapping_note_;
  std::int64_t full_batches_ = 0;  // 0: any number
  double lambda_ = 0, mean_square_ = 0, smallest_ = 0;
  Array capped_;             // min(w_i / cap, 1), of the normalised rule; empty without weights
  double capped_scale_ = 1;  // 1 / cap
  int batches_ = 1, rays_per_voxel_ = 1;
  std::int64_t done_ = 0;                 // steps
  Array next_, pull_, bend_, ray_count_;  // images; ray_count_: n_j
};

void Sgd::do_init() {
  A().check_interrupt();
  rays_ = nullptr;  // free those of an earlier problem first
  rows_ = make_rows(A(), options_.workers);
  rays_ = rows_->list(ordered_rays(projector(), options_.order, options_.seed, mapping_note_));
  mean_square_ = rows_->mean_squared_norm();
  smallest_ = negligible_squared_norm * mean_square_;
  lambda_ = penalty_weight(A(), b(), weights(), penalty());
  cap_weights();
  batches_ = options_.batches;
  full_batches_ = done_ = 0;
  next_ = image();
  if (lambda_ > 0) {
    pull_ = image();
    bend_ = image();
    ray_count_ = image();
    rows_->count_rays(ray_count_);
    const RowAccess::Reach reach = rows_->reach();
    // A ray and its neighbours on one side are about half of those within reach.
    rays_per_voxel_ = (reach.columns + 1) / 2 * ((reach.rows + 1) / 2);
    penalty().prior->start_edges(x_);
    find_full_batches();
  } else {
    for (Array* held : {&pull_, &bend_, &ray_count_}) *held = Array();
  }
}

/// Finds the batches with which the damping of a quadratic prior, see compute_pull(), is about 1 on
/// average. Far fewer leave the prior without effect, as a note says.
void Sgd::find_full_batches() {
  if (penalty().prior->traits().degree != 2) return;
  penalty().prior->gradient(x_, pull_, bend_);
  backend().fill(next_, 1);  // scratch
  const double mean = backend().dot(bend_, next_) / static_cast<double>(bend_.size());
  full_batches_ =
      static_cast<std::int64_t>(std::min(1e9, std::ceil(rate() * capped_scale_ * lambda_ * mean)));
}

/// Divides the weights by that of a usual ray through the object, the median of those that lie
/// below the weight of air, and caps them at 1. Relative to the weight of air, which is 1, rays
/// through the object weigh so little that they would hardly move anything in some tens of
/// iterations.
void Sgd::cap_weights() {
  capped_ = Array();
  capped_scale_ = 1;
  if (!options_.normalised || weights() == nullptr) return;
  std::vector<float> capped = weights()->to_host(), inner;
  const float most = most_of_object * std::ranges::max(capped);
  for (const float weight : capped)
    if (weight > 0 && weight < most) inner.push_back(weight);
  if (inner.empty()) return;
  const auto middle = inner.begin() + static_cast<std::ptrdiff_t>(inner.size() / 2);
  std::ranges::nth_element(inner, middle);
  capped_scale_ = 1.0 / *middle;
  for (float& weight : capped) weight = std::min(1.0F, weight / *middle);
  capped_ = Array::from(backend(), capped);
}

/// Computes gamma lambda g_j / (n_j + (m / 2 + n_j / batches) gamma lambda h_j), with m the number
/// of rays of a view that may weigh the same voxel and h_j the prior's curvature. The term with m
/// keeps these rays from overshooting together. That with the batches keeps the n_j / batches rays
/// of a batch, during which g stays the same, from moving x_j by more than g_j / h_j; it is needed
/// for a prior that grows like a square, since the gradient of other priors is bounded. Both vanish
/// with gamma; with a large gamma, a strong prior acts in full only through many batches.
void Sgd::compute_pull() {
  const double strength = rate() * capped_scale_ * lambda_;
  const bool is_quadratic = penalty().prior->traits().degree == 2;
  penalty().prior->gradient(x_, pull_, bend_);
  if (is_quadratic) {
    backend().copy(bend_, next_);  // scratch: n_j h_j
    backend().multiply(ray_count_, next_);
  }
  backend().axpby(1, ray_count_, static_cast<float>(0.5 * rays_per_voxel_ * strength), bend_);
  if (is_quadratic) backend().axpby(static_cast<float>(strength / batches_), next_, 1, bend_);
  backend().safe_reciprocal(bend_, 0.5F);
  backend().multiply(bend_, pull_);
  backend().axpby(0, pull_, static_cast<float>(strength), pull_);
}

// A step works on a copy of x, so that it can be interrupted and repeated; see Art.
StepReport Sgd::do_step() {
  A().check_interrupt();
  if (lambda_ > 0) compute_pull();
  backend().copy(x_, next_);
  const auto batches = static_cast<std::size_t>(batches_),
             batch = static_cast<std::size_t>(done_) % batches;
  const std::size_t groups = (rays_->size() + rays_of_warp - 1) / rays_of_warp,
                    first = groups * batch / batches * rays_of_warp,
                    last = std::min(rays_->size(), groups * (batch + 1) / batches * rays_of_warp);
  const double residual_square =
      rows_->correct({.b = b(),
                      .weights = capped_.empty() ? weights() : &capped_,
                      .pull = lambda_ > 0 ? &pull_ : nullptr,
                      .normalised = options_.normalised,
                      .step = options_.normalised ? options_.relaxation : rate(),
                      .smallest = smallest_,
                      .low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity()},
                     *rays_, first, last - first, next_);
  std::swap(x_, next_);
  ++done_;
  A().count_applications(2.0 / static_cast<double>(batches));
  if (lambda_ > 0 && done_ % batches_ == 0) penalty().prior->adapt_edges(x_);
  StepReport report;
  report.residual_norm = std::sqrt(residual_square);
  report.update_norm = std::sqrt(backend().residual(x_, next_, nullptr));  // x - x before
  return report;
}

}  // namespace

std::vector<ParamSpec> sgd_params() {
  std::vector<ParamSpec> params = {
      {.key = "rate_rule",
       .label = "Learning rate",
       .unit = "",
       .fallback = std::string("normalised"),
       .choices = {"normalised", "printed"},
       .study_choices = {"printed"},
       .help = "Normalised: the relaxation over the squared norm of the ray's row.",
       .study_help = "Printed: a falling rate for all rays, as published for cuMBIR."},
      relaxation_param(0.5),
      {.key = "order",
       .label = "Ray order",
       .unit = "",
       .fallback = std::string("golden"),
       .choices = {"natural", "golden", "random", "mapped", "numbered", "scattered"},
       .study_choices = {"mapped", "numbered", "scattered"},
       .help = "Golden: consecutive views lie far apart. Natural: as measured. Random: groups of "
               "32 neighbouring rays in random order.",
       .study_help = "Mapped: by cuMBIR's thread mapping, so that rays of a warp weigh no voxel in "
                     "common. Numbered: in the order of the data. Scattered: single rays in random "
                     "order."},
      {.key = "batches",
       .label = "Batches",
       .unit = "",
       .fallback = std::int64_t{10},
       .min = 1,
       .max = most_batches,
       .step = 1,
       .help =
           "Parts of an iteration, before each of which the prior's gradient is computed. A strong "
           "prior needs more of them to act in full."},
      order_seed_param(),
      {.key = "worker",
       .label = "Worker",
       .unit = "",
       .fallback = std::string("thread"),
       .choices = {"thread", "warp"},
       .study_choices = {"warp"},
       .help = "On a GPU, the threads that trace a ray: one, or the 32 of a warp, which divide its "
               "layers."},
      {.key = "writes",
       .label = "Writes",
       .unit = "",
       .fallback = std::string("atomic"),
       .choices = {"atomic", "racing"},
       .study_choices = {"racing"},
       .help = "On a GPU. Atomic: every correction counts. Racing: of corrections of a voxel that "
               "collide, one survives."},
      {.key = "variant",
       .label = "Variant",
       .unit = "",
       .fallback = std::string("plain"),
       .choices = {"plain", "half_image", "exact_functions", "fast_functions", "doubles",
                   "texture"},
       .study_choices = {"half_image", "exact_functions", "fast_functions", "doubles", "texture"},
       .help = "On a GPU, a variant of the kernel.",
       .study_help =
           "Half image: voxels in float16. Exact and fast functions: sines and cosines in "
           "the kernel. Doubles: a third of the additions in float64. Texture: the data "
           "are read through it. As published for cuMBIR."},
      nonnegative_param()};
  std::ranges::move(printed_rate_params(), std::back_inserter(params));
  return params;
}

std::unique_ptr<Solver> make_sgd(const Params& params) {
  Options options;
  options.normalised = params.text("rate_rule") == "normalised";
  options.relaxation = params.real("relaxation");
  options.printed = printed_rate(params);
  options.order = ray_order(params.text("order"));
  options.batches = static_cast<int>(params.integer("batches"));
  options.seed = static_cast<std::uint64_t>(params.integer("seed"));
  options.nonnegative = params.flag("nonnegative");
  options.workers = {params.text("worker") == "warp", params.text("writes") == "racing",
                     named_value<RowVariant>(params.text("variant"),
                                             {{"plain", RowVariant::plain},
                                              {"half_image", RowVariant::half_image},
                                              {"exact_functions", RowVariant::exact_functions},
                                              {"fast_functions", RowVariant::fast_functions},
                                              {"doubles", RowVariant::doubles},
                                              {"texture", RowVariant::texture}})};
  return std::make_unique<Sgd>(std::move(options));
}

}  // namespace gantry
