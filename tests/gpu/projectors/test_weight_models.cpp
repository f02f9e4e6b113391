// The single rows and columns that the GPU's projectors give (gpu/access), computed on the host by
// the same functions: against the CPU's single weights.
#include "core/backend/cpu_backend.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "core/projectors/distance_driven/dd_rows.hpp"
#include "core/projectors/separable_footprint/sf_rows.hpp"
#include "core/projectors/siddon_joseph/joseph_trace.hpp"
#include "core/projectors/siddon_joseph/siddon_trace.hpp"
#include "core/projectors/siddon_joseph/traced.hpp"
#include "gpu/projectors/area/area_tables.hpp"
#include "gpu/projectors/distance_driven/weights/dd_weight_tables.hpp"
#include "gpu/projectors/separable_footprint/sf_tables.hpp"
#include "gpu/projectors/siddon_joseph/siddon_joseph_tables.hpp"
#include "gpu/projectors/siddon_joseph/trace_tables.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>
#include <map>

using namespace gantry;
using namespace gantry::test;

namespace {

using Weights = std::map<std::pair<std::size_t, std::size_t>, double>;  // by ray and voxel

Weights weights_of(const RowSource& rows, const ScanCase& c) {
  Weights weights;
  RowWeights row;
  std::size_t ray = 0;
  for (int v = 0; v < c.geometry->views(); ++v) {
    const auto view = rows.view_rows(v);
    for (int r = 0; r < c.geometry->rows(); ++r)
      for (int column = 0; column < c.geometry->columns(); ++column, ++ray) {
        view->weights(column, r, row);
        for (std::size_t k = 0; k < row.size(); ++k) weights[{ray, row.voxel[k]}] += row.weight[k];
      }
  }
  return weights;
}

struct Tolerance {
  double rms = 2e-5;     ///< root mean square of the differences, relative to that of the weights
  double single = 1e-4;  ///< largest difference, relative to the largest weight
};
void compare(const Weights& found, const Weights& expected, const Tolerance& tolerance) {
  double square = 0, worst = 0, size = 0, largest = 0;
  const auto add = [&](double difference) {
    square += difference * difference;
    worst = std::max(worst, std::abs(difference));
  };
  for (const auto& [place, weight] : expected) {
    const auto other = found.find(place);
    add(weight - (other == found.end() ? 0 : other->second));
    size += weight * weight;
    largest = std::max(largest, weight);
  }
  for (const auto& [place, weight] : found)
    if (!expected.contains(place)) add(weight);
  const double rms = size > 0 ? std::sqrt(square / size) : std::sqrt(square),
               single = largest > 0 ? worst / largest : worst;
  QVERIFY2(rms <= tolerance.rms && single <= tolerance.single,
           qPrintable(QString("%1 rms, %2 single").arg(rms).arg(single)));
}

template <class Model>
void check_columns(const Model& model, const Weights& expected, const ScanCase& c,
                   const Tolerance& tolerance = {}) {
  Weights columns;
  QCOMPARE(model.views(), c.geometry->views());
  constexpr int deep = 3;
  for (int v = 0; v < model.views(); ++v)
    for (int first = 0; first < c.grid.nz; first += 2 * deep)
      for (int iz = first; iz < std::min(c.grid.nz, first + 2); ++iz)  // every second voxel
        for (int iy = 0; iy < c.grid.ny; ++iy)
          for (int ix = 0; ix < c.grid.nx; ++ix) {
            const int count = std::min(deep, (c.grid.nz - iz + 1) / 2);
            model.template visit_columns<
                deep>(ix, iy, iz, 2, count, v, [&](int k, device::RayCell cell, float weight) {
              columns[{cell.ray, c.grid.index(ix, iy, iz + 2 * k)}] += static_cast<double>(weight);
            });
          }
  compare(columns, expected, tolerance);
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double square = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    square += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return size > 0 ? std::sqrt(square / size) : std::sqrt(square);
}

/// Sums over voxels above each other, made by cells that these share: as if made weight by weight.
/// There is room for sums of a few rows, or of all that the voxels can need.
template <class Model>
void check_shared_cells(const Model& model, const Weights& expected, const ScanCase& c, int room) {
  constexpr int deep = 5;
  const auto value = [](std::size_t n) { return 1 + std::sin(static_cast<float>(7 * n)); };
  std::vector<double> sums(c.grid.voxels()), squares(c.grid.voxels()), spread(c.geometry->rays()),
      found_sums(c.grid.voxels()), found_scaled_sums(c.grid.voxels()),
      found_squares(c.grid.voxels()), found_spread(c.geometry->rays());
  for (const auto& [place, weight] : expected) {
    const auto& [ray, voxel] = place;
    sums[voxel] += weight * value(ray);
    squares[voxel] += weight * weight * value(ray);
    spread[ray] += weight * value(voxel);
  }
  for (const int step : {1, 2}) {
    std::fill(found_spread.begin(), found_spread.end(), 0.0);
    for (int iz = 0; iz < c.grid.nz; iz += iz % step + 1 == step ? (deep - 1) * step + 1 : 1)
      for (int iy = 0; iy < c.grid.ny; ++iy)
        for (int ix = 0; ix < c.grid.nx; ++ix) {
          const int count = std::min(deep, (c.grid.nz - iz + step - 1) / step);
          float sum[deep] = {}, scaled_sum[deep] = {}, square[deep] = {}, x[deep] = {};
          std::vector<float> numbers(static_cast<std::size_t>(room), NAN);
          const device::Room rows{numbers.data(), 1, room};
          for (int k = 0; k < count; ++k) x[k] = value(c.grid.index(ix, iy, iz + k * step));
          for (int v = 0; v < model.views(); ++v) {
            const auto scaled = [&](device::RayCell cell) {
              return value(cell.ray) * model.factor(cell);
            };
            const auto of_ray = [&](device::RayCell cell) { return value(cell.ray); };
            model.without_factors().template gather<1>(ix, iy, iz, step, count, v, scaled, rows,
                                                       scaled_sum);
            model.template gather<1>(ix, iy, iz, step, count, v, of_ray, rows, sum);
            model.template gather<2>(ix, iy, iz, step, count, v, of_ray, rows, square);
            model.spread(ix, iy, iz, step, count, v, x, rows,
                         [&](device::RayCell cell, float more) {
                           found_spread[cell.ray] += static_cast<double>(more);
                         });
          }
          for (int k = 0; k < count; ++k) {
            const std::size_t voxel = c.grid.index(ix, iy, iz + k * step);
            found_sums[voxel] = static_cast<double>(sum[k]);
            found_scaled_sums[voxel] = static_cast<double>(scaled_sum[k]);
            found_squares[voxel] = static_cast<double>(square[k]);
          }
        }
    QVERIFY(relative_difference(found_sums, sums) < 1e-6);
    QVERIFY(relative_difference(found_scaled_sums, sums) < 1e-6);
    QVERIFY(relative_difference(found_squares, squares) < 1e-6);
    QVERIFY(relative_difference(found_spread, spread) < 1e-6);
  }
}

/// Rows and columns of a model, with the rows' layers divided among one lane or several.
template <class Model>
void check(const Model& model, const RowSource& source, const ScanCase& c,
           const Tolerance& tolerance = {}) {
  const Weights expected = weights_of(source, c);
  QCOMPARE(expected.empty(), c.name == "every ray misses");
  for (const int lanes : {1, 5}) {
    Weights rows;
    for (std::size_t ray = 0; ray < c.geometry->rays(); ++ray)
      for (int lane = 0; lane < lanes; ++lane)
        model.visit_row(static_cast<std::uint32_t>(ray), lane, lanes,
                        [&](std::size_t voxel, float weight) {
                          rows[{ray, voxel}] += static_cast<double>(weight);
                        });
    compare(rows, expected, tolerance);
  }
  check_columns(model, expected, c, tolerance);
}

/// How many scans were checked, and of these by intervals too.
struct Checked {
  int scans = 0, by_intervals = 0;
};

/// Siddon's or Joseph's rows and columns: traced for any scan, by intervals for those which these
/// take.
template <device::RayWeighting weights>
void check_rays(const RowSource& source, const ScanCase& c, Checked& checked) {
  ++checked.scans;
  const TraceTables traced(*c.geometry, c.grid);
  check(device::TraceWeights<weights>{traced.scan}, source, c);
  if (!suits_interval_kernels(*c.geometry, c.grid, weights)) return;
  ++checked.by_intervals;
  const SiddonJosephTables tables(*c.geometry, c.grid);
  // Heights are in float32, where a weight is the difference of two positions on a voxel line.
  check_columns(device::IntervalColumns<weights>{tables.scan, tables.planar ? 1 : 0},
                weights_of(source, c), c, {.single = 2e-4});
}

/// Returns scans whose pixels, columns and rows lie thousands of their sizes from the central ray,
/// where positions in float32 are off by more than 1e-4.
std::vector<ScanCase> far_cases() {
  ScanSpec fan = fan_spec(1, 40, 0.1);
  fan.source_to_isocenter_mm = 700;
  fan.source_to_detector_mm = 1000;
  fan.central_column = -1999.75;
  fan.view_angles_rad = angles_from_degrees(3, 90, 2);
  VolumeGrid grid = VolumeGrid::centered(3000, 60, 1, {0.1, 0.12, 0.1});
  std::vector<ScanCase> cases{{"far columns, fan flat", share(fan), grid}};
  fan.detector = DetectorShape::arc;
  cases.push_back({"far columns, fan arc", share(fan), grid});
  ScanSpec parallel = fan;
  parallel.detector = DetectorShape::flat;
  parallel.beam = Beam::parallel;
  parallel.central_column = -1399.75;
  cases.push_back({"far columns, parallel", share(parallel), grid});
  ScanSpec cone = fan;
  cone.beam = Beam::cone;
  cone.detector_columns = 12;
  cone.central_column = 5.25;
  cone.detector_rows = 20;
  cone.central_row = -1500.25;
  grid = VolumeGrid::centered(12, 14, 6, {0.1, 0.12, 0.08});
  grid.origin_mm.z = 105.7;
  cases.push_back({"far rows, cone arc", share(cone), grid});
  cone.detector = DetectorShape::flat;
  cases.push_back({"far rows, cone flat", share(cone), grid});
  return cases;
}

std::vector<ScanCase> all_cases() {
  std::vector<ScanCase> cases = scan_cases();
  for (const auto& more : {pose_cases(), far_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

}  // namespace

class TestWeightModels : public QObject {
  Q_OBJECT
  std::vector<ScanCase> cases_ = all_cases();
  Checked siddon_, joseph_;

  /// Models with positions in float32 do not take rays along the faces of voxels, which rounding
  /// assigns to either side, and scans far from the central ray.
  enum class Positions { float32, float64 };
  void rows(Positions positions, const SuitableScans& taken) {
    QTest::addColumn<int>("scan");
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const auto named = [&](const char* part) {
        return cases_[i].name.find(part) != std::string::npos;
      };
      if (!taken.include(*cases_[i].geometry)) continue;
      if (positions == Positions::float32 && (named("diagonals") || named("far "))) continue;
      QTest::addRow("%s", cases_[i].name.c_str()) << static_cast<int>(i);
    }
  }
  const ScanCase& scan() {
    QFETCH(int, scan);
    return cases_[static_cast<std::size_t>(scan)];
  }

 private slots:
  void distanceDriven_data() { rows(Positions::float64, turning_scans); }
  void distanceDriven() {
    const ScanCase& c = scan();
    const DdWeightTables tables(*c.geometry, c.grid);
    const auto source = make_dd_rows(c.geometry, c.grid);
    const device::DdWeights model{tables.scan};
    check(model, *source, c, {.rms = 1e-6, .single = 1e-6});
    for (const int room : {3, 40}) check_shared_cells(model, weights_of(*source, c), c, room);
  }

  void areaIntegral_data() { rows(Positions::float64, {.cone = false, .free_poses = false}); }
  void areaIntegral() {
    const ScanCase& c = scan();
    CpuBackend host;
    for (const auto weights : {AreaWeights::area, AreaWeights::length}) {
      Params params;
      params.set("normalisation", std::string(weights == AreaWeights::area ? "area" : "length"));
      const auto definition = make_area_integral(host, c.geometry, c.grid, params);
      const AreaTables tables(*c.geometry, c.grid, weights);
      check(device::StripWeights{tables.scan}, *definition->row_source(), c,
            {.rms = 2e-6, .single = 2e-5});
    }
  }

  void separableFootprint_data() { rows(Positions::float32, turning_scans); }
  void separableFootprint() {
    const ScanCase& c = scan();
    const SfTables tables(*c.geometry, c.grid);
    check(device::SfWeights{tables.scan, tables.planar ? 1 : 0}, *make_sf_rows(c.geometry, c.grid),
          c);
  }

  void siddon_data() { rows(Positions::float32, {}); }
  void siddon() {
    const ScanCase& c = scan();
    check_rays<device::RayWeighting::crossing>(TracedRows<SiddonTrace>(c.geometry, c.grid), c,
                                               siddon_);
  }

  void joseph_data() { rows(Positions::float32, {}); }
  void joseph() {
    const ScanCase& c = scan();
    check_rays<device::RayWeighting::interpolated>(TracedRows<JosephTrace>(c.geometry, c.grid), c,
                                                   joseph_);
  }

  /// A few scans may be asked for by name.
  void cleanupTestCase() {
    for (const Checked& checked : {siddon_, joseph_})
      QVERIFY(checked.scans < 10 || checked.by_intervals > 0);
  }
};

GANTRY_TEST(TestWeightModels)
#include "test_weight_models.moc"
