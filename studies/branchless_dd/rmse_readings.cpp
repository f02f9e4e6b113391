// What the printed RMSE of GPU-BL may be. Print has one number of the projection and one of the
// backprojection, and states neither unit nor norm nor which values they are of. Each reading here
// gives both, so that it explains print only where both agree.
#include "studies/branchless_dd/rmse_readings.hpp"

#include "core/base/params.hpp"
#include "core/geometry/presets.hpp"
#include "studies/branchless_dd/difference.hpp"
#include "studies/branchless_dd/printed.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace gantry::branchless_dd {

namespace {

constexpr int printed_views = 984;
constexpr double agreement = 0.1;         // of a printed number
constexpr double window_of_fig_12 = 250;  // "a display window [0, 250]"
/// The voxel lines of the backprojection that are computed along x and y.
constexpr int lines = 32;

/// Differences from the exact product.
struct Errors {
  double rms = 0, mean = 0;                ///< of all values; mean of the absolute differences
  double middle_rms = 0, middle_mean = 0;  ///< of the row or slice above the middle
  double largest_value = 0;                ///< of the exact product
};

/// `stacks` stacks of `layers` layers of `size` values.
Errors errors_of(const std::vector<double>& values, const std::vector<double>& exact, int stacks,
                 int layers) {
  const std::size_t size =
      values.size() / (static_cast<std::size_t>(stacks) * static_cast<std::size_t>(layers));
  Errors errors{.largest_value = *std::ranges::max_element(exact)};
  double square = 0, middle_square = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double d = std::abs(values[i] - exact[i]);
    square += d * d;
    errors.mean += d;
    if (i / size % static_cast<std::size_t>(layers) != static_cast<std::size_t>(layers / 2))
      continue;
    middle_square += d * d;
    errors.middle_mean += d;
  }
  const auto all = static_cast<double>(values.size()), middle = all / layers;
  errors.rms = std::sqrt(square / all);
  errors.mean /= all;
  errors.middle_rms = std::sqrt(middle_square / middle);
  errors.middle_mean /= middle;
  return errors;
}

/// The products of ones of a scanner, and their errors by a way of reading tables.
class Products {
 public:
  Products(const ScanGeometry& scan, const VolumeGrid& grid, const Interrupt* interrupt)
      : scan_(scan), grid_(grid), interrupt_(interrupt), ones_(grid.voxels(), 1.0F) {
    projection_ = project({});
  }
  Errors projection(const Reading& reading) const {
    return errors_of(project(reading), projection_, scan_.views(), scan_.rows());
  }

 private:
  std::vector<double> project(const Reading& reading) const {
    return project_as_printed(scan_, grid_, ones_, ViewSubset::all(scan_.views()), reading,
                              interrupt_);
  }
  const ScanGeometry& scan_;
  const VolumeGrid& grid_;
  const Interrupt* interrupt_;
  std::vector<float> ones_;
  std::vector<double> projection_;
};

/// The backprojection of ones from all views, in some of the voxel lines.
class Backprojections {
 public:
  Backprojections(const VolumeGrid& grid, const Interrupt* interrupt)
      : scan_(full_turn()), grid_(grid), interrupt_(interrupt), ones_(scan_.rays(), 1.0F) {
    exact_ = backproject({});
  }
  Errors operator()(const Reading& reading) const {
    return errors_of(backproject(reading), exact_, 1, grid_.nz);
  }

 private:
  static ScanGeometry full_turn() {
    ScanSpec spec = scan_preset("ge_ct750").scan;
    spec.view_angles_rad = angles_from_degrees(0, 360.0 / printed_views, printed_views);
    return ScanGeometry(spec);
  }
  std::vector<double> backproject(const Reading& reading) const {
    return backproject_as_printed(scan_, grid_, ones_, ViewSubset::all(scan_.views()), reading,
                                  grid_.nx / lines, interrupt_);
  }
  ScanGeometry scan_;
  const VolumeGrid& grid_;
  const Interrupt* interrupt_;
  std::vector<float> ones_;
  std::vector<double> exact_;
};

/// The table of readings. It counts those that explain both printed numbers, and keeps the one that
/// comes nearest.
class ReadingTable {
 public:
  void add(const std::string& what, const std::string& weights, double projection,
           std::optional<double> backprojection) {
    const double p = projection / printed::bl_projection_rmse;
    std::optional<double> b;
    if (backprojection) b = *backprojection / printed::bl_backprojection_rmse;
    const double off = std::max(std::abs(std::log(p)), b ? std::abs(std::log(*b)) : 1e9);
    const bool both = b && std::abs(p - 1) <= agreement && std::abs(*b - 1) <= agreement;
    if (both) ++explaining_;
    if (off < nearest_off_) {
      nearest_off_ = off;
      nearest_ = what + ", " + weights + " (" + format_param(std::round(100 * p) / 100) + " and " +
                 format_param(std::round(100 * b.value_or(0)) / 100) + " times print)";
    }
    table_.rows.push_back({what, weights, projection, p, backprojection, b, both ? "yes" : "no"});
  }
  StudyTable take() { return std::move(table_); }
  int explaining() const { return explaining_; }
  std::size_t count() const { return table_.rows.size(); }
  const std::string& nearest() const { return nearest_; }

 private:
  StudyTable table_{"rmse-readings",
                    "What print's RMSE of GPU-BL may be: 2.77e-2 (Fig. 12), 5.24e-2 (Fig. 14)",
                    {{"value", ""},
                     {"weights of the texture unit", ""},
                     {"projection, 0 and 45 degrees", ""},
                     {"of print's", ""},
                     {"backprojection, 984 views", ""},
                     {"of print's", ""},
                     {"within 10 % of both", ""}},
                    {}};
  int explaining_ = 0;
  double nearest_off_ = 1e9;
  std::string nearest_;
};

/// Adds units, norms and places of the same two products.
void add_measures(const std::string& weights, const Errors& p, const Errors& b,
                  const VolumeGrid& grid, ReadingTable& table) {
  const auto unit = [&](const std::string& what, double factor) {
    table.add(what, weights, factor * p.rms, factor * b.rms);
  };
  unit("RMSE, mm", 1);
  unit("RMSE, cm", 0.1);
  unit("RMSE, unit in which the largest ray is 250, the window of Fig. 12",
       window_of_fig_12 / p.largest_value);
  table.add("RMSE, % of the largest value", weights, 100 * p.rms / p.largest_value,
            100 * b.rms / b.largest_value);
  table.add("RMSE, eq. 18 as printed with areas in mm^2", weights,
            p.rms * grid.spacing_mm.x * grid.spacing_mm.z, {});
  table.add("mean absolute difference, mm", weights, p.mean, b.mean);
  table.add("RMSE of the middle row and slice, mm", weights, p.middle_rms, b.middle_rms);
  table.add("mean absolute difference of the middle row and slice, mm", weights, p.middle_mean,
            b.middle_mean);
}

}  // namespace

void rmse_readings(const ScanGeometry& scan, const Interrupt* interrupt, StudyResult& result) {
  const VolumeGrid& grid = scan_preset("ge_ct750").grid;
  const VolumeGrid half =
      VolumeGrid::centered(grid.nx, grid.ny, grid.nz,
                           {0.5 * grid.spacing_mm.x, 0.5 * grid.spacing_mm.y, grid.spacing_mm.z});
  const std::string exact = "exact", rounded = "eight bits";
  const Reading fractions{.fraction_bits = 8};
  ReadingTable table;
  const Products ones(scan, grid, interrupt);
  const Backprojections back(grid, interrupt);
  const Errors p_exact = ones.projection(fractions), b_exact = back(fractions),
               p_rounded = ones.projection(texture_reading), b_rounded = back(texture_reading);
  add_measures(exact, p_exact, b_exact, grid, table);
  add_measures(rounded, p_rounded, b_rounded, grid, table);
  const auto add = [&](const std::string& what, const std::string& weights, const Products& of,
                       const Backprojections& backprojections, const Reading& reading) {
    table.add(what, weights, of.projection(reading).rms, backprojections(reading).rms);
  };
  add("RMSE, mm, fractions of nine bits", exact, ones, back, {.fraction_bits = 9});
  add("RMSE, mm, full fractions, float32 sums", exact, ones, back,
      {.float32_places = true, .float32_values = true});
  const Products half_ones(scan, half, interrupt);
  const Backprojections half_back(half, interrupt);
  add("RMSE, mm, a field of 250 mm", exact, half_ones, half_back, fractions);
  add("RMSE, mm, a field of 250 mm", rounded, half_ones, half_back, texture_reading);
  const auto times = [](double a, double b) { return format_param(std::round(100 * a / b) / 100); };
  const Errors p_double = ones.projection(double_reading), b_double = back(double_reading);
  const double p_off = p_exact.rms / printed::bl_projection_rmse,
               b_off = b_exact.rms / printed::bl_backprojection_rmse;
  const bool apart = std::abs(std::log(p_off / b_off)) > agreement;
  const auto of_a_size = [](double a, double b) {
    return std::abs(std::log(a / b)) < std::log(3.0);
  };
  const bool same_size = of_a_size(p_double.rms, printed::db_projection_rmse) &&
                         of_a_size(b_double.rms, printed::db_backprojection_rmse);
  result.notes.push_back(
      "GPU-BL: of " + std::to_string(table.count()) + " readings of print's RMSE " +
      (table.explaining() == 0 ? "none" : std::to_string(table.explaining())) +
      " agrees with both printed numbers within 10 %; the nearest is: " + table.nearest() +
      ". A texture unit that rounds the weights, too, has " + times(p_rounded.rms, p_exact.rms) +
      " times the RMSE of one with exact weights projecting and " +
      times(b_rounded.rms, b_exact.rms) +
      " times backprojecting; what units did in 2017 is not in print. With exact weights the RMSE "
      "is " +
      times(p_exact.rms, printed::bl_projection_rmse) + " and " +
      times(b_exact.rms, printed::bl_backprojection_rmse) + " times print's in mm" +
      (apart ? ", so that no common unit turns both into print's" : "") +
      ". The rounding of positions to float32 alone gives " +
      times(p_double.rms, printed::db_projection_rmse) + " and " +
      times(b_double.rms, printed::db_backprojection_rmse) + " times what print has of GPU-DB" +
      (same_size ? ", so that mm is no other order of size than print's unit" : "") +
      ". Subtracting the mean leaves nothing "
      "of ones, and no error. Backprojections are of every " +
      std::to_string(grid.nx / lines) + "th voxel along x and y.");
  result.tables.push_back(table.take());
}

}  // namespace gantry::branchless_dd
