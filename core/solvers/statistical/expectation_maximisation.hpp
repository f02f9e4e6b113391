#pragma once

#include "core/solvers/carried_state.hpp"
#include "core/solvers/solver.hpp"
#include "core/solvers/view_order.hpp"

#include <cstdint>

namespace gantry {

/// MLEM and OSEM: with the views dealt out to L interleaved subsets s,
///   x <- x / (A_s^T w_s) * A_s^T w_s (b_s / (A_s x)),   0 / 0 = 0.
/// L = 1 is MLEM (Shepp and Vardi, IEEE Trans. Med. Imaging 1 (1982) 113), more are OSEM (Hudson
/// and Larkin, ibid. 13 (1994) 601). It climbs the Poisson likelihood sum_i b_i ln (A x)_i - (A
/// x)_i, as if the line integrals were counts: on transmission data it is a multiplicative cousin
/// of SIRT. MLEM keeps sum_j (A^T w)_j x_j = sum_i w_i b_i at every iterate.
///
/// What could make it undefined is settled so:
/// - Line integrals below zero, as noise makes them in air, count as zero; notes() says how many.
/// - w_i is 1, and 0 for rays that the grid hardly meets: their share of the data is not on it.
/// - Without a start, x is the constant whose projections sum up to the data, and 0 in voxels that
///   no ray meets. A start is first raised to a millionth of that constant: what is zero could
///   not grow.
/// - Voxels that a subset hardly meets are left as they are by it.
class ExpectationMaximisation final : public Solver, public CarriesState {
 public:
  struct Options {
    int subsets = 1;
    ViewOrder order = ViewOrder::golden;
    std::uint64_t seed = 1;  ///< of the random order
  };
  explicit ExpectationMaximisation(Options options) : options_(options) {}

  int steps_per_iteration() const override { return sequence_.subsets(); }
  SolverMemory memory(const LinearOperator&) const override { return {3, 2}; }
  std::vector<std::string> notes() const override;
  CarriedState carried() override { return {{&x_}, {&done_}}; }

 private:
  void do_init() override;
  StepReport do_step() override;
  long long count_negative();
  void set_start(double constant);

  Options options_;
  SubsetSequence sequence_;
  std::int64_t done_ = 0;        // steps
  long long negative_ = 0;       // line integrals below zero
  bool blank_ = false;           // none above
  float smallest_sum_ = 0;       // column sums below are taken for none
  Array ray_weight_, scratch_;   // rays
  Array gradient_, column_sum_;  // images
};

}  // namespace gantry
