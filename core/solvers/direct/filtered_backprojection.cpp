// Filtered backprojection in one step. P are the line integrals, w the redundancy weights (one half
// for a full turn), s_v the angle that view v stands for, and Q the rows of P' after the ramp
// filter:
//   parallel  f = sum_v s_v Q_v(p),            P' = w P,           p = x cos t + y sin t
//   flat      f = sum_v s_v Q_v(u, v) / U^2,   P' = 2 w P cos g,   U = depth / SID
//   arc       f = sum_v s_v Q_v(b, v) / rho^2, P' = 2 w P SID cos g
// If the detector extends further to one side, it is continued on the other side with zeros (where
// w is zero), for the values that the filter spreads to columns where only the opposite ray was
// measured. Rows of objects that are wider than the detector are continued on request, which keeps
// the filter from answering their ends with bright rims. g is the angle between the ray and the
// central ray: cos g = SDD / sqrt(SDD^2 + u^2 + v^2) on a flat detector, cos b SDD / sqrt(SDD^2 +
// v^2) on an arc; in a fan beam v = 0. (Kak and Slaney, Principles of Computerized Tomographic
// Imaging, 1988, sections 3.3, 3.4; Feldkamp, Davis and Kress, J. Opt. Soc. Am. A 1 (1984) 612.)
#include "core/solvers/direct/filtered_backprojection.hpp"

#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/projectors/voxel/voxel_backprojection.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/direct/extrapolated_row.hpp"
#include "core/solvers/direct/ray_redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace gantry {

namespace {

/// Returns how many columns are added at both ends for rows that are continued by a part of their
/// width: fewer where the fan would open beyond 75 degrees.
int extrapolated_columns(const ScanSpec& spec, double extrapolation) {
  const int wanted = std::min(static_cast<int>(std::ceil(extrapolation * spec.detector_columns)),
                              (65536 - spec.detector_columns) / 2);
  if (spec.beam == Beam::parallel) return wanted;
  constexpr double widest_rad = radians(75);
  const double widest_mm =
                   spec.source_to_detector_mm *
                   (spec.detector == DetectorShape::flat ? std::tan(widest_rad) : widest_rad),
               side = std::max(spec.central_column + 0.5,
                               spec.detector_columns - spec.central_column - 0.5),
               room = std::floor(widest_mm / spec.column_pitch_mm - side);
  return static_cast<int>(std::clamp(room, 0.0, static_cast<double>(wanted)));
}

/// The scan with a detector that extends equally far to both sides on request and has room for
/// continued rows, and the number of columns that were added before the first one.
struct WidenedScan {
  ScanGeometry geometry;
  std::size_t lead;

  static WidenedScan of(const ScanGeometry& original, bool both_sides, int extrapolated) {
    ScanSpec spec = original.spec();
    int before = extrapolated, after = extrapolated;
    if (both_sides) {
      const double low = spec.central_column + 0.5, high = spec.detector_columns - low;
      const int room = 65536 - spec.detector_columns - 2 * extrapolated;
      (low < high ? before : after) +=
          static_cast<int>(std::min(std::ceil(std::abs(high - low)), static_cast<double>(room)));
    }
    spec.detector_columns += before + after;
    spec.central_column += before;
    return {ScanGeometry(spec), static_cast<std::size_t>(before)};
  }
};

/// Returns cos g for each cell [row][column], times SID^2 (flat) or SID (arc). With SID^2, 1 / U^2
/// becomes 1 / depth^2 in mm.
std::vector<float> cell_weights(const ScanGeometry& geometry) {
  const ScanSpec& spec = geometry.spec();
  std::vector<float> weight(geometry.cells(), 1.0F);
  if (spec.beam == Beam::parallel) return weight;
  const bool flat = spec.detector == DetectorShape::flat;
  const double sid = spec.source_to_isocenter_mm, scale = flat ? sid * sid : sid;
  const auto columns = static_cast<std::size_t>(geometry.columns());
  for (std::size_t cell = 0; cell < weight.size(); ++cell) {
    const double b = geometry.fan_angle_rad(static_cast<double>(cell % columns));
    const double v = spec.beam != Beam::cone
                         ? 0
                         : (static_cast<double>(cell / columns) - spec.central_row) *
                               spec.row_pitch_mm / spec.source_to_detector_mm;
    // On a flat detector cos g = 1 / sqrt(1 + u^2 + v^2) with u = tan b.
    const double rise = flat ? v * std::cos(b) : v;
    weight[cell] = static_cast<float>(scale * std::cos(b) / std::sqrt(1 + rise * rise));
  }
  return weight;
}

/// Appends w s_v (parallel) or 2 w s_v for each column of a view at this angle, which stands for an
/// angle s_v.
void add_column_weights(const ScanGeometry& scan, const RayRedundancy& redundancy, double angle_rad,
                        double width_rad, std::vector<float>& weights) {
  const double scale = scan.beam() == Beam::parallel ? 1 : 2;
  for (int c = 0; c < scan.columns(); ++c)
    weights.push_back(
        static_cast<float>(scale * width_rad * redundancy.weight(angle_rad, redundancy.place(c))));
}

class CpuFilteredSum final : public FilteredSum {
 public:
  CpuFilteredSum(const Projector& projector, FilteringPlan plan)
      : plan_(std::move(plan)),
        projector_(projector),
        backprojection_(projector, plan_.widened, 2) {}

 private:
  void do_compute(const Array& rays, Array& mu) const override {
    mu.backend().fill(mu, 0.0F);
    backprojection_.add(
        ViewSubset::all(plan_.widened.views()),
        [&](std::span<const int> views, float* rows) { filter_views(rays.data(), views, rows); },
        mu.data());
  }

  /// Computes s_v Q_v of some views on the widened detector. Two rows pass the filter at a time.
  void filter_views(const float* rays, std::span<const int> views, float* out) const {
    const ScanGeometry& geometry = projector_.geometry();
    const auto columns = static_cast<std::size_t>(plan_.widened.columns()),
               rows = static_cast<std::size_t>(geometry.rows()), count = views.size() * rows;
    ParallelErrors errors;
#pragma omp parallel
    {
      std::vector<float> resampled(plan_.resampling ? geometry.cells() : 0);
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < views.size(); ++i) {
        const int measured = plan_.measured_view[static_cast<std::size_t>(views[i])];
        const float* view = rays + static_cast<std::size_t>(measured) * geometry.cells();
        if (plan_.resampling) {
          plan_.resampling->resample(measured, view, resampled.data());
          view = resampled.data();
        }
        weight_view(view, views[i], out + i * rows * columns);
      }
#pragma omp for schedule(static)
      for (std::size_t row = 0; row < count; row += 2)
        errors.run([&] {
          const std::size_t second = row + 1 < count ? columns : 0;
          plan_.filter.apply({out + row * columns, columns}, {out + (row + 1) * columns, second});
        });
    }
    errors.rethrow();
  }

  void weight_view(const float* rays, int view, float* out) const {
    const ScanGeometry& geometry = projector_.geometry();
    const auto columns = static_cast<std::size_t>(geometry.columns()),
               wide = static_cast<std::size_t>(plan_.widened.columns());
    const float* factor = plan_.column_weight.data() + static_cast<std::size_t>(view) * columns;
    std::fill_n(out, wide * static_cast<std::size_t>(geometry.rows()), 0.0F);
    out += plan_.lead;
    for (std::size_t cell = 0; cell < geometry.cells(); out += wide) {
      for (std::size_t c = 0; c < columns; ++c, ++cell)
        out[c] = rays[cell] * plan_.cell_weight[cell] * factor[c];
      extrapolate_row({out - plan_.lead, wide}, plan_.lead, columns, plan_.extrapolated);
    }
  }

  FilteringPlan plan_;
  const Projector& projector_;
  VoxelBackprojection backprojection_;
};

class FilteredBackprojection final : public Solver, public CarriesState {
 public:
  FilteredBackprojection(const SolverTraits& traits, const Params& params,
                         SuitableScan require_suitable, FilteredSumMaker make_sum)
      : Solver(traits),
        window_(params.text("window")),
        cutoff_(params.real("cutoff")),
        extrapolation_(params.real("extrapolation")),
        nonnegative_(params.flag("nonnegative")),
        interpolate_gaps_(params.flag("interpolate_gaps")),
        require_suitable_(require_suitable),
        make_sum_(std::move(make_sum)) {}

  // The image is computed in a second array, since the first one may be displayed meanwhile.
  SolverMemory memory(const OperatorMemory&) const override { return {2, 0}; }
  CarriedState carried() override { return {{&x_}, {&done_}}; }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  void do_init() override {
    const auto* projector = dynamic_cast<const Projector*>(&A());
    if (projector == nullptr)
      throw UsageError(
          "filtered backprojection needs the geometry of a scan, which this operator does not have",
          "solver", "choose a projector");
    sum_ = make_sum_(*projector, plan_for(projector->geometry()));
    growing_ = image();
    done_ = false;
  }

  FilteringPlan plan_for(const ScanGeometry& scan) {
    std::shared_ptr<const CircleResampling> resampling;  // of free poses
    if (!scan.rotates())
      resampling = std::make_shared<const CircleResampling>(scan, "filtered backprojection");
    const ScanGeometry& circle = resampling ? resampling->circle() : scan;
    require_suitable_(circle);
    notes_.clear();
    if (resampling) notes_.push_back(resampling->note());
    const InterpolatedViews interpolated =
        interpolate_gaps_ ? InterpolatedViews(circle) : InterpolatedViews();
    const std::string uneven = uneven_views_note(interpolated.redundancy(circle).coverage());
    for (const std::string& note : {interpolated.note(), uneven})
      if (!note.empty()) notes_.push_back(note);
    FilteringPlan plan = FilteringPlan::of(circle, interpolated, window_, cutoff_, extrapolation_);
    plan.resampling = resampling;
    return plan;
  }

  StepReport do_step() override {
    StepReport report;
    report.exhausted = true;
    report.update_norm = 0;
    report.residual_norm = std::sqrt(backend().dot(b(), b()));
    if (done_) return report;
    sum_->compute(b(), growing_);
    if (nonnegative_) backend().clamp(growing_, 0, std::numeric_limits<float>::max());
    x_ = std::exchange(growing_, Array());
    done_ = true;
    report.update_norm = std::sqrt(backend().dot(x_, x_));
    return report;
  }

  std::string window_;
  double cutoff_, extrapolation_;
  bool nonnegative_, interpolate_gaps_, done_ = false;
  SuitableScan require_suitable_;
  FilteredSumMaker make_sum_;
  std::vector<std::string> notes_;
  std::unique_ptr<FilteredSum> sum_;
  Array growing_;
};

}  // namespace

FilteringPlan FilteringPlan::of(const ScanGeometry& geometry, const InterpolatedViews& interpolated,
                                const std::string& window, double cutoff, double extrapolation) {
  const int extrapolated = extrapolated_columns(geometry.spec(), extrapolation);
  const RayRedundancy redundancy = interpolated.redundancy(geometry);
  std::vector<int> measured_view(static_cast<std::size_t>(geometry.views()));
  std::iota(measured_view.begin(), measured_view.end(), 0);
  std::vector<float> column_weight;
  for (const int view : measured_view)
    add_column_weights(geometry, redundancy, geometry.angle_rad(view),
                       redundancy.coverage().view_widths_rad()[static_cast<std::size_t>(view)],
                       column_weight);
  ScanSpec spec = geometry.spec();
  for (const InterpolatedViews::Part& part : interpolated.parts()) {
    measured_view.push_back(part.measured);
    spec.view_angles_rad.push_back(part.angle_rad);
    add_column_weights(geometry, redundancy, part.angle_rad, part.width_rad * part.factor,
                       column_weight);
  }
  WidenedScan widened = WidenedScan::of(ScanGeometry(spec), redundancy.tells_sides(), extrapolated);
  RampFilter filter(widened.geometry, window, cutoff);
  return {std::move(widened.geometry),
          std::move(measured_view),
          widened.lead,
          std::move(filter),
          cell_weights(geometry),
          std::move(column_weight),
          static_cast<std::size_t>(extrapolated)};
}

FilteringPlan FilteringPlan::part(std::span<const int> views, Range rows) const {
  const auto columns =
      static_cast<std::ptrdiff_t>(cell_weight.size()) / static_cast<std::ptrdiff_t>(widened.rows());
  std::vector<int> number(measured_view.size(), -1), kept, measured;  // of a view in the part
  for (std::size_t i = 0; i < views.size(); ++i)
    number[static_cast<std::size_t>(views[i])] = static_cast<int>(i);
  for (std::size_t v = 0; v < measured_view.size(); ++v) {
    const int in_part = number[static_cast<std::size_t>(measured_view[v])];
    if (in_part < 0) continue;
    kept.push_back(static_cast<int>(v));
    measured.push_back(in_part);
  }
  FilteringPlan part{
      *part_of_scan(widened, kept, rows),
      std::move(measured),
      lead,
      filter,
      {cell_weight.begin() + rows.first * columns, cell_weight.begin() + rows.last * columns},
      {},
      extrapolated,
      resampling};
  for (const int view : kept) {
    const auto first = column_weight.begin() + view * columns;
    part.column_weight.insert(part.column_weight.end(), first, first + columns);
  }
  return part;
}

Range FilteringPlan::rows_that_see(int measured, const VolumeGrid& part) const {
  Range rows;
  for (int view = 0; view < widened.views(); ++view) {
    if (measured_view[static_cast<std::size_t>(view)] != measured) continue;
    const Range seen = gantry::rows_that_see(widened, view, part);
    if (seen.empty()) continue;
    rows = rows.empty() ? seen
                        : Range{std::min(rows.first, seen.first), std::max(rows.last, seen.last)};
  }
  return rows;
}

std::unique_ptr<FilteredSum> make_cpu_filtered_sum(const Projector& projector, FilteringPlan plan) {
  return std::make_unique<CpuFilteredSum>(projector, std::move(plan));
}

std::vector<ParamSpec> filtered_backprojection_params() {
  return {{.key = "window",
           .label = "Window",
           .unit = "",
           .fallback = std::string("ram-lak"),
           .choices = ramp_windows(),
           .help = "Damps high frequencies: ram-lak not at all (sharpest), hann most (calmest on "
                   "noisy data).",
           .in_names = ""},
          {.key = "cutoff",
           .label = "Cut-off",
           .unit = "of Nyquist",
           .fallback = 1.0,
           .min = 0.05,
           .max = 1.0,
           .step = 0.05,
           .help = "Frequencies above this share of the detector's limit are removed."},
          {.key = "nonnegative",
           .label = "Non-negative",
           .unit = "",
           .fallback = false,
           .help = "Sets negative values of the result to zero."},
          {.key = "extrapolation",
           .label = "Extrapolation",
           .unit = "of the width",
           .fallback = 0.0,
           .min = 0,
           .max = 1,
           .step = 0.05,
           .help = "For objects wider than the detector: its rows are continued smoothly by this "
                   "part of their width at both ends, against bright rims. 0.25 to 0.5 for most; "
                   "0: none. On the CPU only."},
          {.key = "interpolate_gaps",
           .label = "Fill gaps",
           .unit = "",
           .fallback = true,
           .help = "Interpolates what no view measured in gaps of 10 to 45 degrees between views. "
                   "Better for large objects; small dense and thin ones off the axis may become "
                   "worse."}};
}

FilteredSumMaker refusing_poses(FilteredSumMaker make_sum, const std::string& method) {
  return [make_sum = std::move(make_sum), method](const Projector& projector, FilteringPlan plan) {
    if (plan.resampling)
      throw UsageError(method + " resamples free poses on the CPU only", "backend",
                       "choose the backend cpu, or an iterative solver");
    return make_sum(projector, std::move(plan));
  };
}

void refuse_extrapolation(const Params& params, const std::string& owner) {
  if (params.real("extrapolation") > 0)
    throw UsageError("rows are continued on the CPU only", owner + ".extrapolation",
                     "choose the backend cpu, or 0");
}

std::unique_ptr<Solver> make_filtered_backprojection(const SolverTraits& traits,
                                                     const Params& params,
                                                     SuitableScan require_suitable,
                                                     FilteredSumMaker make_sum) {
  return std::make_unique<FilteredBackprojection>(traits, params, require_suitable,
                                                  std::move(make_sum));
}

bool filtered_start(const LinearOperator& A, const Array& b, const FilteredSumMaker& make_sum,
                    Array& x) {
  const auto* projector = dynamic_cast<const Projector*>(&A);
  if (projector == nullptr || projector->geometry().spec().trajectory != Trajectory::circular)
    return false;
  const ScanGeometry& scan = projector->geometry();
  make_sum(*projector, FilteringPlan::of(scan, InterpolatedViews(scan), "hann", 1))->compute(b, x);
  return true;
}

}  // namespace gantry
