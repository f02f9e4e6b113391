#pragma once

#include "core/base/params.hpp"
#include "core/operator/gradient_step.hpp"
#include "core/operator/subset_sweep.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/solver.hpp"
#include "core/solvers/view_order.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

/// The common form of SIRT, OS-SART and SART. The views are divided into L interleaved subsets s:
///   x <- max(x + lambda C_s A_s^T R_s (b_s - A_s x), low),   R = diag(1 / sum_j a_ij), C_s =
///   diag(1 / sum_{i in s} a_ij).
/// L = 1 is SIRT (Gilbert, J. Theor. Biol. 36 (1972) 105), L = number of views is SART (Andersen
/// and Kak, Ultrasonic Imaging 6 (1984) 81), between them OS-SART (Wang and Jiang, J. X-Ray Sci.
/// Technol. 12 (2004) 169).
/// L = 1 converges for 0 < lambda < 2 (Jiang and Wang, IEEE Trans. Image Process. 12 (2003) 957).
/// For L > 1 no bound holds for all scans: the correction by a subset reduces the error in a norm
/// that is weighted by the column sums of that subset, and the norm differs from subset to subset.
/// Most scans converge, but there are scans that diverge for every lambda, even with consistent
/// data.
/// A step is one subset, or several if the operator prefers to get several at once.
class WeightedSubsets : public Solver, public CarriesState {
 public:
  struct Options {
    int subsets = 1;          ///< 0: one per view
    double relaxation = 1;    ///< lambda
    bool nonnegative = true;  ///< low = 0, else none
    ViewOrder order = ViewOrder::golden;
    std::uint64_t seed = 1;  ///< of the random order

    /// Reads the parameters that a method has; the others keep their defaults.
    static Options of(const Params& params, int subsets);
  };
  WeightedSubsets(Options options, const SolverTraits& traits)
      : Solver(traits), options_(options) {}

  int steps_per_iteration() const override {
    return sequence_.steps_per_iteration(subsets_of_step_);
  }
  SolverMemory memory(const OperatorMemory& A) const override;
  std::optional<RelaxationRange> admissible() const override {
    if (sequence_.subsets() > 1) return std::nullopt;
    return RelaxationRange{options_.relaxation, 2, {}, {}};
  }
  CarriedState carried() override { return {{&x_}, {&done_}}; }

 protected:
  void do_init() override;
  StepReport do_step() override;

  /// Corrects x, which replaces the iterate, by the subsets of the step under way. If interrupted,
  /// leaves x unchanged.
  UpdateNorms update(Array& x);
  void count_step() { ++done_; }
  std::int64_t steps_done() const { return done_; }

 private:
  int subsets_of(int views) const {
    return options_.subsets <= 0 ? views : std::min(options_.subsets, views);
  }
  void make_gradient_step();
  void make_sweep();
  /// Threshold of row sums, from the sum of all weights of A: a sum up to it counts as none.
  float smallest_row_sum(double total) const;
  float smallest_column_sum(double total) const;

  Options options_;
  SubsetSequence sequence_;
  int subsets_of_step_ = 1;             // largest number of subsets in a step
  std::int64_t done_ = 0;               // steps done
  Array column_weight_;                 // 1 / column sums, for the step with all views
  std::unique_ptr<GradientStep> step_;  // with all views; null if there are several subsets
  std::unique_ptr<SubsetSweep> sweep_;  // the sweep over several subsets; null if there is one
};

}  // namespace gantry
