// Errors of the branchless distance-driven projector by table fractions of eight bits (Liu et al.
// 2017, Figs 11 to 13 and 15), computed with the published model (see printed_model.hpp), and what
// the paper's RMSE of GPU-BL may be.
#include "core/base/params.hpp"
#include "core/geometry/presets.hpp"
#include "studies/branchless_dd/difference.hpp"
#include "studies/branchless_dd/parts.hpp"
#include "studies/branchless_dd/printed.hpp"
#include "studies/branchless_dd/rmse_readings.hpp"
#include "studies/slice_image.hpp"
#include "studies/study_list.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

namespace gantry {

namespace {

using namespace branchless_dd;

double eight_bits(double fraction) { return std::floor(256 * fraction + 0.5) / 256; }

/// The view of 0.3 rad (17.2 degrees) has no special symmetry; the others are those of Fig. 12.
const std::vector<double>& angles_rad() {
  static const std::vector<double> angles = {0, radians(45), 0.3};
  return angles;
}
bool is_printed(std::size_t view) { return view < 2; }
double shown_angle(std::size_t view) { return std::round(10 * degrees(angles_rad()[view])) / 10; }

double largest_of(const std::vector<double>& values) { return *std::ranges::max_element(values); }

double largest_difference(const std::vector<double>& p, const std::vector<double>& exact) {
  double largest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) largest = std::max(largest, std::abs(p[i] - exact[i]));
  return largest;
}

std::string shown_degrees(double angle) { return format_param(angle) + " degrees"; }

void staircase(StudyResult& result) {
  constexpr int samples = 32768;
  double largest = 0;
  int steps = 1;
  StudyChart chart{
      "staircase", "Texture between texels 0 and 1 (Fig. 11b)", "sample of 32768", "value", false,
      false,       {{"exact", {}, {}}, {"eight bits", {}, {}}}};
  StudyChart errors{"staircase-errors",
                    "Texture between texels 0 and 1 (Fig. 11c)",
                    "sample of 32768",
                    "value read less exact value",
                    false,
                    false,
                    {{"eight bits", {}, {}}}};
  for (int i = 0; i < samples; ++i) {
    const double exact = static_cast<double>(i) / samples, read = eight_bits(exact);
    largest = std::max(largest, std::abs(read - exact));
    if (i > 0 && read != eight_bits(static_cast<double>(i - 1) / samples)) ++steps;
    if (i >= 1024) continue;
    errors.curves[0].x.push_back(i);
    errors.curves[0].y.push_back(read - exact);
    for (std::size_t c = 0; c < 2; ++c) {
      chart.curves[c].x.push_back(i);
      chart.curves[c].y.push_back(c == 0 ? exact : read);
    }
  }
  StudyTable table = StudyTable::comparing("staircase", "Fractions of eight bits (Fig. 11)",
                                           {{"measure", ""}}, "");
  // The first and the last step are half as wide as the others.
  table.compare({"samples a step"}, printed::samples_a_step, samples / (steps - 1.0),
                like_for_like);
  table.compare({"largest error"}, printed::largest_staircase_error, largest, like_for_like);
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
  result.charts.push_back(std::move(errors));
}

/// The projections of Fig. 12, with the figure's names: [row][column], mm.
struct OnesView {
  const ScanGeometry& scan;
  std::vector<double> cpu, bl, db;
};

/// Returns the row above the middle of the detector as a curve: (p - base) / unit.
StudyCurve middle_row(std::string name, const ScanGeometry& scan, const std::vector<double>& p,
                      const std::vector<double>* base = nullptr, double unit = 1) {
  StudyCurve curve{std::move(name), {}, {}};
  for (int c = 0; c < scan.columns(); ++c) {
    const std::size_t i = cell_index(scan, c, scan.rows() / 2);
    curve.x.push_back(c);
    curve.y.push_back((p[i] - (base != nullptr ? (*base)[i] : 0)) / unit);
  }
  return curve;
}

/// Draws Fig. 12 for one view: the middle row of the projections, and their normalised differences
/// from CPU-32, which the figure shows from -0.002 to 0.002.
void draw_figure_12(const OnesView& view, const std::string& angle, StudyChart& profiles,
                    StudyChart& differences) {
  const double most = largest_of(view.cpu);
  profiles.curves.push_back(middle_row("CPU-32, " + angle, view.scan, view.cpu));
  profiles.curves.push_back(middle_row("GPU-BL, " + angle, view.scan, view.bl));
  profiles.curves.push_back(middle_row("GPU-DB, " + angle, view.scan, view.db));
  differences.curves.push_back(middle_row("GPU-BL, " + angle, view.scan, view.bl, &view.cpu, most));
  differences.curves.push_back(middle_row("GPU-DB, " + angle, view.scan, view.db, &view.cpu, most));
}

/// Returns a projection, in a window up to its largest value: print's, 0 to 250, has no unit.
StudyImage projection_image(const std::string& name, const std::string& key,
                            const std::string& angle, const ScanGeometry& scan,
                            const std::vector<double>& p) {
  return {.key = key + "-at-" + angle,
          .title = name + ", " + angle + " degrees (Fig. 12)",
          .unit = "mm",
          .width = scan.columns(),
          .height = scan.rows(),
          .values = {p.begin(), p.end()},
          .high = largest_of(p)};
}

/// Returns a projection less another one, of the latter's largest value, in print's window.
StudyImage difference_of(const std::string& name, const std::string& angle,
                         const ScanGeometry& scan, const std::vector<double>& p,
                         const std::vector<double>& cpu) {
  const double most = largest_of(cpu);
  StudyImage image{.key = (name == "GPU-BL" ? "bl-at-" : "db-at-") + angle,
                   .title = name + " less CPU-32, of the maximum, " + angle + " degrees (Fig. 12)",
                   .width = scan.columns(),
                   .height = scan.rows(),
                   .low = -printed::fig_12_half_window,
                   .high = printed::fig_12_half_window};
  for (std::size_t i = 0; i < p.size(); ++i)
    image.values.push_back(static_cast<float>((p[i] - cpu[i]) / most));
  return image;
}

/// Returns the cells whose normalised difference lies outside the figure's window, %.
double beyond_window(const std::vector<double>& p, const std::vector<double>& exact) {
  const double limit = printed::fig_12_half_window * largest_of(exact);
  std::size_t count = 0;
  for (std::size_t i = 0; i < p.size(); ++i) count += std::abs(p[i] - exact[i]) > limit ? 1 : 0;
  return 100.0 * static_cast<double>(count) / static_cast<double>(p.size());
}

/// Returns the scanner of Table I with `views`, of whose detector rows the middle ones are kept, an
/// even number of them, because the row just above the middle is drawn.
ScanGeometry scanner(double scale, const std::vector<double>& view_angles_rad) {
  ScanSpec spec = scan_preset("ge_ct750").scan;
  if (scale > 0)
    spec.detector_rows = std::clamp(
        2 * static_cast<int>(std::lround(0.5 * scale * spec.detector_rows)), 2, spec.detector_rows);
  spec.central_row = 0.5 * (spec.detector_rows - 1);
  spec.view_angles_rad = view_angles_rad;
  return ScanGeometry(spec);
}

void volume_of_ones(const StudyOptions& options, StudyResult& result) {
  const ScanGeometry scan = scanner(options.scale, angles_rad());
  const VolumeGrid& grid = scan_preset("ge_ct750").grid;
  const std::vector<float> ones(grid.voxels(), 1.0F);
  StudyTable table =
      StudyTable::comparing("ones", "A volume of ones, 512 x 512 x 64, one view: RMSE (Fig. 12)",
                            {{"view", "degrees"},
                             {"sums and interpolation", ""},
                             {"largest error", "% of maximum"},
                             {"beyond 0.002 of maximum", "% of cells"}},
                            "mm");
  StudyChart profiles{"ones-profiles",
                      "A volume of ones, middle detector row (Fig. 12, left)",
                      "column",
                      "line integral, mm",
                      false,
                      false,
                      {}};
  StudyChart differences{"ones-differences",
                         "Differences from CPU-32, middle detector row (Fig. 12: -0.002 to 0.002)",
                         "column",
                         "difference, of the maximum",
                         false,
                         false,
                         {}};
  for (std::size_t v = 0; v < angles_rad().size(); ++v) {
    const double angle = shown_angle(v);
    const auto project = [&](const Reading& reading) {
      return project_as_printed(scan, grid, ones, {static_cast<int>(v), 1, 1}, reading,
                                options.interrupt);
    };
    const OnesView view{scan, project({}), project(texture_reading), project(double_reading)};
    const auto add = [&](const char* how, const std::vector<double>& p, const StudyCell& paper) {
      table.compare({angle, how, 100 * largest_difference(p, view.cpu) / largest_of(view.cpu),
                     beyond_window(p, view.cpu)},
                    paper, rms_difference(p, view.cpu), "print states no unit; here mm",
                    Better::smaller);
    };
    add("GPU-BL: float, fractions and weights of eight bits", view.bl,
        is_printed(v) ? StudyCell(printed::bl_projection_rmse) : StudyCell());
    add("double, fractions of eight bits", project({.fraction_bits = 8}), {});
    add("float", project({.float32_places = true, .float32_values = true}), {});
    add("GPU-DB: double, float positions", view.db,
        is_printed(v) ? StudyCell(printed::db_projection_rmse) : StudyCell());
    if (!is_printed(v)) continue;
    draw_figure_12(view, shown_degrees(angle), profiles, differences);
    for (const auto& [name, key, p] : {std::tuple{"CPU-32", "cpu-projection", &view.cpu},
                                       {"GPU-BL", "bl-projection", &view.bl},
                                       {"GPU-DB", "db-projection", &view.db}})
      result.images.push_back(projection_image(name, key, format_param(angle), scan, *p));
    for (const auto& [name, p] : {std::pair{"GPU-BL", &view.bl}, {"GPU-DB", &view.db}})
      result.images.push_back(difference_of(name, format_param(angle), scan, *p, view.cpu));
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(profiles));
  result.charts.push_back(std::move(differences));
}

/// Draws Fig. 13: the backprojection of ones from the view at 0 degrees in the slice above the
/// middle. Print states neither levels nor window.
void figure_13(const StudyOptions& options, StudyResult& result) {
  const ScanGeometry scan = scanner(0, {0});
  const std::vector<float> ones(scan.rays(), 1.0F);
  VolumeGrid slice = scan_preset("ge_ct750").grid;
  slice.origin_mm = slice.voxel_center_mm(0, 0, slice.nz / 2);
  slice.nz = 1;
  const auto backproject = [&](const Reading& reading) {
    return backproject_as_printed(scan, slice, ones, {0, 1, 1}, reading, 1, options.interrupt);
  };
  const std::vector<double> cpu = backproject({});
  const double most = largest_of(cpu);
  const auto draw = [&](const std::string& key, const std::string& title, const auto& value) {
    StudyImage image{.key = "back-" + key,
                     .title = title + ", backprojection of one view (Fig. 13)",
                     .width = slice.nx,
                     .height = slice.ny};
    for (std::size_t i = 0; i < cpu.size(); ++i)
      image.values.push_back(static_cast<float>(value(i)));
    return image;
  };
  const auto values_of = [](const std::vector<double>& values) {
    return [&](std::size_t i) { return values[i]; };
  };
  const StudyImage reference = draw("contours-cpu", "contours of CPU-32", values_of(cpu));
  result.images.push_back(ten_contours(reference, reference));
  double window = 0;
  for (const auto& [name, reading] :
       {std::pair{"GPU-BL", texture_reading}, {"GPU-DB", double_reading}}) {
    const std::vector<double> values = backproject(reading);
    window = std::max(window, largest_difference(values, cpu) / most);  // GPU-BL's, for both
    const std::string key = name == std::string("GPU-BL") ? "bl" : "db";
    result.images.push_back(ten_contours(
        draw("contours-" + key, std::string("contours of ") + name, values_of(values)), reference));
    if (key == "bl") {
      StudyImage image = draw(key, name, values_of(values));
      image.unit = "mm";
      image.high = most;
      result.images.push_back(std::move(image));
    }
    StudyImage less = draw("less-" + key, std::string(name) + " less CPU-32, of the maximum",
                           [&](std::size_t i) { return (values[i] - cpu[i]) / most; });
    less.low = -window;
    less.high = window;
    result.images.push_back(std::move(less));
  }
}

void bar(StudyResult& result) {
  StudyTable table = StudyTable::comparing(
      "bar", "A bar of 25 x 1 pixels, parallel beam: largest error, of the maximum (Fig. 15)",
      {{"view", "degrees"}, {"RMSE", "mm"}}, "%");
  StudyChart chart{"bar",  "Error of eight-bit fractions on a bar of 25 pixels",
                   "cell", "error, % of the maximum",
                   false,  false,
                   {}};
  StudyChart profiles{"bar-profiles",
                      "A bar of 25 pixels: projections (Fig. 15)",
                      "cell",
                      "line integral, mm",
                      false,
                      false,
                      {}};
  const std::vector<double> angles = {0, 30, 45, 179.5};
  const Setting setting = bar_setting(angles);
  const std::vector<float> ones(setting.grid.voxels(), 1.0F);
  for (std::size_t v = 0; v < angles.size(); ++v) {
    const double angle = angles[v];
    const auto project = [&](const Reading& reading) {
      return project_as_printed(*setting.geometry, setting.grid, ones, {static_cast<int>(v), 1, 1},
                                reading);
    };
    const std::vector<double> exact = project({}), coarse = project({.fraction_bits = 8});
    table.compare({angle, rms_difference(coarse, exact)}, printed::bar_error(angle),
                  100 * largest_difference(coarse, exact) / largest_of(exact), like_for_like,
                  Better::smaller);
    for (const auto& [name, values] : {std::pair{"CPU-32, ", &exact}, {"eight bits, ", &coarse}}) {
      StudyCurve line{name + shown_degrees(angle), {}, *values};
      for (std::size_t c = 0; c < values->size(); ++c) line.x.push_back(static_cast<double>(c));
      profiles.curves.push_back(std::move(line));
    }
    StudyCurve curve{shown_degrees(angle), {}, {}};
    for (std::size_t c = 0; c < exact.size(); ++c) {
      curve.x.push_back(static_cast<double>(c));
      curve.y.push_back(100 * (coarse[c] - exact[c]) / largest_of(exact));
    }
    chart.curves.push_back(std::move(curve));
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(profiles));
  result.charts.push_back(std::move(chart));
}

}  // namespace

StudyResult study_dd_accuracy(const StudyOptions& options) {
  const int all_rows = scan_preset("ge_ct750").scan.detector_rows,
            rows = scanner(options.scale, angles_rad()).rows();
  StudyResult result;
  result.notes = {
      "The texture unit is modelled, not used: fraction = floor(256 t + 1/2) / 256, and the weight "
      "of the entry across, the product of two fractions, is rounded in the same way; the other "
      "weights complete the fractions and 1. The reference, CPU-32 in the figures, is the model of "
      "eqs 14 to 18 in float64 with full fractions, which equals explicit overlaps.",
      "The unit and the norm of the printed RMSE (2.77e-2 projecting ones) are not stated; it "
      "stands beside mm, for each of the two views of Fig. 12, without a deviation. Their double "
      "variant (GPU-DB, 3.50e-4) "
      "interpolates in software; modelled are float64 sums with float32 positions. Where the bar's "
      "cells begin is not printed either; with 25 cells about "
      "the middle, view 0 is not free of error, as it is printed to be."};
  if (rows < all_rows)
    result.notes.push_back("Of the detector's " + std::to_string(all_rows) + " rows the middle " +
                           std::to_string(rows) + " are computed.");
  result.scale = 1.0 * rows / all_rows;
  staircase(result);
  volume_of_ones(options, result);
  figure_13(options, result);
  rmse_readings(scanner(options.scale, {0, radians(45)}), options.interrupt, result);
  bar(result);
  return result;
}

}  // namespace gantry
