// For each ray i of a view, one after another, with a_i its row of A:
//   x <- max(x + lambda (b_i - <a_i, x>) / ||a_i||^2 a_i, low),   0 < lambda < 2,
// The limit `low` is applied to the voxels that the ray hits. Rays change x one after another; only
// their weights, which do not depend on x, are computed in parallel, for some rays in advance.
#include "core/solvers/row_action/art.hpp"

#include "core/base/parallel_errors.hpp"
#include "core/operator/row_norms.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/view_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace gantry {

namespace {

constexpr int rays_ahead = 128;    // rays whose weights are computed at a time
constexpr int sampled_views = 16;  // views that the mean norm of a row is computed from

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
  SolverMemory memory(const OperatorMemory&) const override { return {2, 0}; }
  std::optional<RelaxationRange> admissible() const override {
    return RelaxationRange{options_.relaxation, 2, {}, {}};
  }
  CarriedState carried() override { return {{&x_}, {&done_}}; }

 private:
  void do_init() override {
    projector_ = &require_single_weights(A());
    const int views = A().views();
    done_ = 0;
    next_ = image();
    ahead_.resize(rays_ahead);
    sequence_ = SubsetSequence(A(), views, options_.order, options_.seed);
    const int stride = std::max(1, views / sampled_views);
    smallest_ = negligible_squared_norm *
                mean_squared_row_norm(*projector_, {0, stride, (views - 1) / stride + 1});
  }

  // A view of a flat panel takes seconds, so that a step must be interruptible. It therefore works
  // on a copy of x. The copy is cheap: one float per voxel, while the rays of a view have several
  // weights per voxel, each of which costs far more. A viewer of solution() meanwhile sees the last
  // completed step.
  StepReport do_step() override {
    const int view = sequence_.at(done_);
    backend().copy(x_, next_);
    const double residual_square = sweep(view, next_.host());
    std::swap(x_, next_);
    ++done_;
    A().count_applications(2.0 / A().views());  // <a_i, x>, and the update by a_i
    StepReport report;
    report.residual_norm = std::sqrt(residual_square);
    report.update_norm = std::sqrt(backend().residual(x_, next_, nullptr));  // x - x before
    return report;
  }

  /// Corrects x by all rays of a view. Returns the sum of (b_i - <a_i, x>)^2, each before its
  /// correction.
  double sweep(int view, std::span<float> x) {
    const auto rows = projector_->row_source()->view_rows(view);
    const int columns = projector_->geometry().columns();
    const auto cells = static_cast<int>(A().cells_per_view());
    const std::size_t first_ray = static_cast<std::size_t>(view) * A().cells_per_view();
    const std::span<const float> data = b().host().subspan(first_ray, A().cells_per_view());
    double residual_square = 0;
    for (int first = 0; first < cells; first += rays_ahead) {
      A().check_interrupt();
      const int last = std::min(cells, first + rays_ahead);
      ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 8)
      for (int cell = first; cell < last; ++cell)
        errors.run([&] {
          rows->weights(cell % columns, cell / columns,
                        ahead_[static_cast<std::size_t>(cell - first)]);
        });
      errors.rethrow();
      for (int cell = first; cell < last; ++cell) {
        const double deviation = correct(ahead_[static_cast<std::size_t>(cell - first)],
                                         data[static_cast<std::size_t>(cell)], x);
        residual_square += deviation * deviation;
      }
    }
    return residual_square;
  }

  /// Moves x towards the hyperplane <a, x> = b. Returns b - <a, x> before. Rows without weights
  /// change nothing.
  double correct(const RowWeights& a, double b, std::span<float> x) const {
    double product = 0, norm_square = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      product += a.weight[k] * x[a.voxel[k]];
      norm_square += a.weight[k] * a.weight[k];
    }
    const double deviation = b - product;
    if (!(norm_square > smallest_)) return deviation;
    const double factor = options_.relaxation * deviation / norm_square;
    const float low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < a.size(); ++k) {
      float& value = x[a.voxel[k]];
      value = std::max(static_cast<float>(value + factor * a.weight[k]), low);
    }
    return deviation;
  }

  ArtOptions options_;
  const Projector* projector_ = nullptr;
  std::int64_t done_ = 0;  // steps
  double smallest_ = 0;    // rows with squared norms up to this count as zero
  SubsetSequence sequence_;
  std::vector<RowWeights> ahead_;
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
