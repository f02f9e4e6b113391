#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"
#include "core/solvers/direct/circle_resampling.hpp"
#include "core/solvers/direct/interpolated_views.hpp"
#include "core/solvers/direct/ramp_filter.hpp"
#include "core/solvers/solver.hpp"
#include "core/streaming/scan_parts.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// The operations of filtered backprojection on the data of a scan. Each view of `widened` takes
/// the data of one measured view: ray (measured view, row, column) is multiplied by
/// cell_weight[row][column] and column_weight[view][column]; its row is copied into a row of the
/// widened detector, `lead` columns further, continued there by `extrapolated` columns at both ends
/// (see extrapolate_row), filtered, and backprojected with weight 1 / distance^2 (see
/// VoxelBackprojection).
struct FilteringPlan {
  /// The measured views in their order, then the parts of interpolated views.
  ScanGeometry widened;
  std::vector<int> measured_view;  ///< of each view of `widened`
  std::size_t lead;
  RampFilter filter;
  std::vector<float> cell_weight, column_weight;
  std::size_t extrapolated = 0;
  /// Makes the data of the plan's scan from those of free poses; null where they need no making.
  std::shared_ptr<const CircleResampling> resampling = nullptr;

  /// `extrapolation`: part of the columns by which the rows are continued at each end.
  static FilteringPlan of(const ScanGeometry& geometry, const std::string& window, double cutoff,
                          double extrapolation = 0) {
    return of(geometry, InterpolatedViews(), window, cutoff, extrapolation);
  }
  static FilteringPlan of(const ScanGeometry& geometry, const InterpolatedViews& interpolated,
                          const std::string& window, double cutoff, double extrapolation = 0);
  /// Returns the plan of some rows of some measured views. The image is the sum over such parts.
  FilteringPlan part(std::span<const int> views, Range rows) const;
  /// Returns the detector rows of a measured view that count in a part of the volume.
  Range rows_that_see(int measured, const VolumeGrid& part) const;
};

/// A plan bound to one backend, which holds the data and the image.
class FilteredSum {
 public:
  virtual ~FilteredSum() = default;
  FilteredSum() = default;
  FilteredSum(const FilteredSum&) = delete;
  FilteredSum& operator=(const FilteredSum&) = delete;

  /// Sets mu to the filtered backprojection of the line integrals of all views. Throws Interrupted,
  /// with mu undefined.
  void compute(const Array& rays, Array& mu) const { do_compute(rays, mu); }
  /// Memory of the backend that the object and compute() take besides the operands, bytes.
  virtual std::size_t workspace_bytes() const { return 0; }

 private:
  virtual void do_compute(const Array& rays, Array& mu) const = 0;
};

/// Makes the filtered sum of a scan. The projector provides grid, scan, backend and interrupt; it
/// must outlive the sum.
using FilteredSumMaker =
    std::function<std::unique_ptr<FilteredSum>(const Projector&, FilteringPlan)>;
std::unique_ptr<FilteredSum> make_cpu_filtered_sum(const Projector& projector, FilteringPlan plan);

/// The parameters of FBP and FDK: the filter's window and cut-off, whether negative values are
/// kept, how far truncated rows are continued, and whether gaps between views are filled.
std::vector<ParamSpec> filtered_backprojection_params();

/// Returns a maker that throws UsageError, naming `method`, for free poses, which the filtered sums
/// of other devices than the CPU do not resample.
FilteredSumMaker refusing_poses(FilteredSumMaker make_sum, const std::string& method);

/// Throws UsageError if parameters of FBP or FDK, named by `owner`, ask for rows to be continued,
/// which the filtered sums of other devices than the CPU cannot.
void refuse_extrapolation(const Params& params, const std::string& owner);

/// Throws UsageError for scans that a method cannot reconstruct.
using SuitableScan = void (*)(const ScanGeometry&);

/// Makes FBP or FDK, which differ only in the scans that they accept: `require_suitable` is called
/// with the scan, or with the circle near free poses. init throws UsageError if the operator is not
/// a projector, and for free poses that are near no circle.
std::unique_ptr<Solver> make_filtered_backprojection(const SolverTraits& traits,
                                                     const Params& params,
                                                     SuitableScan require_suitable,
                                                     FilteredSumMaker make_sum);

/// Sets x to the filtered backprojection of b (FBP, or FDK for a cone beam) with the Hann window
/// and with gaps between views filled, as a start for iterative methods. Returns false, with x
/// unchanged, if there is none: for scans that are not circular, and for operators that are not
/// projectors. Throws Interrupted, with x undefined.
bool filtered_start(const LinearOperator& A, const Array& b, const FilteredSumMaker& make_sum,
                    Array& x);

}  // namespace gantry
