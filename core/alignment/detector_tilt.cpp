// P(t, x, z) is the line integral in direction t at distance x from the axis; z is the height at
// the point nearest to the axis. Q = P(t + pi, -x, z) is measured from the other side. In a cone
// beam the two rays have the slopes k and -k, k = z / (SID cos b). To first order
//   P - Q = 2 k J + 2 a (u Pv - v Pu) - 2 e Pu,
// where a is the tilt, e the displacement of the axis along u, (u, v) the position on the
// detector, and Pu, Pv the derivatives there of the mean of P and Q. J is the integral of s df/dz
// along the line, with s measured from the point nearest to the axis. It follows from John's
// equation (Duke Math. J. 4 (1938) 300):
//   dJ/dx = -d2P / dt dz,  and J = 0 beside the object.
// Tilt and axis are found by least squares (Gauss and Newton). Noise of P - Q is independent of
// that of P + Q, so that noise does not bias the solution.
#include "core/alignment/detector_tilt.hpp"

#include "core/alignment/coarse_scan.hpp"
#include "core/alignment/conjugate_rays.hpp"
#include "core/alignment/line_weights.hpp"
#include "core/alignment/opposite_views.hpp"
#include "core/alignment/view_circle.hpp"
#include "core/base/binomial_filter.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr int most_views = 360, most_cells = 256, fewest_rows = 8;
constexpr int most_directions =
    4 * most_views;  // of a turn; views that are closer see a small part
constexpr double most_tilt_rad = 5 * pi / 180, most_error_rad = 0.25 * pi / 180;
constexpr double most_mismatch = 0.1;
constexpr int most_rounds = 8;
/// Displacement of smoothed values that linear interpolation may cause.
constexpr double interpolated_cells = 0.005;
constexpr double settled_rad = 3e-6;
/// Directions to both sides over which the change from view to view is taken, and their largest
/// angle. J sums up the noise of this change, which is the less the longer the way; the structure
/// of the object must not turn by much more than the views are smoothed.
constexpr int most_slope_directions = 3;
constexpr double most_slope_rad = 5 * std::numbers::pi / 180;
/// Number of neighbouring lines, along columns and rows, that share their noise, because they are
/// smoothed by a Gaussian as wide as their distance: the squared sum of exp(-k^2 / 4) over all k.
constexpr double smoothed_alike = 4 * std::numbers::pi;
constexpr std::size_t groups = 8;  // of lines, for the standard error
/// Of what the weights of the lines change, which stands for what the first order leaves.
constexpr double part_of_weights = 0.4;
constexpr float unknown = std::numeric_limits<float>::quiet_NaN();

/// Distance of lines in cells; also the standard deviation of the smoothing of the views.
struct Spacing {
  int columns, rows;
};

/// Smooths the views, because linear interpolation would displace structures as fine as a cell.
void smooth(const ScanSpec& spec, Spacing spacing, std::vector<float>& values) {
  const auto columns = static_cast<std::size_t>(spec.detector_columns),
             rows = static_cast<std::size_t>(spec.detector_rows);
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t view = 0; view < std::ssize(spec.view_angles_rad); ++view) {
    const std::span all =
        std::span(values).subspan(static_cast<std::size_t>(view) * rows * columns, rows * columns);
    for (std::size_t row = 0; row < rows; ++row)
      binomial_filter(all.subspan(row * columns, columns), 2 * spacing.columns * spacing.columns);
    std::vector<float> line(rows);
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t row = 0; row < rows; ++row) line[row] = all[row * columns + column];
      binomial_filter(std::span(line), 2 * spacing.rows * spacing.rows);
      for (std::size_t row = 0; row < rows; ++row) all[row * columns + column] = line[row];
    }
  }
}

/// Where lines of one distance and height meet the detector of their view, for any direction.
struct Landing {
  bool inside = false;
  double column = 0, row = 0;                 ///< of the tilted detector, fractional indices
  double fan_angle_rad = 0, rise = 0;         ///< of the ray
  double u_mm = 0, v_mm = 0;                  ///< from the axis, along resting columns and rows
  double x_by_u = 1, z_by_u = 0, z_by_v = 1;  ///< derivatives of the line
};

/// Directions, distances and heights at equal steps; both sides of the axis alike.
struct LineRaster {
  int directions, heights, distances;
  double direction_step_rad, distance_step_mm, height_step_mm;

  double x_mm(int ix) const { return (ix - 0.5 * (distances - 1)) * distance_step_mm; }
  std::size_t index(int it, int iz, int ix) const {
    return (static_cast<std::size_t>(it) * static_cast<std::size_t>(heights) +
            static_cast<std::size_t>(iz)) *
               static_cast<std::size_t>(distances) +
           static_cast<std::size_t>(ix);
  }
  int mirrored(int ix) const { return distances - 1 - ix; }
  int opposite(int it) const { return (it + directions / 2) % directions; }
};

/// The normal equations of the least squares: sums of products of the difference of both sides of
/// a line and its derivatives with respect to the tilt and to the column.
class Correction {
 public:
  void add(double difference, double by_tilt, double by_column, double square, double weight) {
    tilt_tilt_ += weight * by_tilt * by_tilt;
    tilt_column_ += weight * by_tilt * by_column;
    column_column_ += weight * by_column * by_column;
    tilt_ += weight * by_tilt * difference;
    column_ += weight * by_column * difference;
    weighted_ += weight * difference * difference;
    difference_ += difference * difference;
    square_ += square;
    count_ += 1;
  }
  void add(const Correction& other, double sign = 1) {
    tilt_tilt_ += sign * other.tilt_tilt_;
    tilt_column_ += sign * other.tilt_column_;
    column_column_ += sign * other.column_column_;
    tilt_ += sign * other.tilt_;
    column_ += sign * other.column_;
    weighted_ += sign * other.weighted_;
    difference_ += sign * other.difference_;
    square_ += sign * other.square_;
    count_ += sign * other.count_;
  }
  bool is_defined() const { return determinant() > 1e-9 * tilt_tilt_ * column_column_; }
  double tilt_rad() const {
    return (tilt_ * column_column_ - column_ * tilt_column_) / determinant();
  }
  double column() const { return (column_ * tilt_tilt_ - tilt_ * tilt_column_) / determinant(); }
  /// Returns the variance of the tilt from the remaining differences, as if these were independent.
  double tilt_variance() const {
    const double left = weighted_ - tilt_rad() * tilt_ - column() * column_;
    return std::max(left, 0.0) / std::max(count_ - 2, 1.0) * column_column_ / determinant();
  }
  double mismatch() const { return square_ > 0 ? difference_ / square_ : 1; }

 private:
  double determinant() const { return tilt_tilt_ * column_column_ - tilt_column_ * tilt_column_; }

  double tilt_tilt_ = 0, tilt_column_ = 0, column_column_ = 0, tilt_ = 0, column_ = 0,
         weighted_ = 0, difference_ = 0, square_ = 0, count_ = 0;
};

/// The lines of a scan for an assumed tilt of the detector, and the differences of both sides.
class TiltedLines {
 public:
  TiltedLines(const ScanSpec& spec, std::span<const float> values, const ViewCircle& circle,
              Spacing spacing, const DetectorTilt& tilt)
      : spec_(spec), values_(values), circle_(circle), spacing_(spacing), tilt_(tilt) {
    const double enlargement =
        parallel() ? 1 : spec.source_to_detector_mm / spec.source_to_isocenter_mm;
    const double side = std::max(tilt.column, spec.detector_columns - 1 - tilt.column);
    raster_ = {2 * std::max(1, static_cast<int>(std::lround(pi / circle.usual_step()))),
               (spec.detector_rows - 1 - 2 * spacing.rows) / spacing.rows + 1,
               2 * static_cast<int>(side / spacing.columns) + 1,
               0,
               spacing.columns * spec.column_pitch_mm / enlargement,
               spacing.rows * spec.row_pitch_mm / enlargement};
    raster_.direction_step_rad = 2 * pi / raster_.directions;
    for (int iz = 0; iz < raster_.heights; ++iz)
      for (int ix = 0; ix < raster_.distances; ++ix)
        landings_.push_back(landing(raster_.x_mm(ix), (spacing.rows * (iz + 1) - spec.central_row) *
                                                          spec.row_pitch_mm / enlargement));
    resample();
  }

  /// Returns the sums over groups of directions; of heights where there are few directions.
  /// Sets `misfits`.
  std::array<Correction, groups> corrections(const LineWeights& weights,
                                             LineMisfits& misfits) const {
    const std::vector<int> seen = seen_twice();
    const bool by_direction = has_many(seen);
    std::vector<std::array<Correction, groups>> parts(seen.size());
    std::vector<LineMisfits> found(seen.size(),
                                   LineMisfits(raster_.heights, (raster_.distances + 1) / 2));
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < seen.size(); ++i)
      for (int iz = 1; iz + 1 < raster_.heights; ++iz)
        add_row(seen[i], iz, weights, found[i],
                parts[i][by_direction ? i * groups / seen.size()
                                      : static_cast<std::size_t>(iz) * groups /
                                            static_cast<std::size_t>(raster_.heights)]);
    std::array<Correction, groups> sums;
    for (const auto& part : parts)
      for (std::size_t group = 0; group < groups; ++group) sums[group].add(part[group]);
    misfits = LineMisfits(raster_.heights, (raster_.distances + 1) / 2);
    for (const LineMisfits& part : found) misfits.add(part);
    return sums;
  }
  int heights() const { return raster_.heights; }
  /// Returns how many directions share their noise: several where only the few directions beside
  /// the ends of half a turn are measured from both sides.
  double directions_alike() const {
    const std::vector<int> seen = seen_twice();
    return has_many(seen) ? 1.0 : std::min<double>(static_cast<double>(seen.size()), 3);
  }

 private:
  std::vector<int> seen_twice() const {
    std::vector<int> seen;
    for (int it = 0; it < raster_.directions / 2; ++it)
      if (is_seen_twice(it)) seen.push_back(it);
    return seen;
  }
  static bool has_many(const std::vector<int>& directions) {
    return directions.size() >= 2 * groups;
  }
  bool parallel() const { return spec_.beam == Beam::parallel; }

  Landing landing(double x_mm, double z_mm) const {
    Landing at{.u_mm = x_mm, .v_mm = z_mm};
    if (!parallel()) {
      const double sid = spec_.source_to_isocenter_mm, sdd = spec_.source_to_detector_mm,
                   sine = x_mm / sid;
      if (std::abs(sine) > 0.95) return at;
      const double b = std::asin(sine), cosine = std::cos(b), square = cosine * cosine;
      at.fan_angle_rad = b;
      at.rise = z_mm / (sid * cosine);
      at.u_mm = sdd * std::tan(b);
      at.v_mm = z_mm * sdd / (sid * square);
      at.x_by_u = sid * cosine * square / sdd;
      at.z_by_u = -2 * at.v_mm * sid * sine * cosine * square / (sdd * sdd);
      at.z_by_v = sid * square / sdd;
    }
    const double c = std::cos(tilt_.tilt_rad), s = std::sin(tilt_.tilt_rad);
    at.column = tilt_.column + (c * at.u_mm + s * at.v_mm) / spec_.column_pitch_mm;
    at.row = spec_.central_row + (c * at.v_mm - s * at.u_mm) / spec_.row_pitch_mm;
    // Values at the rim are affected by the smoothing across it.
    at.inside = at.column >= spacing_.columns &&
                at.column <= spec_.detector_columns - 1 - spacing_.columns &&
                at.row >= spacing_.rows && at.row <= spec_.detector_rows - 1 - spacing_.rows;
    return at;
  }

  /// Sets the lines of all directions, and the means of both sides.
  void resample() {
    const double first = spec_.view_angles_rad.front();
    lines_.resize(raster_.index(raster_.directions, 0, 0), unknown);
#pragma omp parallel for schedule(static)
    for (int it = 0; it < raster_.directions; ++it)
      for (std::size_t i = 0; i < landings_.size(); ++i)
        lines_[static_cast<std::size_t>(it) * landings_.size() + i] =
            value(first + it * raster_.direction_step_rad, landings_[i]);
    means_.resize(lines_.size());
    for (int it = 0; it < raster_.directions; ++it)
      for (int iz = 0; iz < raster_.heights; ++iz)
        for (int ix = 0; ix < raster_.distances; ++ix) {
          const float here = line(it, iz, ix), there = opposite_line(it, iz, ix);
          means_[raster_.index(it, iz, ix)] = std::isnan(here)    ? there
                                              : std::isnan(there) ? here
                                                                  : 0.5F * (here + there);
        }
  }

  float value(double direction_rad, const Landing& at) const {
    if (!at.inside) return unknown;
    // Parallel views at the ends of half a turn are extrapolated by one step.
    const auto views = circle_.around(direction_rad + at.fan_angle_rad, parallel() ? 1 : 0);
    if (!views) return unknown;
    const int column = static_cast<int>(at.column), row = static_cast<int>(at.row);
    const auto right = static_cast<float>(at.column - column),
               above = static_cast<float>(at.row - row);
    const auto of_view = [&](std::size_t place) {
      const float* low = values_.data() +
                         (std::ptrdiff_t{circle_.view(place)} * spec_.detector_rows + row) *
                             spec_.detector_columns +
                         column;
      const float* high = low + spec_.detector_columns;
      return (1 - above) * (low[0] + right * (low[1] - low[0])) +
             above * (high[0] + right * (high[1] - high[0]));
    };
    const float before = of_view(views->before);
    return before + views->part * (of_view(views->after) - before);
  }

  float line(int it, int iz, int ix) const { return lines_[raster_.index(it, iz, ix)]; }
  float opposite_line(int it, int iz, int ix) const {
    return line(raster_.opposite(it), iz, raster_.mirrored(ix));
  }
  double mean(int it, int iz, int ix) const {
    return means_[raster_.index((it + raster_.directions) % raster_.directions, iz, ix)];
  }
  /// Returns the sum of both sides; unknown where one of them is. If one side were used for both at
  /// the rim of the detector, its smoothed noise would bias the tilt away from 0.
  double sum(int it, int iz, int ix) const { return line(it, iz, ix) + opposite_line(it, iz, ix); }
  bool is_seen_twice(int it) const {
    for (int iz = 0; iz < raster_.heights; ++iz)
      for (int ix = 0; ix < raster_.distances; ++ix)
        if (!std::isnan(line(it, iz, ix) - opposite_line(it, iz, ix))) return true;
    return false;
  }

  /// Returns J along a row, the mean of the integrals from both ends; unknown where lines miss the
  /// detector.
  std::vector<double> slopes_by_rise(int it, int iz) const {
    const int reach = std::clamp(static_cast<int>(most_slope_rad / raster_.direction_step_rad), 1,
                                 most_slope_directions);
    const double scale = -raster_.distance_step_mm /
                         (4 * reach * raster_.direction_step_rad * raster_.height_step_mm);
    const auto twist = [&](int ix) {  // the second derivative, times a step along x
      return scale * (mean(it + reach, iz + 1, ix) - mean(it - reach, iz + 1, ix) -
                      mean(it + reach, iz - 1, ix) + mean(it - reach, iz - 1, ix));
    };
    const auto lands = [&](int ix) {
      for (int z = iz - 1; z <= iz + 1; ++z)
        if (!landing_of(z, ix).inside && !landing_of(z, raster_.mirrored(ix)).inside) return false;
      return true;
    };
    int first = 0;
    while (first < raster_.distances && !lands(first)) ++first;
    const int last = raster_.mirrored(first);
    const auto count = static_cast<std::size_t>(raster_.distances);
    std::vector<double> from_low(count, unknown), from_high(count, unknown);
    double low = 0, high = 0;
    for (int ix = first; ix <= last; ++ix) {
      const double up = twist(ix), down = twist(raster_.mirrored(ix));
      from_low[static_cast<std::size_t>(ix)] = low + 0.5 * up;
      from_high[static_cast<std::size_t>(raster_.mirrored(ix))] = high - 0.5 * down;
      low += up;
      high -= down;
    }
    for (std::size_t i = 0; i < count; ++i)
      from_low[i] = std::isnan(from_low[i])    ? from_high[i]
                    : std::isnan(from_high[i]) ? from_low[i]
                                               : 0.5 * (from_low[i] + from_high[i]);
    return from_low;
  }

  void add_row(int it, int iz, const LineWeights& weights, LineMisfits& misfits,
               Correction& correction) const {
    const std::vector<double> slopes =
        parallel() ? std::vector<double>(static_cast<std::size_t>(raster_.distances))
                   : slopes_by_rise(it, iz);
    for (int ix = 1; ix + 1 < raster_.distances; ++ix) {
      const double here = line(it, iz, ix), there = opposite_line(it, iz, ix);
      const Landing& at = landing_of(iz, ix);
      const double by_x =
                       (sum(it, iz, ix + 1) - sum(it, iz, ix - 1)) / (4 * raster_.distance_step_mm),
                   by_z =
                       (sum(it, iz + 1, ix) - sum(it, iz - 1, ix)) / (4 * raster_.height_step_mm),
                   by_u = at.x_by_u * by_x + at.z_by_u * by_z, by_v = at.z_by_v * by_z,
                   difference = here - there - 2 * at.rise * slopes[static_cast<std::size_t>(ix)];
      if (std::isnan(difference) || std::isnan(by_u) || std::isnan(by_v)) continue;
      const int from_axis = std::abs(ix - (raster_.distances - 1) / 2);
      misfits.add(iz, from_axis, difference);
      correction.add(difference, 2 * (at.u_mm * by_v - at.v_mm * by_u),
                     -2 * by_u * spec_.column_pitch_mm, here * here + there * there,
                     weights.at(iz, from_axis));
    }
  }
  const Landing& landing_of(int iz, int ix) const { return landings_[raster_.index(0, iz, ix)]; }

  const ScanSpec& spec_;
  std::span<const float> values_;
  const ViewCircle& circle_;
  Spacing spacing_;
  DetectorTilt tilt_;
  LineRaster raster_{};
  std::vector<Landing> landings_;     // [height][distance]
  std::vector<float> lines_, means_;  // [direction][height][distance]
};

/// Returns the standard error of the tilt, by leaving out a group at a time (jackknife). Groups of
/// few heights, or of views that see the same rows, may agree by chance: the error is therefore not
/// less than the one from the remaining differences if `alike` neighbours share their noise.
double error_of(const Correction& all, const std::array<Correction, groups>& parts, double alike) {
  double square = 0;
  for (const Correction& part : parts) {
    Correction rest = all;
    rest.add(part, -1);
    if (!rest.is_defined()) return most_tilt_rad;
    square += std::pow(rest.tilt_rad() - all.tilt_rad(), 2);
  }
  return std::sqrt(std::max(square * (groups - 1) / groups, alike * all.tilt_variance()));
}

/// Returns the power of the squared misfit by which lines are weighted. In a cone beam, the lines
/// far from the plane of the source differ by more than the first order of the rise, and those of
/// which one side is unknown on the way by more still. Such errors have the same sign in many
/// lines: their weights are therefore less than those by noise, if a whole turn tells the misfits
/// well. The lines of a parallel beam have noise alone.
double weight_power(const ScanSpec& spec, const ViewCircle& circle) {
  if (spec.beam == Beam::parallel) return 0;
  return circle.covered_rad() > 2 * pi - 0.5 * circle.usual_step() ? 1.5 : 1;
}

/// Improves tilt and axis until they converge. Returns false if the lines do not determine them.
bool improve(const CoarseScan& scan, Spacing spacing, DetectorTilt& tilt) {
  std::vector<float> smoothed = scan.values;
  smooth(scan.spec, spacing, smoothed);
  const ViewCircle circle(scan.spec);
  if (circle.usual_step() * most_directions < 2 * pi) return false;
  double mismatch = 1, unweighted = 0;
  const double power = weight_power(scan.spec, circle);
  LineWeights weights;
  for (int round = 0; round < most_rounds; ++round) {
    const TiltedLines lines(scan.spec, smoothed, circle, spacing, tilt);
    LineMisfits misfits;
    const auto parts = lines.corrections(weights, misfits);
    weights = LineWeights(misfits, power);
    Correction all;
    for (const Correction& part : parts) all.add(part);
    if (!all.is_defined()) return false;
    tilt.tilt_rad += all.tilt_rad();
    tilt.column += all.column();
    if (round == 0) unweighted = tilt.tilt_rad;
    const double interpolated = 2 * interpolated_cells * scan.spec.row_pitch_mm /
                                (scan.spec.detector_columns * scan.spec.column_pitch_mm);
    tilt.error_rad = std::hypot(
        std::hypot(error_of(all, parts, smoothed_alike * lines.directions_alike()), interpolated),
        all.tilt_rad(), part_of_weights * (tilt.tilt_rad - unweighted));
    tilt.rows = lines.heights();
    mismatch = all.mismatch();
    if (!(std::abs(tilt.tilt_rad) <= most_tilt_rad && tilt.column >= 0 &&
          tilt.column <= scan.spec.detector_columns - 1))
      return false;
    if (round > 0 && std::abs(all.tilt_rad()) < settled_rad) break;
  }
  return mismatch <= most_mismatch;
}

bool can_be_tilted(const ScanSpec& spec) {
  return spec.trajectory == Trajectory::circular && spec.beam != Beam::fan &&
         (spec.beam == Beam::parallel || spec.detector == DetectorShape::flat) &&
         spec.detector_rows >= fewest_rows && spec.view_angles_rad.size() >= 2;
}

}  // namespace

std::optional<DetectorTilt> tilt_of_detector(const ScanGeometry& geometry,
                                             std::span<const float> line_integrals) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  if (!can_be_tilted(geometry.spec())) return std::nullopt;
  const bool parallel = geometry.beam() == Beam::parallel;
  const auto centre = parallel ? centre_from_opposite_views(geometry, line_integrals)
                               : centre_from_conjugate_rays(geometry, line_integrals);
  if (!centre && !parallel) return std::nullopt;
  const auto parts = [](int count) { return (count + most_cells - 1) / most_cells; };
  const CoarseScan coarse = coarse_scan(
      geometry, line_integrals, {parts(geometry.columns()), parts(geometry.rows())}, most_views);
  const double width = coarse.spec.column_pitch_mm / geometry.spec().column_pitch_mm,
               start = centre ? centre->column : geometry.spec().central_column;
  DetectorTilt tilt{.column = (start + 0.5) / width - 0.5};
  const int rows = coarse.spec.detector_rows;
  for (const int wide : {4, 2})
    if (!improve(coarse, {wide, std::clamp(rows / 16, 1, wide)}, tilt)) return std::nullopt;
  if (tilt.error_rad > most_error_rad) return std::nullopt;
  tilt.column = (tilt.column + 0.5) * width - 0.5;
  return tilt;
}

}  // namespace gantry
