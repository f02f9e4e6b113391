// With a tilt a of the detector, the data b(a) on a resting detector are those of a volume only if
// a is right. Let P project onto the sums of rays that volumes have, and D = db/da. The residual is
// r = (1 - P) b, its derivative T = (1 - P) D. The least of <r, W r> is where
//   <T, W r> + step H = 0,  H = <T, W D> + <r, W dD/da>.
// Noise of the data makes noise of D, which alone would raise <T, W D> and shorten the step; the
// second term of H, which has the same noise, removes that.
#include "core/centring/tilt_from_residual.hpp"

#include "core/alignment/coarse_scan.hpp"
#include "core/alignment/view_circle.hpp"
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/projectors/siddon_joseph/joseph.hpp"
#include "core/solvers/krylov/cgls.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace gantry {

namespace {

/// Of the resting detector. One of few rows has more columns than usual, because cells that are
/// large against its height bias the tilt.
constexpr int usual_columns = 64, most_columns = 128, usual_rows = 16, fewest_rows = 10;
constexpr int fewest_columns = 16;
constexpr double least_symmetry = 0.8;  // of the sides of the detector, for less than a turn
constexpr int most_views = 180, fewest_views = 32;
/// Columns of the detector in a coarse cell. More are joined first; with fewer, sharp edges of the
/// object bias the tilt by up to 0.07 degrees.
constexpr int finer = 4;
constexpr int iterations_apart = 5, fewest_estimates = 4, most_estimates = 12;
constexpr double settled_rad = 0.002 * pi / 180;
constexpr double slope_step_rad = 0.05 * pi / 180, curvature_step_rad = 0.2 * pi / 180;
constexpr double most_error_rad = 0.015 * pi / 180;
/// What cells and voxels as coarse as these may change.
constexpr double coarseness_rad = 0.004 * pi / 180;
constexpr double clearly_less = 0.8;     // of the error that is to be improved
constexpr double most_errors_apart = 3;  // of two estimates: one of those that differ more is wrong
constexpr std::size_t groups = 16;       // of views, for the spread
constexpr double beside_the_beam = 1.02, most_of_way_to_source = 0.95;

/// A quadratic B-spline over the cells of a row or column of the detector, 3 widths wide. The
/// weights are made to keep linear functions.
struct Kernel {
  int first = 0;
  std::vector<double> weights;

  Kernel(double at, double width, int cells)
      : first(std::max(0, static_cast<int>(std::ceil(at - reach * width)))) {
    const int last = std::min(cells - 1, static_cast<int>(std::floor(at + reach * width)));
    double moment = 0, square = 0, sum = 0;
    for (int i = first; i <= last; ++i) {
      const double t = std::abs(i - at) / width,
                   value = t < 0.5 ? 0.75 - t * t : 0.5 * (reach - t) * (reach - t);
      weights.push_back(value);
      moment += value * (i - at);
      square += value * (i - at) * (i - at);
    }
    for (int i = first; i <= last; ++i) {
      double& weight = weights[static_cast<std::size_t>(i - first)];
      weight *= square - moment * (i - at);
      sum += weight;
    }
    for (double& weight : weights) weight /= sum;
  }
  static constexpr double reach = 1.5;  // widths
};

/// A side of a detector: cells of one size and the place of the axis or of the plane of the source.
struct Side {
  int cells = 1;
  double pitch_mm = 1, central = 0;

  double below_mm() const { return (central + 0.5) * pitch_mm; }
  double above_mm() const { return (cells - 0.5 - central) * pitch_mm; }
  double farthest_mm() const { return std::max(below_mm(), above_mm()); }

  /// Returns wide cells around whose centres this side reaches by `margin_mm`; none where that is
  /// not so.
  Side inside(double pitch, double margin_mm) const {
    const double below = below_mm() - margin_mm, above = above_mm() - margin_mm;
    if (below < 0 || above < 0) return {0, pitch, 0};
    const int count = static_cast<int>((below + above) / pitch) + 1;
    const double left = below + above - (count - 1) * pitch;
    return {count, pitch, (below - 0.5 * left) / pitch};
  }
};

/// A detector that rests behind the tilted one, with square cells. The tilted detector measures all
/// of these, also if its tilt is a little different: the rim has the same shape for all tilts, and
/// a rim that depended on the tilt would bias it.
class RestingDetector {
 public:
  RestingDetector(const ScanGeometry& geometry, std::span<const float> line_integrals,
                  const DetectorTilt& tilt) {
    const ScanSpec& spec = geometry.spec();
    const double width = spec.detector_columns * spec.column_pitch_mm,
                 height = spec.detector_rows * spec.row_pitch_mm,
                 pitch = std::max(
                     spec.column_pitch_mm,
                     std::clamp(height / usual_rows, width / most_columns, width / usual_columns));
    columns_of_cell_ = pitch / spec.column_pitch_mm;
    const auto joined = [&](double cell, int cells) {
      return std::clamp(static_cast<int>(pitch / (finer * cell)), 1, cells);
    };
    const CellBinning binning{joined(spec.column_pitch_mm, spec.detector_columns),
                              joined(spec.row_pitch_mm, spec.detector_rows)};
    seen_ = coarse_scan(geometry, line_integrals, binning, most_views);
    seen_.spec.central_column = (tilt.column + 0.5) / binning.columns - 0.5;
    const ScanSpec& in = seen_.spec;
    const Side across{in.detector_columns, in.column_pitch_mm, in.central_column},
        along{in.detector_rows, in.row_pitch_mm, in.central_row};
    const double sine = std::sin(std::abs(tilt.tilt_rad) + curvature_step_rad);
    const auto margin = [&](const Side& side, const Side& other) {
      return Kernel::reach * std::max(pitch, side.pitch_mm) + sine * other.farthest_mm();
    };
    const Side columns = across.inside(pitch, margin(across, along)),
               rows = along.inside(pitch, margin(along, across));
    spec_ = in;
    spec_.detector_columns = columns.cells;
    spec_.detector_rows = rows.cells;
    spec_.central_column = columns.central;
    spec_.central_row = rows.central;
    spec_.column_pitch_mm = spec_.row_pitch_mm = pitch;
  }

  const ScanSpec& spec() const { return spec_; }
  bool is_large() const {
    return spec_.detector_columns >= fewest_columns && spec_.detector_rows >= fewest_rows &&
           columns_of_cell_ > finer - 1e-6;
  }

  /// Returns what the detector would have measured if the data are those of a tilted one.
  std::vector<float> views(double tilt_rad) const {
    const std::size_t cells = static_cast<std::size_t>(spec_.detector_columns) *
                              static_cast<std::size_t>(spec_.detector_rows);
    std::vector<float> views(cells * spec_.view_angles_rad.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::ptrdiff_t cell = 0; cell < static_cast<std::ptrdiff_t>(cells); ++cell)
      sample(tilt_rad, static_cast<std::size_t>(cell), cells, views);
    return views;
  }

 private:
  void sample(double tilt_rad, std::size_t cell, std::size_t cells,
              std::vector<float>& views) const {
    const ScanSpec& in = seen_.spec;
    const auto columns = static_cast<std::size_t>(spec_.detector_columns);
    const double u = (static_cast<double>(cell % columns) - spec_.central_column) *
                     spec_.column_pitch_mm,
                 v = (static_cast<double>(cell / columns) - spec_.central_row) * spec_.row_pitch_mm,
                 c = std::cos(tilt_rad), s = std::sin(tilt_rad);
    const Kernel across(in.central_column + (c * u + s * v) / in.column_pitch_mm,
                        std::max(1.0, spec_.column_pitch_mm / in.column_pitch_mm),
                        in.detector_columns),
        along(in.central_row + (c * v - s * u) / in.row_pitch_mm,
              std::max(1.0, spec_.row_pitch_mm / in.row_pitch_mm), in.detector_rows);
    for (std::size_t view = 0; view < in.view_angles_rad.size(); ++view) {
      double sum = 0;
      const float* row = seen_.values.data() +
                         (static_cast<std::ptrdiff_t>(view) * in.detector_rows + along.first) *
                             in.detector_columns +
                         across.first;
      for (const double weight : along.weights) {
        for (std::size_t i = 0; i < across.weights.size(); ++i)
          sum += weight * across.weights[i] * row[i];
        row += in.detector_columns;
      }
      views[view * cells + cell] = static_cast<float>(sum);
    }
  }

  CoarseScan seen_;
  ScanSpec spec_;
  double columns_of_cell_ = 0;
};

/// The data for the tilt that is refined, their derivatives with respect to it, and their weights.
struct TiltedData {
  std::vector<float> values, slope, curvature, weights;

  TiltedData(const RestingDetector& detector, double tilt_rad, const Interrupt* interrupt) {
    const auto at = [&](double by) {
      if (interrupt != nullptr) interrupt->check();
      return detector.views(tilt_rad + by);
    };
    values = at(0);
    std::vector<float> low = at(-slope_step_rad), high = at(slope_step_rad);
    for (std::size_t i = 0; i < values.size(); ++i) {
      slope.push_back(static_cast<float>((high[i] - low[i]) / (2 * slope_step_rad)));
      weights.push_back(std::exp(-0.5F * std::max(0.0F, values[i])));
    }
    low = at(-curvature_step_rad);
    high = at(curvature_step_rad);
    for (std::size_t i = 0; i < values.size(); ++i)
      curvature.push_back(static_cast<float>((high[i] - 2 * values[i] + low[i]) /
                                             (curvature_step_rad * curvature_step_rad)));
  }
};

/// Returns a grid of the volume that the views see, with voxels as large as the cells at the axis;
/// nothing if the grid would reach to the source.
std::optional<VolumeGrid> seen_volume(const ScanSpec& spec) {
  const double sid = spec.source_to_isocenter_mm, sdd = spec.source_to_detector_mm;
  const auto reach = [](double central, int cells, double pitch) {
    return std::max(central + 0.5, cells - 0.5 - central) * pitch;
  };
  const double radius =
      sid * beside_the_beam *
      std::sin(
          std::atan(reach(spec.central_column, spec.detector_columns, spec.column_pitch_mm) / sdd));
  const double voxel = spec.column_pitch_mm * sid / sdd,
               height = reach(spec.central_row, spec.detector_rows, spec.row_pitch_mm) *
                        (sid + radius) / sdd;
  const int n = 2 * static_cast<int>(std::ceil(radius / voxel)),
            slices = static_cast<int>(std::ceil(2 * height / voxel)) + 1;
  if (n * voxel * std::sqrt(0.5) > most_of_way_to_source * sid) return std::nullopt;
  return VolumeGrid::centered(n, n, slices, {voxel, voxel, voxel});
}

/// What a volume does not explain of some views, by the method of conjugate gradients.
class Unexplained {
 public:
  Unexplained(const LinearOperator& A, const std::vector<float>& values, const Array& weights)
      : A_(A),
        values_(Array::from(A.backend(), values)),
        rest_(A.backend(), values.size()),
        solver_(make_cgls(resolve_params({}, cgls_params(), "cgls"))) {
    Problem problem;
    problem.A = &A;
    problem.b = &values_;
    problem.weights = &weights;
    solver_->init(problem);
  }
  void step() { solver_->step(); }
  std::span<const float> rest() {
    A_.forward(solver_->solution(), rest_);
    A_.backend().residual(values_, rest_, nullptr);
    return rest_.host();
  }

 private:
  const LinearOperator& A_;
  Array values_, rest_;
  std::unique_ptr<Solver> solver_;
};

/// The step of the tilt after some iterations, and its spread over views.
struct Step {
  double rad = 0, spread_rad = 0;
};

Step step_of(const TiltedData& data, std::span<const float> rest, std::span<const float> rest_slope,
             std::size_t views) {
  double slope = 0, curvature = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double weight = data.weights[i];
    slope += weight * rest_slope[i] * rest[i];
    curvature +=
        weight * (double{rest_slope[i]} * data.slope[i] + double{rest[i]} * data.curvature[i]);
  }
  const double step = -slope / curvature;
  double square = 0;
  std::vector<double> sums(groups);
  const std::size_t cells = rest.size() / views;
  for (std::size_t view = 0; view < views; ++view) {
    double sum = 0;
    for (std::size_t i = view * cells; i < (view + 1) * cells; ++i)
      sum += double{data.weights[i]} * rest_slope[i] * (rest[i] + step * rest_slope[i]);
    square += sum * sum;
    sums[view * groups / views] += sum;
  }
  double of_groups = 0;
  for (const double sum : sums) of_groups += sum * sum;
  return {step, std::sqrt(std::max(square, of_groups)) / std::abs(curvature)};
}

/// Returns the step of the tilt once further iterations change it little, and its error.
Step converged_step(const TiltedData& data, const ScanSpec& spec, const VolumeGrid& grid,
                    const Interrupt* interrupt) {
  CpuBackend backend;
  const auto A = make_joseph(backend, std::make_shared<const ScanGeometry>(spec), grid, Params{});
  A->set_interrupt(interrupt);
  const Array weights = Array::from(backend, data.weights);
  Unexplained of_views(*A, data.values, weights), of_slope(*A, data.slope, weights);
  std::vector<Step> steps;
  const auto change = [&](std::size_t since) { return steps.back().rad - steps[since].rad; };
  while (steps.size() < most_estimates) {
    for (int i = 0; i < iterations_apart; ++i) {
      of_views.step();
      of_slope.step();
    }
    steps.push_back(step_of(data, of_views.rest(), of_slope.rest(), spec.view_angles_rad.size()));
    const std::size_t n = steps.size();
    if (n >= fewest_estimates && std::abs(change(n - 2)) < settled_rad &&
        std::abs(change(n - 3)) < settled_rad)
      break;
  }
  return {steps.back().rad,
          std::hypot(steps.back().spread_rad, change(steps.size() * 2 / 3 - 1), coarseness_rad)};
}

/// Whether the views see every line through the volume: a whole turn, or, unless the detector is
/// far from the axis on one side, half a turn and the angle of the fan.
bool sees_all_lines(const ScanSpec& spec, double column) {
  const Side across{spec.detector_columns, spec.column_pitch_mm, column};
  const double near = std::min(across.below_mm(), across.above_mm()), far = across.farthest_mm();
  const ViewCircle circle(spec);
  const double enough =
      near < least_symmetry * far ? 2 * pi : pi + 2 * std::atan(far / spec.source_to_detector_mm);
  return circle.covered_rad() > enough - 0.5 * circle.usual_step();
}

bool can_be_refined(const ScanSpec& spec, double column) {
  return spec.beam == Beam::cone && can_be_tilted(spec) &&
         spec.view_angles_rad.size() >= static_cast<std::size_t>(fewest_views) &&
         spec.central_row >= 0 && spec.central_row <= spec.detector_rows - 1 &&
         sees_all_lines(spec, column);
}

}  // namespace

std::optional<DetectorTilt> tilt_from_residual(const ScanGeometry& geometry,
                                               std::span<const float> line_integrals,
                                               const DetectorTilt& found,
                                               const Interrupt* interrupt) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  const double most_error = std::min(clearly_less * found.error_rad, most_error_rad);
  if (most_error <= coarseness_rad || !can_be_refined(geometry.spec(), found.column))
    return std::nullopt;
  const RestingDetector detector(geometry, line_integrals, found);
  if (!detector.is_large()) return std::nullopt;
  const auto grid = seen_volume(detector.spec());
  if (!grid) return std::nullopt;
  const Step step = converged_step(TiltedData(detector, found.tilt_rad, interrupt), detector.spec(),
                                   *grid, interrupt);
  DetectorTilt refined = found;
  refined.tilt_rad += step.rad;
  refined.error_rad = step.spread_rad;
  if (!(refined.error_rad < most_error) || std::abs(step.rad) > most_errors_apart * found.error_rad)
    return std::nullopt;
  return refined;
}

}  // namespace gantry
