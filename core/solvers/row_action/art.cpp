// For each ray i of a view, one after another, with a_i its row of A:
//   x <- max(x + lambda (b_i - <a_i, x>) / ||a_i||^2 a_i, low),   0 < lambda < 2,
// The limit `low` is applied to the voxels that the ray hits. Where rays correct one after another
// (on the CPU), those of a view follow each other as they lie on the detector. Elsewhere the rays
// of a view are divided into classes whose rays weigh no voxel in common: the rays of a class
// commute, so that correcting by all of them at once is correcting by one after another.
#include "core/solvers/row_action/art.hpp"

#include "core/operator/row_access.hpp"
#include "core/operator/row_norms.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/row_action/ray_order.hpp"
#include "core/solvers/view_order.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace gantry {

namespace {

struct ArtOptions {
  double relaxation = 0.2;
  bool nonnegative = true;
  ViewOrder order = ViewOrder::golden;
  std::uint64_t seed = 1;
};

class Art final : public Solver, public CarriesState {
 public:
  explicit Art(ArtOptions options) : Solver(art_traits), options_(options) {}

  int steps_per_iteration() const override { return sequence_.subsets(); }
  /// The list of all rays is as large as a vector of them.
  SolverMemory memory(const OperatorMemory& A) const override { return {2, 1, A.held_bytes()}; }
  /// On a GPU, no two rays of a class weigh a voxel in common.
  bool repeatable() const override { return true; }
  std::optional<RelaxationRange> admissible() const override {
    return RelaxationRange{options_.relaxation, 2, {}, {}};
  }
  CarriedState carried() override { return {{&x_}, {&done_}}; }

 private:
  void do_init() override {
    A().check_interrupt();
    rows_ = make_rows(A());
    done_ = 0;
    next_ = image();
    sequence_ = SubsetSequence(A(), A().views(), options_.order, options_.seed);
    classes_ =
        rows_->is_sequential() ? rays_of_views(A()) : classes_without_common_voxels(A(), *rows_);
    rays_ = rows_->list(classes_.rays);
    classes_.rays = {};  // as large as a vector of rays, and now in the list
    smallest_ = negligible_squared_norm * rows_->mean_squared_norm();
  }

  // A view of a flat panel takes seconds on the CPU, so that a step must be interruptible. It
  // therefore works on a copy of x. The copy is cheap: one float per voxel, while the rays of a
  // view have several weights per voxel, each of which costs far more. A viewer of solution()
  // meanwhile sees the last completed step.
  StepReport do_step() override {
    const auto view = static_cast<std::size_t>(sequence_.at(done_));
    backend().copy(x_, next_);
    const RowStep step{
        .b = b(),
        .step = options_.relaxation,
        .smallest = smallest_,
        .low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity()};
    const std::size_t first = classes_.first_of_view[view], last = classes_.first_of_view[view + 1];
    const double residual_square = rows_->correct_in_turn(
        step, *rays_, std::span(classes_.first_ray).subspan(first, last - first + 1),
        [this] { A().check_interrupt(); }, next_);
    std::swap(x_, next_);
    ++done_;
    A().count_applications(2.0 / A().views());  // <a_i, x>, and the update by a_i
    StepReport report;
    report.residual_norm = std::sqrt(residual_square);
    report.update_norm = std::sqrt(backend().residual(x_, next_, nullptr));  // x - x before
    return report;
  }

  ArtOptions options_;
  std::unique_ptr<RowAccess> rows_;
  std::unique_ptr<RayList> rays_;
  RayClasses classes_;
  std::int64_t done_ = 0;  // steps
  double smallest_ = 0;    // rows with squared norms up to this count as zero
  SubsetSequence sequence_;
  Array next_;  // image
};

}  // namespace

std::vector<ParamSpec> art_params() {
  return {relaxation_param(0.2), view_order_param(), order_seed_param(), nonnegative_param()};
}

std::unique_ptr<Solver> make_art(const Params& params) {
  return std::make_unique<Art>(ArtOptions{params.real("relaxation"), params.flag("nonnegative"),
                                          parse_view_order(params.text("order")),
                                          static_cast<std::uint64_t>(params.integer("seed"))});
}

}  // namespace gantry
