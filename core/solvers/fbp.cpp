// Filtered backprojection. With P the line integrals, m how often a ray was measured in the whole
// scan, s_v the share of the turn of view v, and Q the ramp-filtered rows:
//   parallel  f = sum_v s_v Q_v(p),          p = x cos t + y sin t
//   flat fan  f = sum_v s_v Q_v(u) / U^2,    P' = (2/m) P SID / sqrt(SID^2 + u^2) at the isocentre,
//   U = depth / SID arc fan   f = sum_v s_v Q_v(b) / rho^2,  P' = (2/m) P SID cos b, rho the
//   distance from the source
#include "core/solvers/fbp.hpp"

#include "core/base/error.hpp"
#include "core/projectors/projector.hpp"
#include "core/solvers/ramp_filter.hpp"
#include "core/solvers/view_weights.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int view_batch = 32;  // filtered views that are alive at once

class Fbp final : public Solver {
 public:
  Fbp(std::string window, double cutoff, bool nonnegative)
      : window_(std::move(window)), cutoff_(cutoff), nonnegative_(nonnegative) {}

  SolverMemory memory() const override { return {1, 1}; }

 private:
  void do_init() override {
    projector_ = dynamic_cast<const Projector*>(&A());
    if (projector_ == nullptr)
      throw UsageError("filtered backprojection needs a projector, not a stored matrix", "solver",
                       "choose a projector");
    if (projector_->geometry().beam() == Beam::cone)
      throw UsageError("filtered backprojection does not cover cone beams", "solver",
                       "use sirt, sart, os_sart or cgls for this scan");
    filter_ = std::make_unique<RampFilter>(projector_->geometry(), window_, cutoff_);
    shares_ = view_shares_rad(projector_->geometry());
    done_ = false;
  }

  StepReport do_step() override {
    StepReport report;
    report.exhausted = true;
    report.update_norm = 0;
    report.residual_norm = std::sqrt(backend().dot(b(), b()));
    if (done_) return report;
    std::vector<float> rows = b().to_host();
    const std::vector<float> multiplicity = ray_multiplicity(projector_->geometry());
    std::vector<float> mu(A().domain_size(), 0.0F);
    const int views = A().views();
    for (int first = 0; first < views; first += view_batch) {
      A().give_way();
      const int last = std::min(views, first + view_batch);
#pragma omp parallel for schedule(dynamic)
      for (int v = first; v < last; ++v) filter_view(v, multiplicity, rows);
#pragma omp parallel for schedule(dynamic)
      for (int iy = 0; iy < projector_->grid().ny; ++iy) backproject_row(iy, first, last, rows, mu);
    }
    if (nonnegative_)
      for (float& value : mu) value = std::max(value, 0.0F);
    x_ = Array::from(backend(), mu);
    done_ = true;
    report.update_norm = std::sqrt(backend().dot(x_, x_));
    return report;
  }

  void filter_view(int view, const std::vector<float>& multiplicity,
                   std::vector<float>& rows) const {
    const ScanGeometry& geometry = projector_->geometry();
    const ScanSpec& spec = geometry.spec();
    const auto columns = static_cast<std::size_t>(geometry.columns());
    for (int q = 0; q < geometry.rows(); ++q) {
      const std::span<float> row(rows.data() + (static_cast<std::size_t>(view) *
                                                    static_cast<std::size_t>(geometry.rows()) +
                                                static_cast<std::size_t>(q)) *
                                                   columns,
                                 columns);
      if (spec.beam != Beam::parallel)
        for (std::size_t c = 0; c < columns; ++c) {
          // The same cosine for both detectors; an arc keeps lengths in mm at the source distance.
          const double weight =
              std::cos(geometry.fan_angle_rad(static_cast<double>(c))) *
              (spec.detector == DetectorShape::arc ? spec.source_to_isocenter_mm : 1.0);
          row[c] *= static_cast<float>(weight * 2 /
                                       multiplicity[static_cast<std::size_t>(view) * columns + c]);
        }
      filter_->apply(row);
    }
  }

  /// Value of a filtered view at a fractional column and row, linear in both, zero outside.
  double interpolate(const float* view, double column, double row) const {
    const int columns = projector_->geometry().columns(), rows = projector_->geometry().rows();
    if (!(column >= 0 && column <= columns - 1)) return 0;
    const int c = std::min(static_cast<int>(column), columns - 2 < 0 ? 0 : columns - 2),
              c1 = std::min(c + 1, columns - 1);
    const double f = column - c;
    const auto in_row = [&](int q) {
      const float* line = view + static_cast<std::size_t>(q) * static_cast<std::size_t>(columns);
      return (1 - f) * line[c] + f * line[c1];
    };
    if (rows == 1) return in_row(0);
    if (!(row >= -0.5 && row <= rows - 0.5)) return 0;
    const double inside = std::clamp(row, 0.0, rows - 1.0);
    const int q = std::min(static_cast<int>(inside), rows - 2);
    return (1 - (inside - q)) * in_row(q) + (inside - q) * in_row(q + 1);
  }

  void backproject_row(int iy, int first_view, int last_view, const std::vector<float>& rows,
                       std::vector<float>& mu) const {
    const ScanGeometry& geometry = projector_->geometry();
    const ScanSpec& spec = geometry.spec();
    const VolumeGrid& grid = projector_->grid();
    const double sid = spec.source_to_isocenter_mm;
    for (int v = first_view; v < last_view; ++v) {
      const double t = geometry.angle_rad(v), cos_t = std::cos(t), sin_t = std::sin(t);
      const float* view = rows.data() + static_cast<std::size_t>(v) * geometry.cells();
      const double share = shares_[static_cast<std::size_t>(v)];
      for (int ix = 0; ix < grid.nx; ++ix) {
        const Vec3 p = grid.voxel_center_mm(ix, iy, 0);
        const double across = p.x * cos_t + p.y * sin_t, depth = sid - p.x * sin_t + p.y * cos_t;
        double column = 0, weight = share;
        if (spec.beam == Beam::parallel) {
          column = spec.central_column + across / spec.column_pitch_mm;
        } else if (spec.detector == DetectorShape::flat) {
          column = spec.central_column +
                   spec.source_to_detector_mm * across / (depth * spec.column_pitch_mm);
          weight *= sid * sid / (depth * depth);
        } else {
          column = spec.central_column +
                   std::atan2(across, depth) * spec.source_to_detector_mm / spec.column_pitch_mm;
          weight /= across * across + depth * depth;
        }
        for (int iz = 0; iz < grid.nz; ++iz) {
          const double row =
              spec.central_row + grid.voxel_center_mm(0, 0, iz).z / spec.row_pitch_mm;
          mu[grid.index(ix, iy, iz)] += static_cast<float>(weight * interpolate(view, column, row));
        }
      }
    }
  }

  std::string window_;
  double cutoff_;
  bool nonnegative_, done_ = false;
  const Projector* projector_ = nullptr;
  std::unique_ptr<RampFilter> filter_;
  std::vector<double> shares_;
};

}  // namespace

std::vector<ParamSpec> fbp_params() {
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

std::unique_ptr<Solver> make_fbp(const Params& params) {
  return std::make_unique<Fbp>(params.text("window"), params.real("cutoff"),
                               params.flag("nonnegative"));
}

}  // namespace gantry
