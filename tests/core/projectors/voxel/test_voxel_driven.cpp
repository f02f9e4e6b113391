// Voxel-driven backprojection against the definition, written here once more in float64 from the
// poses of the scan, and as a near transpose of its forward product.
#include "core/backend/cpu_backend.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/projectors/voxel/voxel_backprojection.hpp"
#include "core/projectors/voxel/voxel_driven.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scan_rows.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Where a point projects, and how far away it is for the weights.
struct Landing {
  double column, row, distance;
};

Landing land(const ScanGeometry& geometry, int view, Vec3 p) {
  const ScanSpec& spec = geometry.spec();
  const View pose = geometry.view(view);
  const Vec3 across = normalized(pose.u_mm),
             forward = normalized(pose.detector_mm - pose.source_mm);
  if (spec.beam == Beam::parallel)
    return {spec.central_column + dot(p, across) / spec.column_pitch_mm,
            spec.central_row + p.z / spec.row_pitch_mm, 1};
  const Vec3 from = p - pose.source_mm;
  const double a = dot(from, across), d = dot(from, forward), rho = std::hypot(a, d);
  const bool flat = spec.detector == DetectorShape::flat;
  const double distance = flat ? d : rho,
               along = spec.source_to_detector_mm * (flat ? a / d : std::atan2(a, d)),
               rise =
                   spec.beam == Beam::cone ? from.z * spec.source_to_detector_mm / distance : p.z;
  return {spec.central_column + along / spec.column_pitch_mm,
          spec.central_row + rise / spec.row_pitch_mm, distance};
}

/// Linear along the columns, zero from one cell outside; linear along the rows, constant for half a
/// cell outside and zero beyond. A single row and slice lie in one plane.
double interpolate(const ScanGeometry& geometry, const float* view, const Landing& at,
                   bool in_plane) {
  const int columns = geometry.columns(), rows = geometry.rows();
  const auto value = [&](int c, int q) {
    return c < 0 || c >= columns
               ? 0.0
               : static_cast<double>(view[static_cast<std::size_t>(q * columns + c)]);
  };
  const int c = static_cast<int>(std::floor(at.column));
  const double f = at.column - c;
  const auto in_row = [&](int q) { return (1 - f) * value(c, q) + f * value(c + 1, q); };
  if (in_plane || rows == 1) return in_plane || std::abs(at.row) <= 0.5 ? in_row(0) : 0;
  if (at.row < -0.5 || at.row > rows - 0.5) return 0;
  const double row = std::clamp(at.row, 0.0, rows - 1.0);
  const int q = std::min(static_cast<int>(row), rows - 2);
  return (1 - (row - q)) * in_row(q) + (row - q) * in_row(q + 1);
}

}  // namespace

class TestVoxelDriven : public QObject {
  Q_OBJECT
  CpuBackend backend_;
  std::vector<ScanCase> cases_ = all_cases();

  static std::vector<ScanCase> all_cases() {
    std::vector<ScanCase> cases = scan_cases();
    for (const ScanCase& c : scan_cases())
      if (c.name == "cone arc with offsets" || c.name == "cone flat") {
        ScanSpec spec = c.geometry->spec();
        spec.trajectory = Trajectory::helical;
        spec.helical_feed_mm_per_turn = 7;
        cases.push_back({c.name + ", helical", share(spec), c.grid});
      }
    return cases;
  }

 private slots:
  void isTheDefinition_data() { add_scan_rows(cases_); }
  void isTheDefinition() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const ScanGeometry& geometry = *c.geometry;
    const VolumeGrid& grid = c.grid;
    const auto A = make_siddon(backend_, c.geometry, grid, {});
    const bool in_plane = grid.nz == 1 && geometry.rows() == 1 && geometry.beam() != Beam::cone;
    const std::vector<float> data = random_values(A->range_size(), 21, -1, 1);
    for (const int power : {1, 2}) {
      std::vector<float> volume(grid.voxels(), 0.0F);
      VoxelBackprojection(*A, geometry, power)
          .add(
              A->all(),
              [&](std::span<const int> views, float* values) {
                for (std::size_t i = 0; i < views.size(); ++i)
                  std::copy_n(data.data() + static_cast<std::size_t>(views[i]) * geometry.cells(),
                              geometry.cells(), values + i * geometry.cells());
              },
              volume.data());
      double worst = 0, largest = 0;
      for (int iz = 0; iz < grid.nz; ++iz)
        for (int iy = 0; iy < grid.ny; ++iy)
          for (int ix = 0; ix < grid.nx; ++ix) {
            double sum = 0, nearest_edge = 1;
            for (int v = 0; v < geometry.views(); ++v) {
              const Landing at = land(geometry, v, grid.voxel_center_mm(ix, iy, iz));
              sum += std::pow(at.distance, -power) *
                     interpolate(geometry,
                                 data.data() + static_cast<std::size_t>(v) * geometry.cells(), at,
                                 in_plane);
              nearest_edge = std::min(
                  {nearest_edge, std::abs(at.row + 0.5), std::abs(at.row - geometry.rows() + 0.5)});
            }
            largest = std::max(largest, std::abs(sum));
            if (!in_plane && nearest_edge < 1e-4) continue;  // on the border: in or out by rounding
            worst = std::max(worst, std::abs(sum - volume[grid.index(ix, iy, iz)]));
          }
      EXPECT_NEAR(worst, 0, 2e-4 * largest);
      QCOMPARE(largest == 0, c.name == "every ray misses");
    }
  }

  /// For a smooth object and smooth data, rays dense enough, the two products almost agree.
  void isNearlyTheTranspose_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<int>("shape");
    QTest::addColumn<int>("rows");
    QTest::addColumn<double>("height_mm");
    const auto add = [](const char* name, Beam beam, DetectorShape shape, int rows,
                        double height_mm = 0) {
      QTest::newRow(name) << static_cast<int>(beam) << static_cast<int>(shape) << rows << height_mm;
    };
    add("parallel", Beam::parallel, DetectorShape::flat, 1);
    add("parallel stack", Beam::parallel, DetectorShape::flat, 81);
    add("fan flat", Beam::fan, DetectorShape::flat, 1);
    add("fan arc", Beam::fan, DetectorShape::arc, 1);
    add("fan stack", Beam::fan, DetectorShape::arc, 81);
    add("cone flat", Beam::cone, DetectorShape::flat, 121);
    add("cone arc", Beam::cone, DetectorShape::arc, 121);
    add("cone flat, steep rays", Beam::cone, DetectorShape::flat, 121, 45);
    add("cone arc, steep rays", Beam::cone, DetectorShape::arc, 121, 45);
  }
  void isNearlyTheTranspose() {
    QFETCH(int, beam);
    QFETCH(int, shape);
    QFETCH(int, rows);
    QFETCH(double, height_mm);  // of the object above the plane of the source
    ScanSpec spec = fan_spec(16, 150, 1.4);
    spec.beam = static_cast<Beam>(beam);
    spec.detector = static_cast<DetectorShape>(shape);
    if (spec.beam == Beam::parallel) spec.column_pitch_mm = 0.9;
    spec.detector_rows = rows;
    spec.central_row = 0.5 * (rows - 1);
    spec.row_pitch_mm = spec.beam == Beam::cone ? (height_mm > 0 ? 2.2 : 1.1) : 0.45;
    const int slices = rows == 1 ? 1 : height_mm > 0 ? 60 : 16;
    const VolumeGrid grid = VolumeGrid::centered(40, 40, slices, {2, 2, 2});
    const auto A = make_voxel_driven(backend_, share(spec), grid, {});
    QVERIFY(!A->matched());
    std::vector<float> bump(A->domain_size()), wave(A->range_size());
    for (int iz = 0; iz < grid.nz; ++iz)
      for (int iy = 0; iy < grid.ny; ++iy)
        for (int ix = 0; ix < grid.nx; ++ix) {
          const Vec3 p = grid.voxel_center_mm(ix, iy, iz);
          bump[grid.index(ix, iy, iz)] =
              static_cast<float>(std::exp(-(std::pow(p.x - 8, 2) + std::pow(p.y + 5, 2)) / 120 -
                                          std::pow(p.z - height_mm, 2) / 50));
        }
    for (std::size_t i = 0; i < wave.size(); ++i)
      wave[i] = static_cast<float>(2 + std::sin(0.05 * static_cast<double>(i % 150)) +
                                   std::cos(0.1 * static_cast<double>(i / 150)));
    const Array x = Array::from(backend_, bump), y = Array::from(backend_, wave);
    Array Ax(backend_, A->range_size()), By(backend_, A->domain_size());
    A->forward(x, Ax);
    A->adjoint(y, By);
    const double there = backend_.dot(Ax, y), back = backend_.dot(x, By);
    QVERIFY(there > 0);
    EXPECT_NEAR(back / there, 1, rows == 1 ? 2e-3 : 6e-3);
  }
};

GANTRY_TEST(TestVoxelDriven)
#include "test_voxel_driven.moc"
