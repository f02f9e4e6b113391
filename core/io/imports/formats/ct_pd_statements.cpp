#include "core/io/imports/formats/ct_pd_statements.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/corrections/correction.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/io/dicom/file/projection_tags.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace gantry {

namespace {

constexpr double turn_rad = 2 * pi, turn_deg = 360;
constexpr double much = 0.02;         // of a number of projections in a turn
constexpr double much_pitch = 0.1;    // of a pitch: the collimation may be less than all rows
constexpr double still_mm = 1e-3;     // positions are 32-bit floats
constexpr double beyond_turn = 0.01;  // rad

std::string text(double value) { return format_param(to_digits(value, 4)); }

bool differs(double value, double expected, double part) {
  return std::abs(value - expected) > part * std::abs(expected);
}

/// Returns by how much the angle grows from one projection to the next on average, over those
/// between which none is missing; 0 where there are none.
double mean_step(const CtPdSeries& series, double turn) {
  double sum = 0;
  int steps = 0;
  for (std::size_t i = 1; i < series.views.size(); ++i) {
    const CtPdView &one = series.views[i - 1], &next = series.views[i];
    if (next.instance != one.instance + 1) continue;
    sum += std::remainder(next.angle_rad - one.angle_rad, turn);
    ++steps;
  }
  return steps > 0 ? sum / steps : 0;
}

/// Whether a step of the angles fits the stated number of projections in a turn. Where a focal spot
/// flies or spectra take turns, programs count each position or not.
bool fits_steps(const CtPdSeries& series, double step, double turn) {
  if (step == 0) return false;
  const double in_turn = turn / std::abs(step), stated = series.stated.steps_per_turn;
  if (!differs(in_turn, stated, much)) return true;
  const bool is_counted_otherwise = series.stated.spectra > 1 || series.stated.has_flying_spot();
  return is_counted_otherwise &&
         std::ranges::any_of(std::array{0.25, 0.5, 2.0, 4.0},
                             [&](double k) { return !differs(k * in_turn, stated, much); });
}

void compare_angles(CtPdSeries& series) {
  const double stated = series.stated.steps_per_turn, step = mean_step(series, turn_rad);
  const bool says_steps = stated > 0 && series.views.size() > 1,
             fits = says_steps && fits_steps(series, step, turn_rad);
  double largest = 0;
  for (const CtPdView& view : series.views) largest = std::max(largest, std::abs(view.angle_rad));
  if (largest > turn_rad + beyond_turn && !fits) {
    const std::string reaches = describe(ct_pd::focal_centre_angle) + " reaches " + text(largest);
    if (says_steps && largest <= turn_deg + beyond_turn &&
        fits_steps(series, mean_step(series, turn_deg), turn_deg)) {
      for (CtPdView& view : series.views) view.angle_rad = radians(view.angle_rad);
      series.assumptions.push_back({"angles", "degrees, against the rule of the format",
                                    reaches + ", and only degrees fit " +
                                        describe(ct_pd::angular_steps) + ", " + text(stated)});
      return;
    }
    series.notes.push_back(reaches +
                           ", where the format has radians of one turn: radians were taken; if "
                           "these are degrees, export the series with radians");
  }
  if (says_steps && !fits && step != 0)
    series.notes.push_back(describe(ct_pd::angular_steps) + " is " + text(stated) +
                           ", but the angles of the projections are " +
                           text(degrees(std::abs(step))) + " degrees apart, as of " +
                           text(turn_rad / std::abs(step)) + " in a turn: the angles were taken");
}

void compare_table(CtPdSeries& series) {
  const std::string said = describe(ct_pd::orbit_type) + " is " + series.stated.orbit;
  const std::vector<CtPdView>& views = series.views;
  const auto [low, high] = std::ranges::minmax(views, {}, &CtPdView::height_mm);
  const double moved = high.height_mm - low.height_mm;
  std::size_t moves = 0;  // a table that moves between turns stands still from view to view
  for (std::size_t i = 1; i < views.size(); ++i)
    if (std::abs(views[i].height_mm - views[i - 1].height_mm) > still_mm) ++moves;
  if (series.stated.orbit == "AXIAL" && 2 * moves > views.size())
    series.notes.push_back(said + ", but the table moves by " + text(moved) +
                           " mm while it is measured: its positions were taken");
  if (series.stated.orbit == "HELICAL" && views.size() > 1 && moved <= still_mm)
    series.notes.push_back(said + ", but the table does not move: its positions were taken");
  const double turns = (views.back().instance - views.front().instance) *
                       std::abs(mean_step(series, turn_rad)) / turn_rad,
               collimation =
                   series.rows * series.row_mm * views.front().distance_mm / series.detector_mm,
               feed = turns > 0 ? std::abs(views.back().height_mm - views.front().height_mm) / turns
                                : 0;
  if (series.stated.pitch > 0 && feed > still_mm &&
      differs(feed / collimation, series.stated.pitch, much_pitch))
    series.notes.push_back(describe(dicom::spiral_pitch_factor) + " is " +
                           text(series.stated.pitch) + ", but the table moves by " + text(feed) +
                           " mm in a turn, which is a pitch of " + text(feed / collimation) +
                           ": its positions were taken");
}

void compare_beam(CtPdSeries& series) {
  if (!series.stated.beam.empty() && series.stated.beam != "FANBEAM" &&
      series.stated.beam != "CONEBEAM")
    series.notes.push_back(describe(ct_pd::beam_type) + " is " + series.stated.beam +
                           ", but the files state the distance of a source: rays that diverge from "
                           "it were taken");
}

void compare_focal_spot(CtPdSeries& series) {
  const std::string said = describe(ct_pd::focal_spot_mode) + " is " + series.stated.focal_spot;
  const CtPdView& first = series.views.front();
  const auto moved =
      static_cast<std::size_t>(std::ranges::count_if(series.views, [&](const CtPdView& view) {
        return view.angle_shift_rad != first.angle_shift_rad ||
               view.height_shift_mm != first.height_shift_mm ||
               view.distance_shift_mm != first.distance_shift_mm;
      }));
  if (series.stated.has_flying_spot() && moved == 0 && series.views.size() > 1)
    series.notes.push_back(
        said +
        ", but the focal spot is at the same place in all projections: that place "
        "was taken");
  if (series.stated.focal_spot == "FFSNONE" && moved > 0)
    series.notes.push_back(said + ", but the focal spot is elsewhere in " +
                           counted(moved, "projection") +
                           " than in the first one: the stated shifts were taken");
}

}  // namespace

void compare_statements(CtPdSeries& series) {
  compare_angles(series);
  compare_table(series);
  compare_beam(series);
  compare_focal_spot(series);
}

}  // namespace gantry
