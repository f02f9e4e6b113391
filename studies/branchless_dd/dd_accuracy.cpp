// Errors of the branchless distance-driven projector by eight-bit fractions (Liu et al. 2017).
//
//   p = sum over layers  step / |e_n| * (F(x1,z1) + F(x0,z0) - F(x1,z0) - F(x0,z1)) / area
//
// F are the prefix sums of a layer (the voxels of one x or one y), interpolated linearly between
// the entries of their table. Texture units of a GPU interpolate with fractions of eight bits,
// modelled as floor(256 t + 1/2) / 256. Angles as printed: the source is at SID (-sin t, cos t),
// the fan angle grows along (cos t, sin t).
#include "core/base/params.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "studies/branchless_dd/printed.hpp"
#include "studies/study_list.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace gantry {

namespace {

namespace printed = branchless_dd::printed;

/// Precision of a position between two entries of a table: exact; that of a float32 coordinate, as
/// of software interpolation on a GPU (GPU-DB); eight bits, as of the texture units of a GPU
/// (GPU-BL).
enum class TablePrecision { exact, float32, eight_bits };

double eight_bits(double fraction) { return std::floor(256 * fraction + 0.5) / 256; }

/// Prefix sums of a layer of ones; all layers of the volume have the same sums.
template <class Real>
class SumsOfOnes {
 public:
  SumsOfOnes(int width, int height, TablePrecision precision)
      : width_(width),
        height_(height),
        precision_(precision),
        sum_(static_cast<std::size_t>(width + 1) * static_cast<std::size_t>(height + 1)) {
    for (int z = 0; z <= height; ++z)
      for (int x = 0; x <= width; ++x)
        sum_[index(x, z)] = static_cast<Real>(x) * static_cast<Real>(z);
  }

  /// Returns the interpolated sum at pixel edges (x, z), clamped to the layer.
  Real at(double x, double z) const {
    if (precision_ == TablePrecision::float32) {
      x = static_cast<float>(x);
      z = static_cast<float>(z);
    }
    x = std::clamp(x, 0.0, static_cast<double>(width_));
    z = std::clamp(z, 0.0, static_cast<double>(height_));
    const int i = std::min(static_cast<int>(x), width_ - 1),
              k = std::min(static_cast<int>(z), height_ - 1);
    const Real fx = fraction(x - i), fz = fraction(z - k), one = 1;
    return (sum_[index(i, k)] * (one - fz) + sum_[index(i, k + 1)] * fz) * (one - fx) +
           (sum_[index(i + 1, k)] * (one - fz) + sum_[index(i + 1, k + 1)] * fz) * fx;
  }

 private:
  std::size_t index(int x, int z) const {
    return static_cast<std::size_t>(z) * static_cast<std::size_t>(width_ + 1) +
           static_cast<std::size_t>(x);
  }
  Real fraction(double t) const {
    return static_cast<Real>(precision_ == TablePrecision::eight_bits ? eight_bits(t) : t);
  }

  int width_, height_;
  TablePrecision precision_;
  std::vector<Real> sum_;
};

// GE CT750 HD, as printed: cells on an arc, 512 x 512 x 64 voxels.
constexpr int columns = 888, rows = 64, side = 512, slices = 64;
constexpr double sid_mm = 541, sdd_mm = 949, column_mm = 1.0239, row_mm = 1.0963, offset_mm = -1.28,
                 voxel_mm = 500.0 / side, slice_mm = 0.625;

/// The detector rows that are computed, around the middle of the detector; all at full scale.
struct Band {
  int count = rows;
  int first() const { return (rows - count) / 2; }
  int middle() const { return rows / 2 - first(); }
};
Band band_of(double scale) {
  // An even number of rows, because the row just beyond the middle is drawn.
  return {scale > 0 ? std::clamp(2 * static_cast<int>(std::lround(0.5 * scale * rows)), 2, rows)
                    : rows};
}

/// Returns one view of a volume of ones, [column][row of the band], mm.
template <class Real>
std::vector<double> project_ones(double angle_rad, TablePrecision precision, const Band& band) {
  const SumsOfOnes<Real> sums(side, slices, precision);
  const bool along_y = std::abs(std::sin(angle_rad)) <= std::abs(std::cos(angle_rad)) * (1 + 1e-12);
  const double sx = -sid_mm * std::sin(angle_rad), sy = sid_mm * std::cos(angle_rad);
  const double su = along_y ? sx : sy, sw = along_y ? sy : sx;
  const auto direction = [&](double column) {  // components along u and w
    const double a = angle_rad + ((column - 0.5 * (columns - 1)) * column_mm + offset_mm) / sdd_mm;
    const double x = std::sin(a), y = -std::cos(a);
    return along_y ? std::pair{x, y} : std::pair{y, x};
  };
  const auto count = static_cast<std::size_t>(band.count);
  std::vector<double> out(columns * count);
#pragma omp parallel for schedule(dynamic)
  for (int column = 0; column < columns; ++column) {
    const auto [lu, lw] = direction(column - 0.5);
    const auto [hu, hw] = direction(column + 0.5);
    const double cw = direction(column).second;
    for (int i = 0; i < band.count; ++i) {
      const int row = band.first() + i;
      const double low_mm = (row - 0.5 * rows) * row_mm, high_mm = low_mm + row_mm,
                   middle = low_mm + 0.5 * row_mm;
      double sum = 0;
      for (int k = 0; k < side; ++k) {
        const double depth = (k - 0.5 * (side - 1)) * voxel_mm - sw;
        double u0 = (su + depth * lu / lw) / voxel_mm + 0.5 * side,
               u1 = (su + depth * hu / hw) / voxel_mm + 0.5 * side;
        if (u0 > u1) std::swap(u0, u1);
        const double zoom = depth / cw / sdd_mm / slice_mm;
        const double z0 = low_mm * zoom + 0.5 * slices, z1 = high_mm * zoom + 0.5 * slices;
        const Real rectangle =
            sums.at(u1, z1) + sums.at(u0, z0) - sums.at(u1, z0) - sums.at(u0, z1);
        sum += static_cast<double>(rectangle) / ((u1 - u0) * (z1 - z0));
      }
      out[static_cast<std::size_t>(column) * count + static_cast<std::size_t>(i)] =
          sum * voxel_mm / std::abs(cw) * std::hypot(sdd_mm, middle) / sdd_mm;
    }
  }
  return out;
}

struct Deviation {
  double rmse = 0, largest = 0;  ///< mm; relative to the largest value
};

Deviation error_of(const std::vector<double>& p, const std::vector<double>& exact) {
  Deviation error;
  for (std::size_t i = 0; i < p.size(); ++i) {
    error.rmse += (p[i] - exact[i]) * (p[i] - exact[i]);
    error.largest = std::max(error.largest, std::abs(p[i] - exact[i]));
  }
  error.rmse = std::sqrt(error.rmse / static_cast<double>(p.size()));
  error.largest /= *std::ranges::max_element(exact);
  return error;
}

std::string shown_degrees(double angle) { return format_param(angle) + " degrees"; }

void staircase(StudyResult& result) {
  constexpr int samples = 32768;
  double largest = 0;
  int steps = 1;
  StudyChart chart{
      "staircase", "Texture between texels 0 and 1 (Fig. 11b)", "sample of 32768", "value", false,
      false,       {{"exact", {}, {}}, {"eight bits", {}, {}}}};
  for (int i = 0; i < samples; ++i) {
    const double exact = static_cast<double>(i) / samples, read = eight_bits(exact);
    largest = std::max(largest, std::abs(read - exact));
    if (i > 0 && read != eight_bits(static_cast<double>(i - 1) / samples)) ++steps;
    if (i >= 1024) continue;
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
}

/// The projections of Fig. 12, with the figure's names.
struct OnesView {
  Band band;
  std::vector<double> cpu, bl, db;
};

/// Returns the middle detector row as a curve: (p - base) / unit.
StudyCurve middle_row(std::string name, const Band& band, const std::vector<double>& p,
                      const std::vector<double>* base = nullptr, double unit = 1) {
  StudyCurve curve{std::move(name), {}, {}};
  for (int c = 0; c < columns; ++c) {
    const auto i = static_cast<std::size_t>(c * band.count + band.middle());
    curve.x.push_back(c);
    curve.y.push_back((p[i] - (base != nullptr ? (*base)[i] : 0)) / unit);
  }
  return curve;
}

/// Draws Fig. 12 for one view: the middle row of the projections, and their normalised differences
/// from CPU-32, which the figure shows from -0.002 to 0.002.
void draw_figure_12(const OnesView& view, const std::string& angle, StudyChart& profiles,
                    StudyChart& differences) {
  const double most = *std::ranges::max_element(view.cpu);
  profiles.curves.push_back(middle_row("CPU-32, " + angle, view.band, view.cpu));
  profiles.curves.push_back(middle_row("GPU-BL, " + angle, view.band, view.bl));
  profiles.curves.push_back(middle_row("GPU-DB, " + angle, view.band, view.db));
  differences.curves.push_back(middle_row("GPU-BL, " + angle, view.band, view.bl, &view.cpu, most));
  differences.curves.push_back(middle_row("GPU-DB, " + angle, view.band, view.db, &view.cpu, most));
}

/// Returns a projection less another one, of the latter's largest value, in print's window.
StudyImage difference_of(const std::string& name, const std::string& angle, const Band& band,
                         const std::vector<double>& p, const std::vector<double>& cpu) {
  const double most = *std::ranges::max_element(cpu);
  StudyImage image{.key = (name == "GPU-BL" ? "bl-at-" : "db-at-") + angle,
                   .title = name + " less CPU-32, of the maximum, " + angle + " degrees (Fig. 12)",
                   .width = columns,
                   .height = band.count,
                   .low = -printed::fig_12_half_window,
                   .high = printed::fig_12_half_window};
  for (int row = 0; row < band.count; ++row)
    for (int c = 0; c < columns; ++c) {
      const auto i = static_cast<std::size_t>(c * band.count + row);
      image.values.push_back(static_cast<float>((p[i] - cpu[i]) / most));
    }
  return image;
}

/// Returns the cells whose normalised difference lies outside the figure's window, %.
double beyond_window(const std::vector<double>& p, const std::vector<double>& exact) {
  const double limit = printed::fig_12_half_window * *std::ranges::max_element(exact);
  std::size_t count = 0;
  for (std::size_t i = 0; i < p.size(); ++i) count += std::abs(p[i] - exact[i]) > limit ? 1 : 0;
  return 100.0 * static_cast<double>(count) / static_cast<double>(p.size());
}

void volume_of_ones(const Band& band, StudyResult& result) {
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
  // 17.2 degrees (0.3 rad) is a view without special symmetry.
  for (const double degrees_shown : {0.0, 45.0, 17.2}) {
    const bool is_printed = degrees_shown != 17.2;
    const double angle = is_printed ? radians(degrees_shown) : 0.3;
    const OnesView view{band, project_ones<double>(angle, TablePrecision::exact, band),
                        project_ones<float>(angle, TablePrecision::eight_bits, band),
                        project_ones<double>(angle, TablePrecision::float32, band)};
    const auto add = [&](const char* how, const std::vector<double>& p, const StudyCell& paper) {
      const Deviation error = error_of(p, view.cpu);
      table.compare({degrees_shown, how, 100 * error.largest, beyond_window(p, view.cpu)}, paper,
                    error.rmse, "print states no unit; here mm", Better::smaller);
    };
    add("GPU-BL: float, eight-bit fractions", view.bl,
        is_printed ? StudyCell(printed::bl_projection_rmse) : StudyCell());
    add("double, eight-bit fractions",
        project_ones<double>(angle, TablePrecision::eight_bits, band), {});
    add("float", project_ones<float>(angle, TablePrecision::exact, band), {});
    add("GPU-DB: double, float positions", view.db,
        is_printed ? StudyCell(printed::db_projection_rmse) : StudyCell());
    if (!is_printed) continue;
    draw_figure_12(view, shown_degrees(degrees_shown), profiles, differences);
    for (const auto& [name, p] : {std::pair{"GPU-BL", &view.bl}, {"GPU-DB", &view.db}})
      result.images.push_back(difference_of(name, format_param(degrees_shown), band, *p, view.cpu));
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(profiles));
  result.charts.push_back(std::move(differences));
}

/// Projects the bar of 25 pixels of 1 mm on the x axis in a parallel beam onto 25 cells of 1.41 mm;
/// returns the cells, mm.
std::vector<double> project_bar(double angle_rad, TablePrecision precision) {
  constexpr int pixels = 25, cells = 25;
  constexpr double cell_mm = 1.41;
  const double stretch = 1 / std::abs(std::cos(angle_rad));  // length on the bar / cell width
  const SumsOfOnes<double> sums(pixels, 1, precision);
  std::vector<double> out;
  for (int c = 0; c < cells; ++c) {
    const double u0 = (c - 0.5 * cells) * cell_mm * stretch + 0.5 * pixels,
                 u1 = u0 + cell_mm * stretch;
    out.push_back((sums.at(u1, 1) - sums.at(u0, 1)) / (u1 - u0) * stretch);
  }
  return out;
}

void bar(StudyResult& result) {
  StudyTable table = StudyTable::comparing(
      "bar", "A bar of 25 x 1 pixels, parallel beam: largest error, of the maximum (Fig. 15)",
      {{"view", "degrees"}, {"RMSE", "mm"}}, "%");
  StudyChart chart{"bar",  "Error of eight-bit fractions on a bar of 25 pixels",
                   "cell", "error, % of the maximum",
                   false,  false,
                   {}};
  for (const double angle : {0.0, 30.0, 45.0, 179.5}) {
    const std::vector<double> exact = project_bar(radians(angle), TablePrecision::exact),
                              coarse = project_bar(radians(angle), TablePrecision::eight_bits);
    const Deviation error = error_of(coarse, exact);
    // "Below 0.2" is said of Fig. 15 (a), the first angle of the figure.
    const StudyCell in_print = angle == 0    ? StudyCell("none")
                               : angle == 30 ? StudyCell("below 0.2")
                                             : StudyCell();
    table.compare({angle, error.rmse}, in_print, 100 * error.largest, like_for_like);
    StudyCurve curve{shown_degrees(angle), {}, {}};
    for (std::size_t c = 0; c < exact.size(); ++c) {
      curve.x.push_back(static_cast<double>(c));
      curve.y.push_back(100 * (coarse[c] - exact[c]) / *std::ranges::max_element(exact));
    }
    chart.curves.push_back(std::move(curve));
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
}

}  // namespace

StudyResult study_dd_accuracy(const StudyOptions& options) {
  const Band band = band_of(options.scale);
  StudyResult result;
  result.notes = {
      "The texture unit is modelled, not used: fraction = floor(256 t + 1/2) / 256. The reference "
      "is the same projector in float64 with full fractions, which equals explicit overlaps.",
      "The unit and the norm of the printed RMSE (2.77e-2 projecting ones) are not stated; it "
      "stands beside mm, for each of the two views of Fig. 12, without a deviation. Their double "
      "variant (GPU-DB, 3.50e-4) "
      "interpolates in software; modelled are float64 sums with float32 positions, the reference "
      "stands for CPU-32. Where the bar's cells begin is not printed either; with 25 cells about "
      "the middle, view 0 is not free of error, as it is printed to be."};
  if (band.count < rows)
    result.notes.push_back("Of the detector's " + std::to_string(rows) + " rows the middle " +
                           std::to_string(band.count) + " are computed.");
  result.scale = 1.0 * band.count / rows;
  staircase(result);
  volume_of_ones(band, result);
  bar(result);
  return result;
}

}  // namespace gantry
