// Filtered backprojection in one step. With P the line integrals, w the redundancy weights (one
// half for a full turn), s_v the share of the turn of view v, and Q the rows of P' through the
// ramp:
//   parallel  f = sum_v s_v Q_v(p),            P' = P,             p = x cos t + y sin t
//   flat      f = sum_v s_v Q_v(u, v) / U^2,   P' = 2 w P cos g,   U = depth / SID
//   arc       f = sum_v s_v Q_v(b, v) / rho^2, P' = 2 w P SID cos g
// A detector that reaches further to one side is continued to the other with zeros (they have
// weight zero there), for what the filter spreads to where only the opposite ray was measured. g is
// the angle between the ray and the central ray: cos g = SDD / sqrt(SDD^2 + u^2 + v^2) on a flat
// detector, cos b SDD / sqrt(SDD^2 + v^2) on an arc; a fan has no v. (Kak and Slaney, Principles of
// Computerized Tomographic Imaging, 1988, sections 3.3, 3.4; Feldkamp, Davis and Kress, J. Opt.
// Soc. Am. A 1 (1984) 612.)
#include "core/solvers/filtered_backprojection.hpp"

#include "core/base/error.hpp"
#include "core/projectors/voxel_backprojection.hpp"
#include "core/solvers/ramp_filter.hpp"
#include "core/solvers/ray_redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace gantry {

namespace {

/// The scan with its detector made as wide on both sides, and by how many columns it grew in front.
struct WidenedScan {
  ScanGeometry geometry;
  std::size_t lead;

  static WidenedScan of(const ScanGeometry& original) {
    ScanSpec spec = original.spec();
    if (spec.beam == Beam::parallel) return {original, 0};
    const double low = spec.central_column + 0.5, high = spec.detector_columns - low;
    const int missing = static_cast<int>(std::min(std::ceil(std::abs(high - low)), 65536.0)),
              added = std::min(missing, 65536 - spec.detector_columns);
    spec.detector_columns += added;
    if (low < high) spec.central_column += added;
    return {ScanGeometry(spec), static_cast<std::size_t>(low < high ? added : 0)};
  }
};

class FilteredBackprojection final : public Solver {
 public:
  FilteredBackprojection(std::string window, double cutoff, bool nonnegative,
                         void (*require_suitable)(const ScanGeometry&))
      : window_(std::move(window)),
        cutoff_(cutoff),
        nonnegative_(nonnegative),
        require_suitable_(require_suitable) {}

  // The image grows beside the one that is shown, and takes its place when it is done.
  SolverMemory memory() const override { return {2, 0}; }

 private:
  void do_init() override {
    const auto* projector = dynamic_cast<const Projector*>(&A());
    if (projector == nullptr)
      throw UsageError("filtered backprojection needs a projector, not a stored matrix", "solver",
                       "choose a projector");
    require_suitable_(projector->geometry());
    geometry_ = &projector->geometry();
    redundancy_.emplace(*geometry_);
    widened_.emplace(WidenedScan::of(*geometry_));
    filter_.emplace(widened_->geometry, window_, cutoff_);
    backprojection_.emplace(*projector, widened_->geometry, 2);
    set_cell_weights();
    growing_ = image();
    done_ = false;
  }

  StepReport do_step() override {
    StepReport report;
    report.exhausted = true;
    report.update_norm = 0;
    report.residual_norm = std::sqrt(backend().dot(b(), b()));
    if (done_) return report;
    if (backend().kind() == BackendKind::cpu) {
      backend().fill(growing_, 0.0F);
      backproject(b().data(), growing_.data());
    } else {
      std::vector<float> mu(A().domain_size(), 0.0F);
      backproject(b().to_host().data(), mu.data());
      backend().upload(mu.data(), growing_.data(), mu.size());
    }
    if (nonnegative_) backend().clamp(growing_, 0, std::numeric_limits<float>::max());
    x_ = std::exchange(growing_, Array());
    done_ = true;
    report.update_norm = std::sqrt(backend().dot(x_, x_));
    return report;
  }

  void backproject(const float* rays, float* mu) const {
    backprojection_->add(
        A().all(),
        [&](std::span<const int> views, float* rows) { filter_views(rays, views, rows); }, mu);
  }

  /// s_v Q_v of some views, on the widened detector. Two rows at a time go through the filter.
  void filter_views(const float* rays, std::span<const int> views, float* out) const {
    const auto columns = static_cast<std::size_t>(widened_->geometry.columns()),
               rows = static_cast<std::size_t>(geometry_->rows()), count = views.size() * rows;
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < views.size(); ++i)
        weight_view(rays + static_cast<std::size_t>(views[i]) * geometry_->cells(), views[i],
                    out + i * rows * columns);
#pragma omp for schedule(static)
      for (std::size_t row = 0; row < count; row += 2) {
        const std::size_t second = row + 1 < count ? columns : 0;
        filter_->apply({out + row * columns, columns}, {out + (row + 1) * columns, second});
      }
    }
  }

  void weight_view(const float* rays, int view, float* out) const {
    const auto columns = static_cast<std::size_t>(geometry_->columns()),
               wide = static_cast<std::size_t>(widened_->geometry.columns());
    std::vector<float> factor(columns);
    const double share = redundancy_->coverage().shares_rad()[static_cast<std::size_t>(view)];
    for (std::size_t c = 0; c < columns; ++c)
      factor[c] =
          static_cast<float>(2 * share *
                             redundancy_->weight(geometry_->angle_rad(view),
                                                 geometry_->fan_angle_rad(static_cast<double>(c))));
    std::fill_n(out, wide * static_cast<std::size_t>(geometry_->rows()), 0.0F);
    out += widened_->lead;
    for (std::size_t cell = 0; cell < geometry_->cells(); out += wide)
      for (std::size_t c = 0; c < columns; ++c, ++cell)
        out[c] = rays[cell] * cell_weight_[cell] * factor[c];
  }

  /// cos g for each cell [row][column], times what makes 1/U^2 or 1/rho^2 of distances in mm.
  void set_cell_weights() {
    const ScanSpec& spec = geometry_->spec();
    cell_weight_.assign(geometry_->cells(), 1.0F);
    if (spec.beam == Beam::parallel) return;
    const bool flat = spec.detector == DetectorShape::flat;
    const double sid = spec.source_to_isocenter_mm, scale = flat ? sid * sid : sid;
    const auto columns = static_cast<std::size_t>(geometry_->columns());
    for (std::size_t cell = 0; cell < cell_weight_.size(); ++cell) {
      const double b = geometry_->fan_angle_rad(static_cast<double>(cell % columns));
      const double v = spec.beam != Beam::cone
                           ? 0
                           : (static_cast<double>(cell / columns) - spec.central_row) *
                                 spec.row_pitch_mm / spec.source_to_detector_mm;
      // On a flat detector 1 / sqrt(1 + u^2 + v^2) with u = tan b.
      const double rise = flat ? v * std::cos(b) : v;
      cell_weight_[cell] = static_cast<float>(scale * std::cos(b) / std::sqrt(1 + rise * rise));
    }
  }

  std::string window_;
  double cutoff_;
  bool nonnegative_, done_ = false;
  void (*require_suitable_)(const ScanGeometry&);
  const ScanGeometry* geometry_ = nullptr;
  std::optional<WidenedScan> widened_;
  std::optional<RampFilter> filter_;
  std::optional<RayRedundancy> redundancy_;
  std::optional<VoxelBackprojection> backprojection_;
  std::vector<float> cell_weight_;
  Array growing_;
};

}  // namespace

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
           .help = "Sets negative values of the result to zero."}};
}

std::unique_ptr<Solver> make_filtered_backprojection(
    const Params& params, void (*require_suitable)(const ScanGeometry&)) {
  return std::make_unique<FilteredBackprojection>(params.text("window"), params.real("cutoff"),
                                                  params.flag("nonnegative"), require_suitable);
}

}  // namespace gantry
