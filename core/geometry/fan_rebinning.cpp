// Cone-beam single-slice rebinning (CB-SSRB): Noo, Defrise and Clackdoyle, "Single-slice rebinning
// method for helical cone-beam CT", Phys. Med. Biol. 44 (1999) 561-570. The source of a view
// stands at height z_s. The fan ray in slice z with the fan angle g takes its value from the
// measured ray of that view and column that meets the slice in the middle of the chord, i.e. where
// the fan ray passes the axis, at the distance R cos g from the source (R: SID). The measured ray
// climbs by tan e = dz / (R cos g), where dz = z - z_s. Let L be the in-plane distance from the
// source to the cell; then the measured ray lands at the height v on the detector, with
//   v = L tan e,  fan = cos e * cone(v),  cos e = L / sqrt(L^2 + v^2).
// The factor cos e accounts for the path of the tilted ray, which is longer by 1 / cos e in an
// object that does not change along z. With D = SDD, and u and v on the detector:
//   flat: L = sqrt(u^2 + D^2), cos g = D / L:  v = dz (u^2 + D^2) / (R D),
//         fan = cone sqrt(u^2 + D^2) / sqrt(u^2 + v^2 + D^2);
//   arc:  L = D:                               v = dz D / (R cos g).
// Between detector rows the data are interpolated linearly.
//
// Each slice uses the full turn of views whose sources stand nearest to the slice, so that all
// slices have the same view angles. The sources are then up to half the feed away from the slice; a
// short scan would need only nearer ones.
#include "core/geometry/fan_rebinning.hpp"

#include "core/base/error.hpp"
#include "core/base/for_lines.hpp"
#include "core/base/text_stream.hpp"
#include "core/geometry/change_beam.hpp"
#include "core/geometry/default_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

constexpr const char* where = "rebinning to fans";

/// The largest tan e, for 2.5 degrees; the outermost of 64 rows of a clinical scanner have 2.1.
const double steepest = std::tan(radians(2.5));

std::string format(double value) {
  TextStream text;
  text.precision(6);
  text << value;
  return text.str();
}

double source_z_mm(const ScanGeometry& cone, int view) { return cone.view(view).source_mm.z; }

void require_cone(const ScanGeometry& cone) {
  if (!cone.rotates())
    throw UsageError("free poses have no turns to rebin", where,
                     "reconstruct the scan as it is, with sirt or cgls");
  if (cone.beam() != Beam::cone)
    throw UsageError("only a cone beam can be rebinned; the rows of a " +
                         std::string(cone.beam() == Beam::fan ? "fan" : "parallel") +
                         " beam are slices already",
                     where, "reconstruct the scan as it is");
  const ScanSpec& spec = cone.spec();
  if (spec.trajectory == Trajectory::helical && spec.helical_feed_mm_per_turn == 0)
    throw UsageError("the helix does not climb", where,
                     "give helical_feed_mm_per_turn, or set \"trajectory\" to \"circular\"");
}

/// Returns the number of views in one turn of a helix, after which the view angles repeat; for a
/// circle, the number of all views. Throws UsageError if the views cover less than a turn or a turn
/// is not a whole number of steps.
int views_a_turn(const ScanGeometry& cone) {
  constexpr double tolerance = 1e-3;  // part of a step
  if (cone.spec().trajectory != Trajectory::helical) return cone.views();
  const double span = cone.angle_rad(cone.views() - 1) - cone.angle_rad(0),
               step = cone.views() > 1 ? span / (cone.views() - 1) : 0,
               exact = step == 0 ? 0 : 2 * pi / std::abs(step);
  if (exact < 0.5 || exact > cone.views() * (1 + 1e-9))
    throw UsageError("the views cover " + format(degrees(std::abs(span + step))) +
                         " degrees, a slice takes a full turn",
                     where, "give 360 degrees or more");
  const int count = static_cast<int>(std::round(exact));
  for (int v = count; v < cone.views(); ++v)
    if (std::abs(cone.angle_rad(v) - cone.angle_rad(v - count) - std::copysign(2 * pi, step)) >
        tolerance * std::abs(step))
      throw UsageError(
          "a turn has " + format(exact) + " views, and the next one does not repeat their angles",
          where, "give steps of which a whole number are a turn");
  return count;
}

/// Returns the range of dz = (height of a slice) - (height of the source), mm, for which a view can
/// be used: the ray through the axis must land on the detector and climb by at most 2.5 degrees.
AxialRange reach_mm(const ScanGeometry& cone) {
  const ScanSpec& spec = cone.spec();
  const double pitch = cone.row_pitch_at_isocenter_mm(),
               limit = steepest * spec.source_to_isocenter_mm;
  const AxialRange reach{std::max((-0.5 - spec.central_row) * pitch, -limit),
                         std::min((spec.detector_rows - 0.5 - spec.central_row) * pitch, limit)};
  if (reach.low > 0 || reach.high < 0)
    throw UsageError("the detector does not see the plane of the source's circle", where,
                     "check central_row");
  return reach;
}

/// Throws UsageError if half the feed of a turn exceeds a limit of dz: at some heights no view
/// could then be used.
void require_feed(const ScanGeometry& cone, const AxialRange& reach) {
  const double feed = std::abs(cone.spec().helical_feed_mm_per_turn),
               most = 2 * std::min(-reach.low, reach.high);
  if (feed > most * (1 + 1e-9))
    throw UsageError("the pitch is too great: a turn climbs " + format(feed) +
                         " mm, and the rows reach over " + format(most) +
                         " mm at the axis (within 2.5 degrees)",
                     where, "reconstruct the cone as it is, with sirt or cgls");
}

/// Returns the fan-beam scan of all slices: one detector row per slice, and the views of one turn,
/// with the first angle in 0 to 2 pi.
std::shared_ptr<const ScanGeometry> fans_of(const ScanGeometry& cone, const VolumeGrid& grid) {
  ScanSpec spec = with_beam(cone.spec(), Beam::fan, grid);
  if (cone.spec().trajectory == Trajectory::helical) {
    spec.view_angles_rad.resize(static_cast<std::size_t>(views_a_turn(cone)));
    const double whole_turns = 2 * pi * std::floor(spec.view_angles_rad.front() / (2 * pi));
    for (double& angle : spec.view_angles_rad) angle -= whole_turns;
  }
  return std::make_shared<const ScanGeometry>(std::move(spec));
}

}  // namespace

AxialRange rebinning_range_mm(const ScanGeometry& cone) {
  require_cone(cone);
  const int turn = views_a_turn(cone);
  const AxialRange reach = reach_mm(cone);
  require_feed(cone, reach);
  AxialRange range{-std::numeric_limits<double>::infinity(),
                   std::numeric_limits<double>::infinity()};
  for (int k = 0; k < turn; ++k) {
    const int last = k + (cone.views() - 1 - k) / turn * turn;
    const auto [low, high] = std::minmax({source_z_mm(cone, k), source_z_mm(cone, last)});
    range.low = std::max(range.low, low + reach.low);
    range.high = std::min(range.high, high + reach.high);
  }
  return range;
}

VolumeGrid rebinnable_slices(const ScanGeometry& cone, const VolumeGrid& grid) {
  const AxialRange range = rebinning_range_mm(cone);
  const double slice = grid.spacing_mm.z, tolerance = 1e-6;
  const double first = std::max(0.0, std::ceil((range.low - grid.origin_mm.z) / slice - tolerance)),
               last = std::min(grid.nz - 1.0,
                               std::floor((range.high - grid.origin_mm.z) / slice + tolerance));
  if (first > last)
    throw UsageError("no slice of the grid lies between " + format(range.low) + " and " +
                         format(range.high) + " mm, where a full turn sees it",
                     where, "move the grid, or leave it out");
  VolumeGrid kept = grid;
  kept.nz = static_cast<int>(last - first) + 1;
  kept.origin_mm.z += first * slice;
  return kept;
}

VolumeGrid rebinned_grid(const ScanGeometry& cone, double slice_mm, int slices) {
  VolumeGrid grid = default_grid(cone);
  if (slice_mm == 0 && slices == 0) return rebinnable_slices(cone, grid);
  const AxialRange range = rebinning_range_mm(cone);
  if (slice_mm > 0) grid.spacing_mm.z = slice_mm;
  constexpr double most = 65536;
  const double fit = 1 + std::floor((range.high - range.low) / grid.spacing_mm.z + 1e-6);
  grid.nz = slices > 0 ? slices : static_cast<int>(std::min(fit, most));
  grid.origin_mm.z = 0.5 * (range.low + range.high - (grid.nz - 1) * grid.spacing_mm.z);
  return grid;
}

FanRebinning::FanRebinning(const ScanGeometry& cone, const VolumeGrid& grid)
    : cone_rays_(cone.rays()),
      cone_rows_(cone.rows()),
      row_pitch_mm_(cone.spec().row_pitch_mm),
      central_row_(cone.spec().central_row) {
  grid.validate("grid");
  const AxialRange range = rebinning_range_mm(cone);
  const double tolerance = 1e-6 * grid.spacing_mm.z;
  for (const int iz : {0, grid.nz - 1}) {
    const double z = grid.voxel_center_mm(0, 0, iz).z;
    if (z < range.low - tolerance || z > range.high + tolerance)
      throw UsageError("slice " + std::to_string(iz) + " lies at " + format(z) +
                           " mm; those from " + format(range.low) + " to " + format(range.high) +
                           " mm can be rebinned",
                       where, "keep the grid's slices between these, or leave the grid out");
  }
  fans_ = fans_of(cone, grid);
  const ScanSpec& spec = cone.spec();
  for (int column = 0; column < cone.columns(); ++column) {
    const double cosine = std::cos(cone.fan_angle_rad(column)), sdd = spec.source_to_detector_mm;
    reach_mm_.push_back(spec.detector == DetectorShape::arc ? sdd : sdd / cosine);
    rows_per_mm_.push_back(reach_mm_.back() /
                           (spec.source_to_isocenter_mm * cosine * spec.row_pitch_mm));
  }
  choose_sources(cone, grid);
  count_beyond();
}

void FanRebinning::choose_sources(const ScanGeometry& cone, const VolumeGrid& grid) {
  const int turn = fans_->views();
  std::vector<double> heights(static_cast<std::size_t>(cone.views()));
  for (int v = 0; v < cone.views(); ++v)
    heights[static_cast<std::size_t>(v)] = source_z_mm(cone, v);
  sources_.reserve(static_cast<std::size_t>(turn) * static_cast<std::size_t>(grid.nz));
  for (int k = 0; k < turn; ++k)
    for (int iz = 0; iz < grid.nz; ++iz) {
      const double z = grid.voxel_center_mm(0, 0, iz).z;
      Source nearest{k, std::numeric_limits<double>::infinity()};
      for (int v = k; v < cone.views(); v += turn) {
        const double dz = z - heights[static_cast<std::size_t>(v)];
        if (std::abs(dz) < std::abs(nearest.dz_mm)) nearest = {v, dz};
      }
      sources_.push_back(nearest);
    }
}

/// Counts the fan rays whose measured ray would land beyond the first or last detector row. Sorting
/// the columns by rows_per_mm_ lets a binary search find, for each source, the columns that are
/// affected.
void FanRebinning::count_beyond() {
  constexpr double tolerance = 1e-6;  // part of a row
  std::vector<double> steepness = rows_per_mm_;
  std::ranges::sort(steepness);
  for (const Source& source : sources_) {
    if (source.dz_mm == 0) continue;
    const double room = source.dz_mm > 0 ? cone_rows_ - 0.5 - central_row_ : central_row_ + 0.5;
    const auto first =
        std::ranges::upper_bound(steepness, (room + tolerance) / std::abs(source.dz_mm));
    beyond_ += static_cast<std::size_t>(steepness.end() - first);
  }
}

std::string FanRebinning::note() const {
  if (beyond_ == 0) return {};
  TextStream text;
  text.precision(2);
  text << beyond_ << " rays of the fans ("
       << 100.0 * static_cast<double>(beyond_) / static_cast<double>(fans_->rays())
       << " %) pass beyond the detector's rows, at the fan's edge, and were taken from the "
          "outermost row: a smaller pitch would see them";
  return text.str();
}

void FanRebinning::apply(std::span<const float> cone, std::span<float> fans,
                         const Interrupt* interrupt) const {
  if (cone.size() != cone_rays_ || fans.size() != fans_->rays())
    throw ShapeError("line integrals to rebin do not have their scan's size");
  const std::size_t columns = reach_mm_.size(), rows = static_cast<std::size_t>(cone_rows_),
                    slices = static_cast<std::size_t>(fans_->rows());
  for_lines(fans_->views(), interrupt, [&](std::ptrdiff_t view) {
    for (std::size_t slice = 0; slice < slices; ++slice) {
      const std::size_t line = static_cast<std::size_t>(view) * slices + slice;
      const Source& source = sources_[line];
      const float* const measured =
          cone.data() + static_cast<std::size_t>(source.view) * rows * columns;
      for (std::size_t c = 0; c < columns; ++c) {
        const double row = std::clamp(central_row_ + source.dz_mm * rows_per_mm_[c], 0.0,
                                      static_cast<double>(rows - 1));
        const auto below = static_cast<std::size_t>(row);
        const std::size_t above = std::min(below + 1, rows - 1);
        const double share = row - static_cast<double>(below),
                     value = (1 - share) * measured[below * columns + c] +
                             share * measured[above * columns + c];
        // cos e = L / sqrt(L^2 + v^2)
        const double v = (row - central_row_) * row_pitch_mm_;
        fans[line * columns + c] = static_cast<float>(
            value * reach_mm_[c] / std::sqrt(reach_mm_[c] * reach_mm_[c] + v * v));
      }
    }
  });
}

}  // namespace gantry
