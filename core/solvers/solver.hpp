#pragma once

#include "core/backend/array.hpp"
#include "core/geometry/suitable_scans.hpp"
#include "core/operator/linear_operator.hpp"
#include "core/operator/operator_memory.hpp"
#include "core/priors/prior.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// The problem A x ~ b, with a penalty on x if there is one. Everything that it points to, except
/// x0, must outlive the solver.
struct Problem {
  const LinearOperator* A = nullptr;
  const Array* b = nullptr;
  const Array* x0 = nullptr;       ///< the image that the solver starts from; null: zero
  const Array* weights = nullptr;  ///< of the rays, >= 0: w of sum w_i (b - A x)_i^2; null: 1
  Penalty penalty = {};
  /// Whether a method that needs an exact pair also runs with a backprojection that is not the
  /// exact transpose of the projection. What it then converges to, and whether it does, is not
  /// known.
  bool insists_on_pair = false;
};

/// The result of one step.
struct StepReport {
  /// ||b - A x|| of the iterate before the step, over the rays that the step used. For a step
  /// through several subsets, the root of the sum of squares over the subsets, each taken before
  /// its update.
  double residual_norm = std::numeric_limits<double>::quiet_NaN();
  /// ||x_new - x_old||; for a step through several subsets, the root of the sum of squares over the
  /// subsets.
  double update_norm = std::numeric_limits<double>::quiet_NaN();
  /// ||b - A x|| over all views, of the iterate after the step; NaN if the method does not know it.
  double new_residual_norm = std::numeric_limits<double>::quiet_NaN();
  bool exhausted = false;  ///< another step would change nothing
  /// Whether each of several steps of an iteration uses all rays. The residual of the iteration is
  /// then that of its first step, else the root of the sum of squares over its steps.
  bool uses_all_rays = false;
};

/// What a method minimises, at an image: 1/2 ||b - A x||_W^2 and lambda R(x).
struct Objective {
  double data = std::numeric_limits<double>::quiet_NaN(), penalty = 0;
  double total() const { return data + penalty; }
};

/// The relaxation that a method applies, in the scale of its publication. The method converges
/// between 0 and `bound`, both excluded.
struct RelaxationRange {
  double value = 0, bound = 0;
  std::string unit;  ///< unit of both; empty: none
  std::string origin;  ///< formula of a bound that depends on the data: "2/‖A‖²"; empty: a constant
  friend bool operator==(const RelaxationRange&, const RelaxationRange&) = default;
};
/// "λ = 1.9, converges below 2", "λ = 2.93e-05 1/mm², converges below 3.09e-05 1/mm² = 2/‖A‖²"
std::string describe(const RelaxationRange& range);

/// The largest number of vectors that a solver holds at a time, its iterate included: images and
/// ray vectors. workspace_bytes is the memory beside these that the operator and its access to rows
/// and columns need; without a value, that of a product (LinearOperator::workspace_bytes).
struct SolverMemory {
  int images = 1, ray_vectors = 0;
  std::optional<std::size_t> workspace_bytes = {};
};

/// The groups in which lists offer methods, see describe(SolverFamily).
enum class SolverFamily {
  none,
  direct,
  simultaneous,
  krylov,
  statistical,
  regularised,
  row_and_column
};

/// What lists say of a family: "SIRT family", "corrections from all rays or subsets of them".
struct SolverFamilyText {
  std::string_view label, idea;
};
SolverFamilyText describe(SolverFamily family);

/// What a method requires of a prior.
enum class PriorUse { none, gradient, proximal };

/// Properties of a kind of method, known before a solver is made.
struct SolverTraits {
  bool needs_exact_pair = false;   ///< converges only with an exact transpose
  bool needs_rows = false;         ///< corrects by single rows of A (RowAccess)
  bool needs_columns = false;      ///< reads single columns of A (ColumnAccess)
  bool needs_row_norms = false;    ///< computes norms of rows in init, from single
                                   ///< weights, on any backend
  bool uses_ray_weights = false;   ///< takes the problem's weights into account
  bool is_direct = false;          ///< a single step, computed from the scan without products of A
  bool reports_objective = false;  ///< objective() returns a value after init
  bool objective_takes_residual = false;  ///< objective_with() returns a value after init
  bool has_relaxation = false;  ///< has a parameter "relaxation", which scales its corrections
  /// A step may correct by several subsets of the views, one after another. It then reports sums
  /// over these subsets.
  bool through_subsets = false;
  SuitableScans scans = {};         ///< the scans that it reconstructs
  PriorUse prior = PriorUse::none;  ///< what it requires of the prior
  /// The key of the prior that the method uses if the settings name none.
  std::string_view usual_prior = "";
  SolverFamily family = SolverFamily::none;

  /// Whether the method minimises an objective whose value can be known.
  bool has_objective() const { return reports_objective || objective_takes_residual; }
  /// Whether the method can work with a prior.
  bool takes(const PriorTraits& of_prior) const {
    return (prior == PriorUse::gradient && of_prior.has_gradient) ||
           (prior == PriorUse::proximal && of_prior.has_proximal);
  }
  friend bool operator==(const SolverTraits&, const SolverTraits&) = default;
};

/// A method over a LinearOperator, written once for all backends. It allocates memory in init only.
/// Printing, timing, files and stopping rules are the business of run() and its observers.
class Solver {
 public:
  using Traits = SolverTraits;

  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Throws UsageError if the operator does not suit the method, or if weights are given that are
  /// negative or that the method does not use; ShapeError if b, x0 or weights have wrong sizes.
  void init(const Problem& problem);

  /// Makes one step: a whole iteration, or one or more subsets of it. Throws Interrupted, with the
  /// solver unchanged, so that step() can be called again.
  StepReport step();

  const Array& solution() const { return x_; }
  const SolverTraits& traits() const { return traits_; }

  /// Whether the same run gives the same bits again: not where a GPU adds in no fixed order. To be
  /// called after init. Methods of products alone are as repeatable as
  /// LinearOperator::repeatable().
  virtual bool repeatable() const { return A().repeatable(); }
  /// Returns the number of steps of an iteration (a pass over all views).
  virtual int steps_per_iteration() const { return 1; }
  /// Returns the memory that the solver will take with this operator. May be called before init.
  virtual SolverMemory memory(const OperatorMemory& A) const = 0;
  /// Returns what the user should know about the treatment of the data, one line each. To be called
  /// after init.
  virtual std::vector<std::string> notes() const { return {}; }
  /// Returns the objective at solution(), for methods that minimise one and know it without a
  /// product. To be called after init, between two steps.
  virtual std::optional<Objective> objective() const { return std::nullopt; }
  /// Returns the same for methods that minimise an objective but do not hold the residual of their
  /// iterate, from b - A x at solution() and its norm.
  virtual std::optional<Objective> objective_with(const Array& /*residual*/,
                                                  double /*residual_norm*/) const {
    return std::nullopt;
  }
  /// Returns the relaxation and its bound, for methods that have them. To be called after init.
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
  /// Sets x to the image that init was given to start from, else to zero. The iterate is set in
  /// this way before do_init, which may use it as scratch as long as it restores it.
  void set_to_initial_image(Array& x) const;

  Array x_;

 private:
  void check_weights(const Problem& problem) const;
  virtual void do_init() = 0;
  virtual StepReport do_step() = 0;

  SolverTraits traits_;
  Problem problem_;
};

}  // namespace gantry
