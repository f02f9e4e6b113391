// Numbers of nonzeros of system matrices, by model, and the memory of the stored matrices.
//
//   area integral      a strip meets the pixel in a positive area      Yu et al. 2019, Table 1
//   Siddon             the ray crosses the pixel                       Chen et al., Table 1
//   distance-driven    the cell's footprint overlaps the pixel         Nourazar, Goossens 2021,
//   linear             between two pixels                              Table 2
//
// The scanners are not published; each geometry here is the one that fits the printed numbers best.
#include "studies/nonzeros.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "studies/study_context.hpp"
#include "studies/study_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace gantry {

namespace {

bool wanted(const std::vector<int>& sides, int side) {
  return sides.empty() || std::ranges::find(sides, side) != sides.end();
}

VolumeGrid unit_grid(int side) { return VolumeGrid::centered(side, side, 1, {1, 1, 1}); }

/// Returns a scan of a square of `side` pixels of 1 mm whose field of view has the diameter cover *
/// side; the source is at side / (2 eps), or the beam parallel for eps = 0.
ScanSpec square_scan(int side, double eps, double cover, int columns, std::vector<double> angles) {
  ScanSpec spec;
  spec.beam = eps > 0 ? Beam::fan : Beam::parallel;
  spec.source_to_isocenter_mm = eps > 0 ? 0.5 * side / eps : 0;
  spec.source_to_detector_mm = 2 * spec.source_to_isocenter_mm;
  spec.detector_columns = columns;
  spec.central_column = 0.5 * (columns - 1);
  spec.row_pitch_mm = 1;
  spec.column_pitch_mm =
      eps > 0 ? 2 * std::tan(std::asin(cover * eps)) * spec.source_to_detector_mm / columns
              : cover * side / columns;
  spec.view_angles_rad = std::move(angles);
  return spec;
}

ScanSpec on_arc(ScanSpec spec) {
  const double half_fan =
      std::atan(0.5 * spec.column_pitch_mm * spec.detector_columns / spec.source_to_detector_mm);
  spec.detector = DetectorShape::arc;
  spec.column_pitch_mm = 2 * half_fan * spec.source_to_detector_mm / spec.detector_columns;
  return spec;
}

/// Returns the sum of count(view) over the scan's views.
template <class Count>
std::int64_t sum_views(const ScanGeometry& scan, const Count& count) {
  std::int64_t sum = 0;
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
  for (int view = 0; view < scan.views(); ++view) errors.run([&] { sum += count(view); });
  errors.rethrow();
  return sum;
}

/// Counts the area weights of the stored eighth of the views. With the first view half a step off
/// the axis all views are images of these by symmetry.
std::int64_t stored_area_weights(int side, double eps, int views) {
  const ScanGeometry scan(on_arc(square_scan(
      side, eps, 1.0, 1024, angles_from_degrees(180.0 / views, 360.0 / views, views / 8))));
  const VolumeGrid grid = unit_grid(side);
  return sum_views(scan, [&](int view) { return count_area_weights(scan, grid, view); });
}

/// Returns the bytes of a CSR matrix: 4 for each value and each column index, 4 for each row start
/// (8 from 2^31 nonzeros on).
double csr_bytes(std::int64_t nonzeros, std::int64_t rows) {
  const double start = nonzeros >= std::int64_t{1} << 31 ? 8 : 4;
  return 8.0 * static_cast<double>(nonzeros) + start * static_cast<double>(rows + 1);
}

/// A column of Yu et al. 2019, Table 1, GB.
struct AreaSizes {
  int views, side;
  double csr, scsr;
};
constexpr std::array<AreaSizes, 6> printed_area_sizes = {{{360, 512, 2.34, 0.29},
                                                          {360, 1024, 6.19, 0.77},
                                                          {360, 2048, 18.44, 2.31},
                                                          {720, 512, 4.82, 0.60},
                                                          {720, 1024, 11.97, 1.50},
                                                          {720, 2048, 37.41, 4.68}}};

/// Returns by how much, %, the printed sizes of CSR of 720 views differ from twice those of 360 at
/// most.
double most_off_a_factor_of_two() {
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i)
    most = std::max(most,
                    std::abs(printed_area_sizes[i + 3].csr / (2 * printed_area_sizes[i].csr) - 1));
  return 100 * most;
}

/// Returns the mean nonzeros of a row of CSR of 1024^2 pixels and 720 views in the table of
/// add_area_matrix_sizes, with the number of pixels; empty where that size is not in the table.
std::string density_of(const StudyTable& table) {
  for (const auto& row : table.rows) {
    if (row[0].words != "1024^2" || row[1].number != 720.0 || row[2].words != "CSR") continue;
    return " The printed density of 10 % cannot be: a row of the 1024^2 matrix holds " +
           std::to_string(std::llround(*row[3].number / (1024.0 * 720))) + " of " +
           std::to_string(1024 * 1024) + " pixels.";
  }
  return {};
}

}  // namespace

void add_area_matrix_sizes(StudyResult& result, const std::vector<int>& sides) {
  StudyTable table = StudyTable::comparing(
      "area-integral", "Area-integral matrices, 1024 rays a view (Yu et al. 2019, Table 1)",
      {{"image", ""}, {"views", ""}, {"format", ""}, {"nonzeros", ""}}, "GB");
  for (const AreaSizes& p : printed_area_sizes) {
    if (!wanted(sides, p.side)) continue;
    const std::int64_t stored = stored_area_weights(p.side, 0.0436, p.views);
    const std::int64_t rows = std::int64_t{1024} * p.views;
    const auto add = [&](const char* format, std::int64_t nonzeros, std::int64_t stored_rows,
                         double printed) {
      table.compare({std::to_string(p.side) + "^2", static_cast<double>(p.views), format,
                     static_cast<double>(nonzeros)},
                    StudyCell::of_fitted_scan(printed), csr_bytes(nonzeros, stored_rows) / 1e9,
                    like_for_like);
    };
    add("CSR", 8 * stored, rows, p.csr);
    add("SCSR", stored, rows / 8, p.scsr);
  }
  result.tables.push_back(std::move(table));
}

namespace {

struct SiddonMatrix {
  std::int64_t nonzeros = 0;
  int longest_column = 0;
};

SiddonMatrix siddon_matrix(const ScanSpec& spec, int side) {
  CpuBackend backend;
  const auto scan = std::make_shared<const ScanGeometry>(spec);
  const auto A = make_siddon(backend, scan, unit_grid(side), {});
  std::vector<std::int32_t> column(A->domain_size(), 0);
  SiddonMatrix matrix;
  matrix.nonzeros = sum_views(*scan, [&](int view) {
    const auto rows = A->row_source()->view_rows(view);
    std::vector<std::size_t> touched;
    RowWeights row;
    for (int c = 0; c < scan->columns(); ++c) {
      rows->weights(c, 0, row);
      // Shorter crossings are rounding errors at a corner.
      for (std::size_t k = 0; k < row.size(); ++k)
        if (row.weight[k] > 1e-9) touched.push_back(row.voxel[k]);
    }
    for (const std::size_t voxel : touched) {
#pragma omp atomic
      ++column[voxel];
    }
    return static_cast<std::int64_t>(touched.size());
  });
  matrix.longest_column = *std::ranges::max_element(column);
  return matrix;
}

}  // namespace

BenchCase siddon_case(int side) {
  const double off = degrees(1e-7);  // no ray lies along a grid plane
  const ScanSpec spec = side == 256
                            ? square_scan(256, 0, 1.59, 256, angles_from_degrees(off, 1, 180))
                            : square_scan(512, 0.25, 1.59, 1024, angles_from_degrees(off, 2, 180));
  const int pixels = side == 256 ? 256 : 512;
  return {std::to_string(pixels) + "^2", std::make_shared<const ScanGeometry>(spec),
          unit_grid(pixels)};
}

void add_siddon_matrix_sizes(StudyResult& result, const std::vector<int>& sides) {
  StudyTable table = StudyTable::comparing(
      "siddon", "Siddon matrices (Chen et al., Table 1)",
      {{"image", ""}, {"scan", ""}, {"format", ""}, {"nonzeros", ""}, {"longest row", ""}},
      "MB of 2^20 B");
  const double off = degrees(1e-7);  // no ray lies along a grid plane
  struct Case {
    int side;
    const char* scan;
    ScanSpec spec;
    double csr, ellr;
    const char* unlike = like_for_like;
  };
  const std::vector<Case> cases = {
      {256, "parallel, 180 x 256", square_scan(256, 0, 1.59, 256, angles_from_degrees(off, 1, 180)),
       72.37, 90},
      {512, "fan, 360 x 512", square_scan(512, 0.25, 1.59, 512, angles_from_degrees(off, 1, 360)),
       547.84, 655.36, "print: 180 angles"},
      {512, "fan, 180 x 1024", square_scan(512, 0.25, 1.59, 1024, angles_from_degrees(off, 2, 180)),
       547.84, 655.36}};
  for (const Case& c : cases) {
    if (!wanted(sides, c.side)) continue;
    const SiddonMatrix matrix = siddon_matrix(c.spec, c.side);
    const auto rows =
        static_cast<std::int64_t>(c.spec.view_angles_rad.size()) * c.spec.detector_columns;
    const double pixels = static_cast<double>(c.side) * c.side;
    const auto nonzeros = static_cast<double>(matrix.nonzeros);
    const std::string image = std::to_string(c.side) + "^2", scan = c.scan;
    table.compare({image, scan, "A, CSR", nonzeros, {}}, StudyCell::of_fitted_scan(c.csr),
                  csr_bytes(matrix.nonzeros, rows) / 1048576, c.unlike);
    // ELLR-T pads the rows of the transpose to the longest, rounded up to a multiple of 16 threads.
    const int padded = (matrix.longest_column + 15) / 16 * 16;
    table.compare(
        {image, scan, "A^T, ELLR-T", nonzeros, static_cast<double>(matrix.longest_column)},
        StudyCell::of_fitted_scan(c.ellr), pixels * (8.0 * padded + 4) / 1048576, c.unlike);
  }
  result.tables.push_back(std::move(table));
}

namespace {

struct Taps {
  std::int64_t overlaps = 0, taps = 0;
};

/// Counts the pixels of all layers that the cells' footprints of one view overlap (overlaps), and
/// the one or two pixels next to the middle of each footprint (taps).
Taps footprints(const ScanGeometry& scan, const VolumeGrid& grid, int view) {
  const DdView table(scan, grid, view);
  const double width = table.slices.width;
  constexpr double touch = 1e-4;  // pixels; edges have float32 precision
  Taps found;
  for (int slice = 0; slice < table.slices.count; ++slice) {
    const double scale = table.scale_first + slice * table.scale_step,
                 shift = table.shift_first + slice * table.shift_step;
    for (std::size_t cell = 0; cell + 1 < table.edge.size(); ++cell) {
      const double low = scale * table.edge[cell] + shift,
                   high = scale * table.edge[cell + 1] + shift;
      const int first = static_cast<int>(std::clamp(low + touch, 0.0, width)),
                last = table.slices.width -
                       static_cast<int>(std::clamp(width - high + touch, 0.0, width));
      found.overlaps += std::max(last - first, 0);
      const double middle = 0.5 * (low + high) - 0.5;  // 0 at the centre of the first pixel
      if (middle >= -1 && middle < width) found.taps += middle >= 0 && middle < width - 1 ? 2 : 1;
    }
  }
  return found;
}

double count_footprints(int side, double cover, std::int64_t Taps::*what) {
  // In a parallel beam the first 90 degrees, from the axis on, represent all four quarters.
  const ScanGeometry scan(square_scan(side, 0, cover, 512, angles_from_degrees(0, 0.5, 180)));
  const VolumeGrid grid = unit_grid(side);
  return 4.0 * static_cast<double>(
                   sum_views(scan, [&](int v) { return footprints(scan, grid, v).*what; }));
}

}  // namespace

double linear_nonzeros(int side) { return count_footprints(side, 1.047, &Taps::taps); }

void add_footprint_matrix_sizes(StudyResult& result, const std::vector<int>& sides) {
  StudyTable table = StudyTable::comparing(
      "footprints",
      "Distance-driven matrices, 720 views of 512 rays (Nourazar and Goossens 2021, Table 2)",
      {{"image", ""}, {"weights", ""}, {"share of matrix", "%"}}, "10^6 nonzeros");
  StudyChart chart{"footprints",
                   "Nonzeros of distance-driven matrices, 720 views of 512 rays",
                   "pixels along a side",
                   "nonzeros, millions",
                   true,
                   true,
                   {{"printed", {}, {}}, {"overlaps", {}, {}}, {"linear interpolation", {}, {}}}};
  struct Size {
    int side;
    double elements, printed, zeros;  ///< 10^9, 10^6 nonzeros, "sparsity", %
  };
  StudyTable elements = StudyTable::comparing(
      "elements", "Elements of the matrix, zeros included (Nourazar and Goossens 2021, Table 2)",
      {{"image", ""}}, "10^9");
  StudyTable sparsity = StudyTable::comparing(
      "sparsity", "Zeros among the elements (Nourazar and Goossens 2021, Table 2)",
      {{"image", ""}, {"weights", ""}}, "%");
  for (const auto& [side, size, printed, zeros] : {Size{64, 1.5, 37.9, 97.49},
                                                   {128, 6, 78.4, 98.7},
                                                   {256, 24, 159.5, 99.34},
                                                   {320, 37.8, 200.0, 99.47},
                                                   {384, 54.3, 240.8, 99.56},
                                                   {512, 96.6, 321.9, 99.67}}) {
    if (!wanted(sides, side)) continue;
    const double overlaps = count_footprints(side, 1.26, &Taps::overlaps),
                 taps = linear_nonzeros(side);
    const double whole = 720.0 * 512 * side * side;
    const std::string image = std::to_string(side) + "^2";
    elements.compare({image}, size, whole / 1e9, like_for_like);
    table.compare({image, "overlaps", 100 * overlaps / whole}, printed, overlaps / 1e6,
                  "print's numbers are those of linear interpolation");
    sparsity.compare({image, "linear interpolation"}, StudyCell::of_fitted_scan(zeros),
                     100 - 100 * taps / whole, like_for_like);
    table.compare({image, "linear interpolation", 100 * taps / whole},
                  StudyCell::of_fitted_scan(printed), taps / 1e6, like_for_like);
    const double values[] = {printed, overlaps / 1e6, taps / 1e6};
    for (std::size_t i = 0; i < 3; ++i) {
      chart.curves[i].x.push_back(side);
      chart.curves[i].y.push_back(values[i]);
    }
  }
  result.tables.push_back(std::move(elements));
  result.tables.push_back(std::move(sparsity));
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
}

StudyResult study_nonzeros(const StudyOptions& options) {
  const std::vector<int> sides =
      known_sizes(options, "nonzeros", {64, 128, 256, 320, 384, 512, 1024, 2048});
  StudyResult result;
  result.notes = {
      "The scanners are not published. Area integral: fan on an arc, source at 11.5 image sides, "
      "field of view the circle in the image, first view half a step off the axis. Siddon: field "
      "of view 1.59 image sides, half a turn parallel or a full turn of a fan with its source at 2 "
      "image sides. Distance-driven: parallel, full turn, field of view 1.26 (overlaps) and 1.047 "
      "(linear interpolation) image sides.",
      "Distance-driven: the printed series grows linearly with the side. Overlaps of a 64^2 image "
      "cannot reach the printed number (a row of 64 pixels and 512 cells share at most 575); "
      "linear "
      "interpolation between two pixels of a row, as the printed formula has, does."};
  add_area_matrix_sizes(result, sides);
  result.notes.push_back(
      "Area integral: weights of the stored eighth are counted; CSR has eight times as many. The "
      "printed sizes of 360 and 720 views differ from a factor of 2 by up to " +
      format_param(std::round(10 * most_off_a_factor_of_two()) / 10) +
      " %, so no geometry fits them better. GB are read as 10^9 bytes; print does not say so, and "
      "in 2^30 bytes two of its sizes would fit better, 2048^2 worse." +
      density_of(result.tables.back()));
  add_siddon_matrix_sizes(result, sides);
  add_footprint_matrix_sizes(result, sides);
  std::erase_if(result.tables, [](const StudyTable& table) { return table.rows.empty(); });
  std::erase_if(result.charts,
                [](const StudyChart& chart) { return chart.curves.front().x.empty(); });
  return result;
}

}  // namespace gantry
