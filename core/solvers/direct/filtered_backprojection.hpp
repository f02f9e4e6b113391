#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"
#include "core/solvers/direct/ramp_filter.hpp"
#include "core/solvers/solver.hpp"
#include "core/streaming/scan_parts.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// What filtered backprojection does to the data of a scan, as numbers: ray (view, row, column) is
/// multiplied by cell_weight[row][column] and column_weight[view][column], its row put `lead`
/// columns into a row of the widened detector, filtered, and backprojected with weight
/// 1 / distance^2 (see VoxelBackprojection).
struct FilteringPlan {
  ScanGeometry widened;
  std::size_t lead;
  RampFilter filter;
  std::vector<float> cell_weight, column_weight;

  static FilteringPlan of(const ScanGeometry& geometry, const std::string& window, double cutoff);
  /// What becomes of these rows of these views: the image is the sum over such parts.
  FilteringPlan part(std::span<const int> views, Range rows) const;
};

/// A plan carried out on one backend, with data and image there.
class FilteredSum {
 public:
  virtual ~FilteredSum() = default;
  FilteredSum() = default;
  FilteredSum(const FilteredSum&) = delete;
  FilteredSum& operator=(const FilteredSum&) = delete;

  /// mu = the filtered backprojection of the line integrals of all views. Throws Interrupted; mu is
  /// then undefined.
  void compute(const Array& rays, Array& mu) const { do_compute(rays, mu); }
  /// Memory of the backend that it and compute() take beside the operands, bytes.
  virtual std::size_t workspace_bytes() const { return 0; }

 private:
  virtual void do_compute(const Array& rays, Array& mu) const = 0;
};

/// The projector gives grid, scan and backend, and is asked to give way; it outlives the sum.
using FilteredSumMaker =
    std::function<std::unique_ptr<FilteredSum>(const Projector&, FilteringPlan)>;
std::unique_ptr<FilteredSum> make_cpu_filtered_sum(const Projector& projector, FilteringPlan plan);

/// The filter's window and cut-off, and whether negative values are kept.
std::vector<ParamSpec> filtered_backprojection_params();

/// Throws UsageError for scans that a method does not cover.
using SuitableScan = void (*)(const ScanGeometry&);

/// What FBP and FDK have in common: all but the scans that they accept. init throws UsageError
/// where the operator is no projector of a scan.
std::unique_ptr<Solver> make_filtered_backprojection(const SolverTraits& traits,
                                                     const Params& params,
                                                     SuitableScan require_suitable,
                                                     FilteredSumMaker make_sum);

}  // namespace gantry
