#pragma once

#include "core/solvers/carried_state.hpp"
#include "core/solvers/solver.hpp"
#include "core/solvers/statistical/mlem.hpp"
#include "core/solvers/view_order.hpp"

#include <cstdint>

namespace gantry {

/// MLEM and OSEM. The views are divided into L interleaved subsets s:
///   x <- x / (A_s^T w_s) * A_s^T w_s (b_s / (A_s x)),   0 / 0 = 0.
/// L = 1 is MLEM (Shepp and Vardi, IEEE Trans. Med. Imaging 1 (1982) 113), more are OSEM (Hudson
/// and Larkin, ibid. 13 (1994) 601). MLEM increases the Poisson likelihood sum_i b_i ln (A x)_i -
/// (A x)_i, as if the line integrals were counts: for transmission data this is a multiplicative
/// relative of SIRT. MLEM keeps sum_j (A^T w)_j x_j = sum_i w_i b_i at every iterate.
///
/// Cases in which the formula would be undefined:
/// - Negative line integrals, as noise causes them in air, count as zero; notes() counts them.
/// - w_i is 1, but 0 for rays that hardly hit the grid, since their data cannot be explained by it.
/// - Without x0, x starts as the constant whose projections have the same sum as the data, and 0 in
/// voxels that no ray hits. In x0, values are raised to at least a millionth of that constant,
/// since a zero would stay zero.
/// - A subset leaves voxels unchanged that its rays hardly hit.
class ExpectationMaximisation final : public Solver, public CarriesState {
 public:
  struct Options {
    int subsets = 1;
    ViewOrder order = ViewOrder::golden;
    std::uint64_t seed = 1;  ///< of the random order
  };
  explicit ExpectationMaximisation(Options options) : Solver(mlem_traits), options_(options) {}

  int steps_per_iteration() const override { return sequence_.subsets(); }
  SolverMemory memory(const OperatorMemory&) const override { return {3, 2}; }
  std::vector<std::string> notes() const override;
  CarriedState carried() override { return {{&x_}, {&done_}}; }

 private:
  void do_init() override;
  StepReport do_step() override;
  long long count_negative();
  void set_start(double constant);

  Options options_;
  SubsetSequence sequence_;
  std::int64_t done_ = 0;          // steps
  long long negative_ = 0;         // line integrals below zero
  bool no_positive_data_ = false;  // no positive line integral
  float smallest_sum_ = 0;         // column sums up to this count as none
  Array ray_weight_, scratch_;     // rays
  Array gradient_, column_sum_;    // images
};

}  // namespace gantry
