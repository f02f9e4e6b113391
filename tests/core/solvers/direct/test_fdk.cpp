// FDK of cylinders with exact line integrals, and against FBP in the plane.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/direct/fdk.hpp"
#include "core/solvers/run.hpp"
#include "tests/core/solvers/direct/cylinder.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr double mu = 0.02;

/// A cone of 25 degrees along z, the detector's rows off centre by a third of a cell.
ScanSpec cone(DetectorShape shape, double span_deg) {
  ScanSpec spec;
  spec.beam = Beam::cone;
  spec.detector = shape;
  spec.source_to_isocenter_mm = 300;
  spec.source_to_detector_mm = 500;
  spec.detector_columns = 320;
  spec.detector_rows = 21;
  spec.column_pitch_mm = 1;
  spec.row_pitch_mm = 10;
  spec.central_column = 159.25;
  spec.central_row = 10.3;
  const int views = static_cast<int>(span_deg);
  spec.view_angles_rad = angles_from_degrees(23, span_deg / views, views);
  return spec;
}

}  // namespace

class TestFdk : public QObject {
  Q_OBJECT
  CpuBackend backend_;

  static void scans() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<double>("span");
    QTest::addColumn<double>("central");
    for (const auto shape : {DetectorShape::flat, DetectorShape::arc}) {
      const char* name = shape == DetectorShape::flat ? "flat" : "arc";
      QTest::addRow("%s", name) << static_cast<int>(shape) << 360.0 << 159.25;
      QTest::addRow("%s, short", name) << static_cast<int>(shape) << 218.0 << 159.25;
      QTest::addRow("%s, 270 degrees", name) << static_cast<int>(shape) << 270.0 << 159.25;
      QTest::addRow("%s, offset", name) << static_cast<int>(shape) << 360.0 << 40.0;
    }
  }
  Array reconstruct(const ScanSpec& spec, const VolumeGrid& grid, const Cylinder& object,
                    bool fdk = true) {
    const auto geometry = share(spec);
    const std::vector<float> data = object.line_integrals(*geometry);
    const auto A = make_siddon(backend_, geometry, grid, {});
    const Array b = Array::from(backend_, data);
    const auto solver = fdk ? make_fdk(resolve_params({}, fdk_params(), "fdk"))
                            : make_fbp(resolve_params({}, fbp_params(), "fbp"));
    run(*solver, {A.get(), &b, nullptr}, {5, 0}, {});
    return solver->solution().clone();
  }

 private slots:
  // FDK is exact for what does not change along z, on the mid-plane and off it (Feldkamp, Davis and
  // Kress 1984).
  void cylinderHasItsValue_data() { scans(); }
  void cylinderHasItsValue() {
    QFETCH(int, shape);
    QFETCH(double, span);
    QFETCH(double, central);
    ScanSpec spec = cone(static_cast<DetectorShape>(shape), span);
    spec.central_column = central;
    const VolumeGrid grid = VolumeGrid::centered(9, 9, 5, {10, 10, 12});
    const Array x = reconstruct(spec, grid, {2, -1, 65, mu});
    double sum = 0;
    for (int iz = 0; iz < grid.nz; ++iz) {
      double plane = 0;
      int count = 0;
      for (int iy = 0; iy < grid.ny; ++iy)
        for (int ix = 0; ix < grid.nx; ++ix) {
          const Vec3 p = grid.voxel_center_mm(ix, iy, iz);
          if (std::hypot(p.x, p.y) > 45) continue;
          const double ratio = x.host()[grid.index(ix, iy, iz)] / mu;
          EXPECT_NEAR(ratio, 1, 4e-3);  // single voxels: sampling of the cylinder's edge
          plane += ratio;
          ++count;
        }
      EXPECT_NEAR(plane / count, 1, 1e-3);
      sum += plane / count;
    }
    EXPECT_NEAR(sum / grid.nz, 1, 1e-3);
  }

  void midPlaneIsFbp_data() { scans(); }
  void midPlaneIsFbp() {
    QFETCH(int, shape);
    QFETCH(double, span);
    QFETCH(double, central);
    ScanSpec spec = cone(static_cast<DetectorShape>(shape), span);
    spec.central_column = central;
    spec.detector_rows = 3;
    spec.central_row = 1;
    spec.row_pitch_mm = 0.5;
    const VolumeGrid grid = VolumeGrid::centered(40, 36, 1, {4, 4, 0.3});
    const Cylinder object{12, -7, 40, mu};
    const Array thin = reconstruct(spec, grid, object);
    spec.beam = Beam::fan;
    spec.detector_rows = 1;
    spec.central_row = 0;
    const Array plane = reconstruct(spec, grid, object, false);
    for (std::size_t i = 0; i < plane.size(); ++i)
      EXPECT_NEAR(thin.host()[i], plane.host()[i], 1e-5 * mu);
  }

  void otherScansAreRefused() {
    const VolumeGrid grid = VolumeGrid::centered(4, 4, 4, {4, 4, 4});
    ScanSpec helical = cone(DetectorShape::flat, 360);
    helical.trajectory = Trajectory::helical;
    helical.helical_feed_mm_per_turn = 5;
    EXPECT_THROWS(UsageError, reconstruct(helical, grid, {0, 0, 5, mu}), "sirt");
    EXPECT_THROWS(UsageError, reconstruct(fan_spec(4, 16, 3), grid, {0, 0, 5, mu}), "use fbp");
    EXPECT_THROWS(UsageError,
                  reconstruct(cone(DetectorShape::flat, 360), grid, {0, 0, 5, mu}, false),
                  "use fdk");
  }
};

GANTRY_TEST(TestFdk)
#include "test_fdk.moc"
