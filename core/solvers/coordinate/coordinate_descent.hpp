#pragma once

#include "core/base/params.hpp"
#include "core/operator/column_access.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/direct/filtered_backprojection.hpp"
#include "core/solvers/solver.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// What methods of coordinate descent are told.
struct CoordinateStart {
  bool nonnegative = true, filtered = true;  ///< filtered: begin with the filtered backprojection
  double relaxation = 1;
  ColumnWorker worker = ColumnWorker::automatic;
  FilteredSumMaker make_sum = {};
};
/// Reads the parameters "nonnegative", "start" and "relaxation".
CoordinateStart coordinate_start(const Params& params, FilteredSumMaker make_sum);

/// What methods have in common that change voxels by CoordinateStep, colour after colour (lattices
/// of voxels of which no two are neighbours), and carry r = b - A x along. A step is a colour, an
/// iteration all colours.
class CoordinateDescent : public Solver, public CarriesState {
 public:
  int steps_per_iteration() const override { return static_cast<int>(colours_.size()); }
  std::vector<std::string> notes() const override;
  std::optional<Objective> objective() const override;
  bool repeatable() const override { return A().repeatable() && columns_->repeatable(); }
  CarriedState carried() override;

 protected:
  CoordinateDescent(const SolverTraits& traits, CoordinateStart start)
      : Solver(traits), start_(std::move(start)) {}

  /// The first part of do_init: makes the columns, the colours of a stride and the arrays.
  void begin(int stride);
  /// The last part of do_init: sets x and r to the start.
  void begin_residual();
  /// The first part of do_step: computes the slope and the curvature of the penalty in the colour.
  /// Throws Interrupted; nothing may interrupt the step afterwards, so that x and r always fit.
  void begin_step();
  /// The last part of do_step. `square` is the sum of the squared changes.
  StepReport end_step(double square);
  /// Returns the step with a curvature of the data term; `bend`: add that of the penalty.
  CoordinateStep step_of(const Array& curvature, bool bend) const;
  /// Counts the voxels of curvature 0, for a note.
  void count_unseen(const Array& curvature);
  /// Sets curvature_j = sum_i w_i a_ij^2, and counts the voxels where that is 0.
  void compute_squares(Array& curvature);

  const ColumnAccess& columns() const { return *columns_; }
  const std::vector<VoxelLattice>& colours() const { return colours_; }
  const VoxelLattice& colour() const {
    return colours_[static_cast<std::size_t>(done_) % colours_.size()];
  }
  std::int64_t done() const { return done_; }  ///< steps
  double relaxation() const { return start_.relaxation; }
  Array& residual() { return residual_; }

 private:
  float low() const { return start_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity(); }
  Prior& prior() const { return *penalty().prior; }

  CoordinateStart start_;
  std::unique_ptr<ColumnAccess> columns_;
  std::vector<VoxelLattice> colours_;
  double lambda_ = 0, residual_norm_ = 0;
  std::int64_t done_ = 0;
  Array residual_;      // b - A x
  Array slope_, bend_;  // of the penalty
  bool started_from_zero_ = false;
  std::ptrdiff_t unseen_ = 0;  // voxels that no ray weighs, or only rays of weight 0
};

}  // namespace gantry
