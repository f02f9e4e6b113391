#include "core/io/imports/formats/ct_pd_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/io/dicom/series/dicom_images.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/imports/damaged_files.hpp"
#include "core/io/imports/file_frames.hpp"
#include "core/io/imports/formats/ct_pd_views.hpp"
#include "core/io/imports/formats/flattened_frames.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace gantry {

namespace {

/// How far the positions of views may lie from a circle or helix that stands for them, mm.
constexpr double most_deviation_mm = 1e-3;

// The world of a Gantry scan has the x and y of the format, and z turned over, which makes it
// right-handed: the source at the angle phi of the format stands at the gantry angle phi + pi. The
// first row of the files is then the lowest one, and their columns run against those of a Gantry
// scan (with the detector at 6 o'clock, as seen from the table, the first column is the leftmost,
// and the first row the farthest one).

/// Images of projections, turned so that columns and rows run as in other image files: those of a
/// Gantry scan, with the uppermost row first.
class CtPdFrames final : public FrameSource {
 public:
  CtPdFrames(int columns, int rows, bool is_transposed, std::vector<CtPdView> views)
      : columns_(columns), rows_(rows), is_transposed_(is_transposed), views_(std::move(views)) {}

  int frames() const override { return static_cast<int>(views_.size()); }
  int rows() const override { return rows_; }
  int columns() const override { return columns_; }
  std::string name(int frame) const override {
    const CtPdView& view = views_[static_cast<std::size_t>(frame)];
    return view.path + (view.frame > 0 ? ", image " + std::to_string(view.frame + 1) : "");
  }
  void read(int frame, std::span<float> values) const override {
    const CtPdView& view = views_[static_cast<std::size_t>(frame)];
    const DicomImages images(view.path);
    std::vector<std::int32_t> stored(values.size());
    try {
      images.read(view.frame, stored);
    } catch (const InputError& error) {
      if (views_.front().path == views_.back().path) throw;
      throw DamagedFiles(error);
    }
    const auto columns = static_cast<std::size_t>(columns_), rows = static_cast<std::size_t>(rows_);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column) {
        const std::int32_t value =
            stored[is_transposed_ ? column * rows + row : row * columns + column];
        values[(rows - 1 - row) * columns + columns - 1 - column] =
            static_cast<float>(view.slope * value + view.intercept);
      }
  }

 private:
  int columns_, rows_;
  bool is_transposed_;
  std::vector<CtPdView> views_;
};

/// Returns the gantry angles of the focal centre, each within half a turn of its predecessor.
std::vector<double> unwrapped_angles(const std::vector<CtPdView>& views) {
  std::vector<double> angles;
  for (const CtPdView& view : views) {
    const double angle = view.angle_rad + pi;
    angles.push_back(
        angles.empty() ? angle : angles.back() + std::remainder(angle - angles.back(), 2 * pi));
  }
  return angles;
}

/// The straight line z = start + slope * angle through the heights of the views by least squares.
struct Line {
  double start = 0, slope = 0, deviation = 0;  ///< deviation: largest distance of a height
};

Line line_through(const std::vector<double>& angles, const std::vector<CtPdView>& views) {
  const auto count = static_cast<double>(views.size());
  double a = 0, z = 0, aa = 0, az = 0;
  for (std::size_t i = 0; i < views.size(); ++i)
    a += angles[i] / count, z -= views[i].height_mm / count;
  for (std::size_t i = 0; i < views.size(); ++i) {
    aa += (angles[i] - a) * (angles[i] - a);
    az += (angles[i] - a) * (-views[i].height_mm - z);
  }
  Line line;
  line.slope = aa > 0 ? az / aa : 0;
  line.start = z - line.slope * a;
  for (std::size_t i = 0; i < views.size(); ++i)
    line.deviation = std::max(line.deviation,
                              std::abs(-views[i].height_mm - line.start - line.slope * angles[i]));
  return line;
}

/// Says which position of the table z = 0 is, unless it is 0.
void assume_origin(double table_mm, std::vector<Assumption>& assumptions) {
  if (std::abs(table_mm) > most_deviation_mm)
    assumptions.push_back({"z = 0",
                           "at the table position " + format_param(to_digits(table_mm, 7)) + " mm",
                           "the middle of the scan"});
}

ArcDetector detector_of(const CtPdSeries& series) {
  return {series.columns,    series.rows,   series.detector_mm,
          series.column_mm,  series.row_mm, series.columns - 1 - series.central_column,
          series.central_row};
}

/// Returns a circle or a helix, unless the views lie beside both.
std::optional<ScanSpec> rotation_of(const CtPdSeries& series, const std::vector<double>& angles,
                                    std::vector<Assumption>& assumptions) {
  const CtPdView& first = series.views.front();
  for (const CtPdView& view : series.views)
    if (view.is_shifted() || std::abs(view.distance_mm - first.distance_mm) > most_deviation_mm)
      return std::nullopt;
  const Line line = line_through(angles, series.views);
  if (line.deviation > most_deviation_mm) return std::nullopt;
  const ArcDetector arc = detector_of(series);
  ScanSpec spec;
  spec.beam = beam_onto_rows(series.rows);
  spec.detector = series.is_arc ? DetectorShape::arc : DetectorShape::flat;
  spec.source_to_isocenter_mm = first.distance_mm;
  spec.source_to_detector_mm = series.detector_mm;
  spec.detector_columns = arc.columns;
  spec.detector_rows = arc.rows;
  spec.column_pitch_mm = arc.column_pitch_mm;
  spec.row_pitch_mm = arc.row_pitch_mm;
  spec.central_column = arc.central_column;
  spec.central_row = arc.central_row;
  spec.view_angles_rad = angles;
  const double feed = 2 * pi * line.slope, moved = line.slope * (angles.back() - angles.front());
  double origin = line.start + line.slope * angles.front();
  if (std::abs(moved) > most_deviation_mm) {
    if (spec.beam != Beam::cone) return std::nullopt;
    spec.trajectory = Trajectory::helical;
    spec.helical_feed_mm_per_turn = feed;
    // The middle of the helix comes near z = 0: whole turns are taken off the angles.
    const double turns = std::round((angles.front() + angles.back()) / (4 * pi));
    for (double& angle : spec.view_angles_rad) angle -= 2 * pi * turns;
    origin = line.start + feed * turns;
  }
  assume_origin(-origin, assumptions);
  return spec;
}

/// Says how large the error of the interpolation is, by some of the views.
std::string flattening_note(const FlattenedFrames& frames) {
  constexpr int most_views = 5;
  const int count = std::min(most_views, frames.frames());
  InterpolationError all;
  for (int i = 0; i < count; ++i) {
    const InterpolationError one = frames.error_of(i * frames.frames() / count);
    all.rms += one.rms / count;
    all.most = std::max(all.most, one.most);
    all.largest_value = std::max(all.largest_value, one.largest_value);
  }
  const auto text = [](double value) { return format_param(to_digits(value, 2)); };
  return "the arc was interpolated to a flat detector (cubic convolution), since free poses have "
         "no "
         "arc: interpolated back, the values of " +
         std::to_string(count) + (count == 1 ? " view differ by " : " views differ by ") +
         text(all.rms) + " on average (RMS) and by " + text(all.most) + " at most, of " +
         text(all.largest_value) + "; the error of the values is about half of that";
}

/// Returns free poses of flat detectors, to whose cells the frames of an arc are interpolated.
ScanSpec poses_of(const CtPdSeries& series, RawScan& scan) {
  std::vector<ArcView> views;
  double low = series.views.front().height_mm, high = low;
  for (const CtPdView& view : series.views) {
    low = std::min(low, view.height_mm);
    high = std::max(high, view.height_mm);
  }
  const double middle = 0.5 * (low + high);
  for (const CtPdView& view : series.views) {
    const auto at = [&](double distance, double angle, double height) {
      return Vec3{-distance * std::sin(angle), distance * std::cos(angle), middle - height};
    };
    const double sine = std::sin(view.angle_rad), cosine = std::cos(view.angle_rad);
    views.push_back(
        {at(view.distance_mm + view.distance_shift_mm, view.angle_rad + view.angle_shift_rad,
            view.height_mm + view.height_shift_mm),
         at(view.distance_mm, view.angle_rad, view.height_mm),
         {sine, -cosine, 0},
         {-cosine, -sine, 0}});
  }
  assume_origin(middle, scan.assumptions);
  const ArcDetector arc = detector_of(series);
  ScanSpec spec;
  spec.beam = Beam::cone;
  spec.trajectory = Trajectory::poses;
  spec.detector_rows = arc.rows;
  spec.central_row = arc.central_row;
  for (const ArcView& view : views) spec.poses.push_back(flat_pose(arc, view));
  spec.detector_columns = arc.columns;
  spec.central_column = arc.central_column;
  if (series.is_arc) {
    const auto flat = std::make_shared<const FlattenedFrames>(scan.projections, arc, views);
    spec.detector_columns = flat->columns();
    spec.central_column = flat->central_column();
    scan.projections = flat;
    scan.notes.push_back(flattening_note(*flat));
    scan.assumptions.push_back(
        {"detector", "interpolated from the arc to a flat one, view by view",
         "the focal spot does not stand in the centre of the arc (flying focal spot), or the table "
         "moves unevenly"});
  }
  return spec;
}

}  // namespace

RawScan read_ct_pd_scan(const ImportRequest& request) {
  CtPdSeries series = read_ct_pd_series(request.path, request.leaves_out_damaged);
  RawScan scan;
  scan.projections = std::make_shared<const CtPdFrames>(series.columns, series.rows,
                                                        series.is_transposed, series.views);
  scan.are_line_integrals = series.are_line_integrals;
  scan.assumptions = std::move(series.assumptions);
  scan.notes = std::move(series.notes);
  scan.mu_water = series.mu_water;
  scan.geometry = rotation_of(series, unwrapped_angles(series.views), scan.assumptions);
  if (!scan.geometry) scan.geometry = poses_of(series, scan);
  // ScanGeometry checks whether the fields fit together.
  scan.geometry = ScanGeometry(std::move(*scan.geometry), request.path).spec();
  return scan;
}

}  // namespace gantry
