#pragma once

#include "core/backend/array.hpp"
#include "core/geometry/suitable_scans.hpp"
#include "core/operator/linear_operator.hpp"
#include "core/priors/prior.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// Find x with A x ~ b, and a small penalty where there is one. All that a problem points to
/// outlives the solver, but for x0.
struct Problem {
  const LinearOperator* A = nullptr;
  const Array* b = nullptr;
  const Array* x0 = nullptr;       ///< the image that the solver starts from; null: zero
  const Array* weights = nullptr;  ///< of the rays, 0 or more: w of sum w_i (b - A x)_i^2; null: 1
  Penalty penalty = {};
};

/// What one step did.
struct StepReport {
  /// ||b - A x|| of the iterate that the step started from, over the views that it used. A method
  /// that steps through subsets thus reports each subset's part, of the iterate met there.
  double residual_norm = std::numeric_limits<double>::quiet_NaN();
  /// ||x_new - x_old||; of a step through several subsets, the root of the sum of squares of
  /// each's.
  double update_norm = std::numeric_limits<double>::quiet_NaN();
  /// ||b - A x|| over all views of the iterate that the step ended at, where the method knows it.
  double new_residual_norm = std::numeric_limits<double>::quiet_NaN();
  bool exhausted = false;  ///< another step would change nothing
};

/// The relaxation that a method applies, in the scale in which it was published, and where it
/// converges: between 0 and `bound`, both excluded.
struct RelaxationRange {
  double value = 0, bound = 0;
  std::string unit;    ///< of both; empty: none
  std::string origin;  ///< what a bound that depends on the data is: "2/‖A‖²"; empty: a constant
  friend bool operator==(const RelaxationRange&, const RelaxationRange&) = default;
};
/// "λ = 1.9, converges below 2", "λ = 2.93e-05 1/mm², converges below 3.09e-05 1/mm² = 2/‖A‖²"
std::string describe(const RelaxationRange& range);

/// How many vectors a solver holds at most, its iterate included: image-sized and ray-sized. And
/// what its steps take of the operator's own memory, bytes, where that is more than a product does
/// (LinearOperator::workspace_bytes).
struct SolverMemory {
  int images = 1, ray_sets = 0;
  std::size_t workspace_bytes = 0;
};

/// What a method asks of a prior.
enum class PriorUse { none, gradient, proximal };

/// What is known of a method before one is made.
struct SolverTraits {
  bool needs_exact_pair = false;      ///< converges only with an exact transpose
  bool needs_single_weights = false;  ///< reads single weights of A (row_source), on the CPU
  bool needs_row_norms = false;   ///< takes norms of the rows at its start, from single weights of
                                  ///< any backend
  bool uses_ray_weights = false;  ///< takes the problem's weights into account
  bool is_direct = false;       ///< one step, which works on the scan and not through A's products
  bool has_relaxation = false;  ///< has a parameter "relaxation", which scales its corrections
  /// A step may correct by several subsets of the views, one after the other. It then reports sums
  /// over the subsets, each of which starts from the iterate that the one before left.
  bool through_subsets = false;
  SuitableScans scans = {};         ///< the scans that it reconstructs
  PriorUse prior = PriorUse::none;  ///< what it asks of the problem's prior
  /// The prior that such a method gets where none is chosen: its key in the catalogue.
  std::string_view usual_prior = "";

  /// Whether the method can work with a prior.
  bool takes(const PriorTraits& of_prior) const {
    return (prior == PriorUse::gradient && of_prior.has_gradient) ||
           (prior == PriorUse::proximal && of_prior.has_proximal);
  }
  friend bool operator==(const SolverTraits&, const SolverTraits&) = default;
};

/// An iterative method over a LinearOperator, written once for every backend. It allocates in init
/// only. It does not print, time, read files, count limits or know threads; run() and its observers
/// do.
class Solver {
 public:
  using Traits = SolverTraits;

  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Throws UsageError when the operator does not suit the method, when it is given weights that it
  /// does not use or that are negative, ShapeError when b, x0 or weights do not fit.
  void init(const Problem& problem);

  /// One step: a whole iteration, or one subset of it. May throw Interrupted; the solver is then as
  /// it was before the step, and step() can be called again.
  StepReport step();

  const Array& solution() const { return x_; }
  const SolverTraits& traits() const { return traits_; }

  /// Steps that make one iteration (a pass over all data).
  virtual int steps_per_iteration() const { return 1; }
  /// With this operator, before init.
  virtual SolverMemory memory(const LinearOperator& A) const = 0;
  /// What the user should know of the way the data were taken, one line each; after init.
  virtual std::vector<std::string> notes() const { return {}; }
  /// After init: the relaxation and its bound, for methods that have one.
  virtual std::optional<RelaxationRange> admissible() const { return std::nullopt; }

 protected:
  explicit Solver(const SolverTraits& traits = {}) : traits_(traits) {}
  const LinearOperator& A() const { return *problem_.A; }
  const Array& b() const { return *problem_.b; }
  const Array* weights() const { return problem_.weights; }
  const Penalty& penalty() const { return problem_.penalty; }
  Backend& backend() const { return problem_.A->backend(); }
  bool started() const { return problem_.x0 != nullptr; }  ///< whether init was given a start
  Array image() const { return {backend(), A().domain_size()}; }
  Array rays() const { return {backend(), A().range_size()}; }
  /// The image that init was given to start from, else zero. The iterate is set to it before
  /// do_init, which may have it for scratch meanwhile.
  void set_to_start(Array& x) const;

  Array x_;

 private:
  void check_weights(const Problem& problem) const;
  virtual void do_init() = 0;
  virtual StepReport do_step() = 0;

  SolverTraits traits_;
  Problem problem_;
};

}  // namespace gantry
