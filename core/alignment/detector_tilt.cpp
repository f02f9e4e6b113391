#include "core/alignment/detector_tilt.hpp"

#include "core/alignment/conjugate_rays.hpp"
#include "core/alignment/mirrored_views.hpp"
#include "core/base/error.hpp"
#include "core/base/median.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t most_pairs = 24;
constexpr int most_bands = 24, fewest_bands = 8;
constexpr int most_views = 360;     // of a cone beam
constexpr double most_rise = 0.03;  // of the rays of a cone beam against the plane of the source
constexpr double most_mismatch = 0.1;
constexpr double most_deviation = 3;  // columns, of a band from the line
constexpr double most_tilt_rad = 5 * pi / 180;
constexpr int most_rounds = 6, most_fine_rounds = 12, most_fine_bands = 128;
constexpr int smoothing_passes = 4;
constexpr double settled_rad = 3e-5;

/// Rows, and the column of the axis in them.
struct BandAxis {
  double row = 0, column = 0;
};

struct Line {
  double slope = 0, at_zero = 0;

  double at(double x) const { return at_zero + slope * x; }
};

/// Returns the line whose slope is the median of those of all pairs, with medians of the rest.
Line robust_line(const std::vector<BandAxis>& points) {
  std::vector<double> slopes, rests;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      slopes.push_back((points[i].column - points[k].column) / (points[i].row - points[k].row));
  Line line{upper_median(slopes), 0};
  for (const BandAxis& point : points) rests.push_back(point.column - line.slope * point.row);
  line.at_zero = upper_median(rests);
  return line;
}

/// The rows that tell the axis, in bands.
struct Bands {
  int first = 0, rows = 0, count = 0;

  explicit Bands(const ScanGeometry& geometry, int most = most_bands) : rows(geometry.rows()) {
    const ScanSpec& spec = geometry.spec();
    if (spec.beam == Beam::cone) {
      const double reach = most_rise * spec.source_to_detector_mm / spec.row_pitch_mm;
      first = std::max(0, static_cast<int>(std::ceil(spec.central_row - reach)));
      rows = std::min(geometry.rows() - 1, static_cast<int>(std::floor(spec.central_row + reach))) -
             first + 1;
    }
    count = std::clamp(rows, 0, most);
  }
  int begin(int band) const { return first + band * rows / count; }
  double middle(int band) const { return 0.5 * (begin(band) + begin(band + 1) - 1); }
};

/// Views as a detector would see them that is turned back by a tilt about (column, row).
class TurnedViews {
 public:
  TurnedViews(const ScanGeometry& geometry, std::span<const float> values, const Bands& bands,
              double tilt_rad, double column)
      : spec_(geometry.spec()),
        values_(values),
        bands_(bands),
        column_(column),
        cosine_(std::cos(tilt_rad)),
        sine_(std::sin(tilt_rad)) {}

  /// Returns the mean of the rows of a band in a view, a value per column.
  std::vector<double> line(int view, int band) const { return along(view, band, -column_, 1); }
  /// Returns the same at whole columns from the axis, which is then at middle(), of the view or of
  /// its mirror image. Both are interpolated alike.
  std::vector<double> line_about_axis(int view, int band, bool mirrored) const {
    return mirrored ? along(view, band, middle(), -1) : along(view, band, -middle(), 1);
  }
  double middle() const { return std::rint(column_); }
  /// Returns of how many rows at the lower and upper end parts lie beyond the detector.
  int rows_lost() const {
    return static_cast<int>(std::ceil(std::abs(sine_) * spec_.detector_columns *
                                      spec_.column_pitch_mm / spec_.row_pitch_mm));
  }

 private:
  std::vector<double> along(int view, int band, double first, double step) const {
    const int columns = spec_.detector_columns, begin = bands_.begin(band),
              end = bands_.begin(band + 1);
    std::vector<double> mean(static_cast<std::size_t>(columns));
    const double shape = spec_.row_pitch_mm / spec_.column_pitch_mm;
    for (int row = begin; row < end; ++row)
      for (int column = 0; column < columns; ++column) {
        const double across = first + step * column, up = (row - spec_.central_row) * shape;
        mean[static_cast<std::size_t>(column)] +=
            value(view, column_ + across * cosine_ + up * sine_,
                  spec_.central_row + (up * cosine_ - across * sine_) / shape) /
            (end - begin);
      }
    return mean;
  }
  /// Returns the value at a place of the detector, interpolated; the nearest one outside of it.
  double value(int view, double column, double row) const {
    const auto place = [](double at, int count) {
      at = std::clamp(at, 0.0, count - 1.0);
      const int low = std::min(static_cast<int>(at), std::max(0, count - 2));
      return std::pair(low, at - low);
    };
    const auto [c, right] = place(column, spec_.detector_columns);
    const auto [r, above] = place(row, spec_.detector_rows);
    const float* at = values_.data() +
                      (std::ptrdiff_t{view} * spec_.detector_rows + r) * spec_.detector_columns + c;
    const std::ptrdiff_t next_column = right > 0 ? 1 : 0,
                         next_row = above > 0 ? spec_.detector_columns : 0;
    return (1 - above) * ((1 - right) * at[0] + right * at[next_column]) +
           above * ((1 - right) * at[next_row] + right * at[next_row + next_column]);
  }

  const ScanSpec& spec_;
  std::span<const float> values_;
  const Bands& bands_;
  double column_, cosine_, sine_;
};

using Pairs = std::vector<std::pair<int, int>>;

/// Returns the column of the axis in a band of a parallel beam: the median over pairs of views.
std::optional<double> axis_of_pairs(const TurnedViews& views, const Pairs& pairs, int columns,
                                    int band) {
  std::vector<double> found;
  for (const auto& [one, other] : pairs) {
    const MirrorMatch match = mirror_match(views.line(one, band), views.line(other, band), columns);
    if (match.mismatch <= most_mismatch) found.push_back(match.column);
  }
  if (2 * found.size() < pairs.size()) return std::nullopt;
  std::ranges::sort(found);
  return 0.5 * (found[(found.size() - 1) / 2] + found[found.size() / 2]);
}

/// A correction of tilt and axis, by the normal equations of least squares.
class Correction {
 public:
  /// Adds a pixel: what a view and its opposite's mirror image differ by, and by what they would
  /// for a unit of tilt and of the column.
  void add(double difference, double by_tilt, double by_column) {
    tilt_tilt_ += by_tilt * by_tilt;
    tilt_column_ += by_tilt * by_column;
    column_column_ += by_column * by_column;
    tilt_ += by_tilt * difference;
    column_ += by_column * difference;
    square_ += difference * difference;
    ++count_;
  }
  void add(const Correction& other) {
    tilt_tilt_ += other.tilt_tilt_;
    tilt_column_ += other.tilt_column_;
    column_column_ += other.column_column_;
    tilt_ += other.tilt_;
    column_ += other.column_;
    square_ += other.square_;
    count_ += other.count_;
  }
  bool is_defined() const { return determinant() > 1e-9 * tilt_tilt_ * column_column_; }
  double tilt_rad() const {
    return (tilt_ * column_column_ - column_ * tilt_column_) / determinant();
  }
  double column() const { return (column_ * tilt_tilt_ - tilt_ * tilt_column_) / determinant(); }
  /// Returns the standard error of the tilt if the differences are noise.
  double error_rad() const {
    return std::sqrt(square_ / static_cast<double>(count_) * column_column_ / determinant());
  }

 private:
  double determinant() const { return tilt_tilt_ * column_column_ - tilt_column_ * tilt_column_; }

  double tilt_tilt_ = 0, tilt_column_ = 0, column_column_ = 0, tilt_ = 0, column_ = 0, square_ = 0;
  std::size_t count_ = 0;
};

/// Adds a pair of opposite views. To first order, a tilt and an axis that is off by `column` turn
/// and move the view v and the mirror image m of its opposite by as much to opposite sides: v - m =
/// -2 tilt (z ds/dx - x ds/dz) - 2 column ds/dx, where s is the mean of both. Noise of v - m is
/// independent of that of s, so that it does not shift the solution.
void add_pair(const TurnedViews& views, const Bands& bands, double central_row, double shape,
              std::pair<int, int> pair, Correction& correction) {
  const auto count = static_cast<std::size_t>(bands.count);
  std::vector<std::vector<double>> difference(count), sum(count);
  for (std::size_t band = 0; band < count; ++band) {
    difference[band] = sum[band] = views.line_about_axis(pair.first, static_cast<int>(band), false);
    const std::vector<double> other =
        views.line_about_axis(pair.second, static_cast<int>(band), true);
    for (std::size_t c = 0; c < other.size(); ++c) {
      difference[band][c] -= other[c];
      sum[band][c] += other[c];
    }
  }
  const auto width = static_cast<double>(sum.front().size());
  const int first = std::max(1, static_cast<int>(std::ceil(2 * views.middle() - width + 2))),
            last = static_cast<int>(std::min(width - 2, std::floor(2 * views.middle() - 1)));
  const int margin = views.rows_lost() + 1;  // there the turned view leaves the detector
  for (int band = 1; band + 1 < bands.count; ++band) {
    if (bands.begin(band - 1) < margin || bands.begin(band + 2) > bands.rows - margin) continue;
    const auto b = static_cast<std::size_t>(band);
    const double z = (bands.middle(band) - central_row) * shape,
                 rise = (bands.middle(band + 1) - bands.middle(band - 1)) * shape;
    for (int column = first; column <= last; ++column) {
      const auto c = static_cast<std::size_t>(column);
      const double across = 0.5 * (sum[b][c + 1] - sum[b][c - 1]),
                   up = (sum[b + 1][c] - sum[b - 1][c]) / rise;
      correction.add(difference[b][c], (column - views.middle()) * up - z * across, -across);
    }
  }
}

/// A binomial filter over `count` values that lie `stride` apart.
void smooth(float* values, int count, std::ptrdiff_t stride) {
  for (int pass = 0; pass < smoothing_passes; ++pass) {
    float before = values[0];
    for (int i = 0; i < count; ++i) {
      float& here = values[i * stride];
      const float after = values[std::min(i + 1, count - 1) * stride];
      before = std::exchange(here, 0.25F * before + 0.5F * here + 0.25F * after);
    }
  }
}

/// Returns the views of the pairs, smoothed along rows and columns: view 2 n and 2 n + 1 of pair n.
/// Linear interpolation displaces what is as fine as cells, by up to some hundredths of a cell.
std::vector<float> smoothed_views(const ScanGeometry& geometry,
                                  std::span<const float> line_integrals, const Pairs& pairs) {
  const int columns = geometry.columns(), rows = geometry.rows();
  std::vector<float> views;
  for (const auto& [one, other] : pairs)
    for (const int view : {one, other}) {
      const auto from = line_integrals.subspan(static_cast<std::size_t>(view) * geometry.cells(),
                                               geometry.cells());
      views.insert(views.end(), from.begin(), from.end());
      float* to = views.data() + (views.size() - geometry.cells());
      for (int row = 0; row < rows; ++row) smooth(to + std::ptrdiff_t{row} * columns, columns, 1);
      for (int column = 0; column < columns; ++column) smooth(to + column, rows, columns);
    }
  return views;
}

/// Refines tilt and axis of a parallel beam by all pixels of opposite views (Gauss and Newton).
void refine(const ScanGeometry& geometry, std::span<const float> line_integrals, const Pairs& pairs,
            DetectorTilt& tilt) {
  const ScanSpec& spec = geometry.spec();
  const std::vector<float> smoothed = smoothed_views(geometry, line_integrals, pairs);
  const Bands bands(geometry, most_fine_bands);
  for (int round = 0; round < most_fine_rounds; ++round) {
    const TurnedViews views(geometry, smoothed, bands, tilt.tilt_rad, tilt.column);
    std::vector<Correction> parts(pairs.size());
#pragma omp parallel for schedule(dynamic)
    for (int pair = 0; pair < static_cast<int>(pairs.size()); ++pair)
      add_pair(views, bands, spec.central_row, spec.row_pitch_mm / spec.column_pitch_mm,
               {2 * pair, 2 * pair + 1}, parts[static_cast<std::size_t>(pair)]);
    Correction all;
    for (const Correction& part : parts) all.add(part);
    if (!all.is_defined()) return;
    tilt.tilt_rad += all.tilt_rad();
    tilt.column += all.column();
    tilt.error_rad = all.error_rad();
    if (std::abs(all.tilt_rad()) < settled_rad) return;
  }
}

/// Returns the column of the axis in a band of a cone beam, whose rays are taken as those of a fan.
std::optional<double> axis_of_fan(const ScanGeometry& geometry, const TurnedViews& views, int band,
                                  double near) {
  ScanSpec fan = geometry.spec();
  fan.beam = Beam::fan;
  fan.detector_rows = 1;
  fan.central_row = 0;
  fan.view_angles_rad.clear();
  std::vector<float> values;
  const int every = (geometry.views() + most_views - 1) / most_views;
  for (int view = 0; view < geometry.views(); view += every) {
    fan.view_angles_rad.push_back(geometry.angle_rad(view));
    for (const double value : views.line(view, band)) values.push_back(static_cast<float>(value));
  }
  const auto found = centre_from_conjugate_rays(ScanGeometry(fan), values, near);
  return found ? std::optional(found->column) : std::nullopt;
}

/// Returns the bands in which axis(band) finds one, their rows counted from the central row.
template <class Axis>
std::vector<BandAxis> axes_of_bands(const Bands& bands, const Axis& axis, double central_row) {
  std::vector<std::optional<double>> columns(static_cast<std::size_t>(bands.count));
#pragma omp parallel for schedule(dynamic)
  for (int band = 0; band < bands.count; ++band)
    columns[static_cast<std::size_t>(band)] = axis(band);
  std::vector<BandAxis> found;
  for (int band = 0; band < bands.count; ++band)
    if (const auto column = columns[static_cast<std::size_t>(band)])
      found.push_back({bands.middle(band) - central_row, *column});
  return found;
}

/// Returns the points without those that lie far from their line.
std::vector<BandAxis> without_strays(std::vector<BandAxis> points) {
  if (points.size() < fewest_bands) return {};
  const Line line = robust_line(points);
  std::erase_if(points, [&](const BandAxis& point) {
    return std::abs(point.column - line.at(point.row)) > most_deviation;
  });
  return points;
}

/// Returns the standard error of the slope of a line by the points' deviations, 1.25 of that of a
/// least squares line.
double slope_error(const std::vector<BandAxis>& points, const Line& line) {
  double mean = 0, square = 0, spread = 0;
  const auto count = static_cast<double>(points.size());
  for (const BandAxis& point : points) mean += point.row / count;
  for (const BandAxis& point : points) {
    square += std::pow(point.column - line.at(point.row), 2);
    spread += std::pow(point.row - mean, 2);
  }
  return 1.25 * std::sqrt(square / (count - 2) / spread);
}

/// The share of a tilt that the rows show. It is below one for round objects, whose outline stays
/// the same when they are turned: what moves its rows sideways is made up for by what moves them
/// along the axis. Two rounds tell it.
class Secant {
 public:
  struct Round {
    double tilt_rad, rest_rad;  ///< the assumed tilt, and what the rows showed after it
  };

  double share(Round now) {
    if (before_ && now.tilt_rad != before_->tilt_rad)
      share_ = std::clamp((before_->rest_rad - now.rest_rad) / (now.tilt_rad - before_->tilt_rad),
                          0.1, 1.5);
    before_ = now;
    return share_;
  }

 private:
  std::optional<Round> before_;
  double share_ = 1;
};

bool can_be_tilted(const ScanSpec& spec) {
  return spec.trajectory == Trajectory::circular && spec.beam != Beam::fan &&
         (spec.beam == Beam::parallel || spec.detector == DetectorShape::flat);
}

}  // namespace

std::optional<DetectorTilt> tilt_of_detector(const ScanGeometry& geometry,
                                             std::span<const float> line_integrals) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  const ScanSpec& spec = geometry.spec();
  const Bands bands(geometry);
  if (!can_be_tilted(spec) || bands.count < fewest_bands) return std::nullopt;
  const bool parallel = spec.beam == Beam::parallel;
  const Pairs pairs = parallel ? opposite_pairs(geometry, most_pairs) : Pairs{};
  const auto middle = parallel ? std::optional<CentreEstimate>()
                               : centre_from_conjugate_rays(geometry, line_integrals);
  if (parallel ? pairs.empty() : !middle) return std::nullopt;
  const double shape = spec.row_pitch_mm / spec.column_pitch_mm;
  DetectorTilt tilt{.tilt_rad = 0,
                    .column = middle ? middle->column : 0.5 * (geometry.columns() - 1),
                    .error_rad = 0,
                    .bands = 0};
  Secant secant;
  for (int round = 0; round < (parallel ? 2 : most_rounds); ++round) {
    const TurnedViews views(geometry, line_integrals, bands, tilt.tilt_rad, tilt.column);
    const std::vector<BandAxis> points = without_strays(axes_of_bands(
        bands,
        [&](int band) {
          return parallel ? axis_of_pairs(views, pairs, geometry.columns(), band)
                          : axis_of_fan(geometry, views, band, tilt.column);
        },
        spec.central_row));
    if (points.size() < fewest_bands) return std::nullopt;
    const Line line = robust_line(points);
    const double rest = std::atan(line.slope / shape),
                 share = parallel ? 1 : secant.share({tilt.tilt_rad, rest});
    tilt = {tilt.tilt_rad + rest / share, line.at_zero, slope_error(points, line) / (shape * share),
            static_cast<int>(points.size())};
    if (std::abs(tilt.tilt_rad) > most_tilt_rad) return std::nullopt;
    if (std::abs(rest / share) < settled_rad) break;
  }
  if (parallel) refine(geometry, line_integrals, pairs, tilt);
  return tilt;
}

}  // namespace gantry
