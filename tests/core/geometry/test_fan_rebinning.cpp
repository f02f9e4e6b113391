// Helical cone beams as fans: exact for what lies along z, against rays in space by numpy, and
// better with a smaller pitch.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/geometry/fan_rebinning.hpp"
#include "core/geometry/presets.hpp"
#include "core/operator/slice_stack.hpp"
#include "core/phantoms/solid_phantom.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <QTemporaryDir>

#include <cmath>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

/// `turns` of so many views, 12 rows of 1 mm at the axis; `pitch` of their height is climbed in a
/// turn.
ScanSpec helix(DetectorShape shape, double pitch, double turns, int columns = 60,
               int views_a_turn = 40) {
  ScanSpec spec = fan_spec(1, columns, 180.0 / columns);
  spec.beam = Beam::cone;
  spec.detector = shape;
  spec.trajectory = Trajectory::helical;
  spec.detector_rows = 12;
  spec.row_pitch_mm = 1.5;
  spec.central_row = 5.5;
  spec.helical_feed_mm_per_turn = pitch * 12;
  const int views = static_cast<int>(std::lround(views_a_turn * turns));
  const double step = 360.0 / views_a_turn;
  spec.view_angles_rad = angles_from_degrees(-0.5 * step * (views - 1), step, views);
  return spec;
}

VolumeGrid fans_grid(const ScanSpec& spec, double slice_mm = 0) {
  return rebinned_grid(ScanGeometry(spec), slice_mm);
}

std::vector<float> exact(const Phantom& phantom, const ScanGeometry& geometry, int subrays = 1) {
  std::vector<float> data(geometry.rays());
  project_exactly(phantom, geometry, subrays, data);
  return data;
}

std::vector<float> rebinned(const FanRebinning& rebinning, const std::vector<float>& cone) {
  std::vector<float> fans(rebinning.fans()->rays());
  rebinning.apply(cone, fans);
  return fans;
}

/// Flat discs above each other: what single-slice methods find hardest.
SolidPhantom defrise_discs() {
  std::vector<Solid> discs;
  for (int i = -4; i <= 4; ++i) discs.push_back(ellipsoid({0, 0, 12.0 * i}, {100, 100, 3}, 0.02));
  return {discs, Overlap::add, {100, 100, 60}};
}

double rms_difference(std::span<const float> a, std::span<const float> b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - b[i];
    square += difference * difference;
  }
  return std::sqrt(square / static_cast<double>(a.size()));
}

void write_doubles(const QString& path, const std::vector<double>& values) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write a test file");
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<qint64>(values.size() * sizeof(double)));
}

std::vector<double> read_doubles(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  std::vector<double> values(static_cast<std::size_t>(file.size()) / sizeof(double));
  file.read(reinterpret_cast<char*>(values.data()), file.size());
  return values;
}

}  // namespace

class TestFanRebinning : public QObject {
  Q_OBJECT
  CpuBackend backend_;

  static void scans() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<double>("pitch");
    QTest::addColumn<double>("offset");
    for (const auto shape : {DetectorShape::flat, DetectorShape::arc}) {
      const char* name = shape == DetectorShape::flat ? "flat" : "arc";
      QTest::addRow("%s", name) << static_cast<int>(shape) << 0.7 << 0.0;
      QTest::addRow("%s, downwards, off centre", name) << static_cast<int>(shape) << -0.6 << 1.25;
      QTest::addRow("%s, the greatest pitch", name) << static_cast<int>(shape) << 1.0 << 0.0;
    }
  }
  static ScanSpec fetched() {
    QFETCH(int, shape);
    QFETCH(double, pitch);
    QFETCH(double, offset);
    ScanSpec spec = helix(static_cast<DetectorShape>(shape), pitch, 3.2);
    spec.central_column -= offset;
    spec.central_row += 0.1 * offset;
    return spec;
  }

  Array fbp(const std::shared_ptr<const ScanGeometry>& fans, const VolumeGrid& grid,
            const std::vector<float>& data) {
    const auto A = make_siddon(backend_, fans, grid, {});
    const Array b = Array::from(backend_, data);
    const auto solver = make_fbp(resolve_params({}, fbp_params(), "fbp"));
    run(*solver, {A.get(), &b, nullptr}, {5, 0}, {});
    return solver->solution().clone();
  }

 private slots:
  void fansAreAStack_data() { scans(); }
  void fansAreAStack() {
    const ScanSpec spec = fetched();
    const VolumeGrid grid = fans_grid(spec);
    const FanRebinning rebinning(ScanGeometry(spec), grid);
    const ScanGeometry& fans = *rebinning.fans();
    QVERIFY(grid.nz > 10);
    QVERIFY(fans.beam() == Beam::fan && fans.spec().detector == spec.detector);
    QVERIFY(is_stack(fans, grid));
    QVERIFY(default_grid(fans).nz == grid.nz);
    QCOMPARE(fans.views(), 40);
    QCOMPARE(fans.columns(), spec.detector_columns);
    for (int k = 0; k < 40; ++k) {
      EXPECT_NEAR(std::remainder(fans.angle_rad(k) - spec.view_angles_rad[k], 2 * pi), 0, 1e-9);
      QVERIFY(k > 0 || (fans.angle_rad(0) >= 0 && fans.angle_rad(0) < 2 * pi));
    }
  }

  /// The line integrals of objects that do not change along z are p(v) = p(0) sqrt(1 + (v / L)^2).
  /// Rebinning undoes the factor up to the error of linear interpolation between rows, at most
  /// (row pitch / L)^2 / 8 of a value, for slices beyond the detector's rows too.
  void whatLiesAlongZIsExact_data() { scans(); }
  void whatLiesAlongZIsExact() {
    const ScanSpec spec = fetched();
    const VolumeGrid grid = fans_grid(spec);
    const SolidPhantom columns({cylinder({5, -8, 0}, 40, 25, 2000, 0.02, axes_turned(0.4)),
                                cylinder({-20, 14, 0}, 6, 6, 2000, 0.03)},
                               Overlap::add, {60, 60, 1000});
    const ScanGeometry cone(spec);
    const FanRebinning rebinning(cone, grid);
    const auto fans = rebinned(rebinning, exact(columns, cone)),
               expected = exact(columns, *rebinning.fans());
    const double interpolation = std::pow(spec.row_pitch_mm / spec.source_to_detector_mm, 2) / 8;
    double largest = 0;
    for (std::size_t i = 0; i < fans.size(); ++i) {
      EXPECT_NEAR(fans[i], expected[i], (interpolation + 1e-6) * expected[i] + 1e-6);
      largest = std::max<double>(largest, expected[i]);
    }
    QVERIFY(largest > 1);
  }

  void raysInSpaceByNumpy_data() { scans(); }
  void raysInSpaceByNumpy() {
    const QString python = python_with(QStringLiteral("numpy"));
    if (python.isEmpty()) QSKIP("no Python with numpy");
    const ScanSpec spec = fetched();
    const ScanGeometry cone(spec);
    const VolumeGrid grid = fans_grid(spec, 2.3);
    const FanRebinning rebinning(cone, grid);
    const std::vector<float> data = random_values(cone.rays(), 17, -1, 1);
    const QTemporaryDir folder;
    write_doubles(folder.filePath("angles"), spec.view_angles_rad);
    write_doubles(folder.filePath("cone"), {data.begin(), data.end()});
    QStringList arguments = {QStringLiteral(GANTRY_SOURCE_DIR "/tests/oracles/rebinning_oracle.py"),
                             folder.path(), spec.detector == DetectorShape::flat ? "flat" : "arc"};
    for (const double value :
         {spec.source_to_isocenter_mm, spec.source_to_detector_mm, spec.detector_columns * 1.0,
          spec.detector_rows * 1.0, spec.column_pitch_mm, spec.row_pitch_mm, spec.central_column,
          spec.central_row, spec.helical_feed_mm_per_turn, 40.0, grid.nz * 1.0, grid.origin_mm.z,
          grid.spacing_mm.z})
      arguments << QString::number(value, 'g', 17);
    QProcess process;
    process.start(python, arguments);
    QVERIFY(process.waitForFinished(120000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    const auto expected = read_doubles(folder.filePath("fans"));
    const auto fans = rebinned(rebinning, data);
    QCOMPARE(fans.size(), expected.size());
    for (std::size_t i = 0; i < fans.size(); ++i) EXPECT_NEAR(fans[i], expected[i], 2e-7);
    QCOMPARE(rebinning.beyond(), process.readAllStandardOutput().trimmed().toULongLong());
    QCOMPARE(rebinning.note().empty(), rebinning.beyond() == 0);
  }

  /// Each value says which view it is of: a slice's views stand about it, no further than half the
  /// feed.
  void slicesTakeTheNearestTurn() {
    const ScanSpec spec = helix(DetectorShape::flat, 0.8, 4.5);
    const ScanGeometry cone(spec);
    const VolumeGrid grid = fans_grid(spec);
    std::vector<float> numbers(cone.rays());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<float>(i / cone.cells() + 1);
    const FanRebinning rebinning(cone, grid);
    const auto fans = rebinned(rebinning, numbers);
    const AxialRange inside{cone.view(20).source_mm.z, cone.view(159).source_mm.z};
    std::set<int> used;
    int between = 0;  // slices that have a source above and below
    for (int k = 0; k < 40; ++k)
      for (int iz = 0; iz < grid.nz; ++iz) {
        const std::size_t at = (static_cast<std::size_t>(k) * grid.nz + iz) * 60 + 30;
        const int view = static_cast<int>(std::lround(fans[at])) - 1;
        used.insert(view);
        QCOMPARE(view % 40, k);
        const double z = grid.voxel_center_mm(0, 0, iz).z,
                     dz = std::abs(z - cone.view(view).source_mm.z);
        if (z > inside.low && z < inside.high) {
          ++between;
          QVERIFY(dz <= 0.5 * 0.8 * 12 + 1e-9);
        }
        for (const int other : {view - 40, view + 40})
          if (other >= 0 && other < cone.views())
            QVERIFY(dz <= std::abs(z - cone.view(other).source_mm.z) + 1e-9);
      }
    QVERIFY(between > 0);
    QCOMPARE(used.size(), static_cast<std::size_t>(cone.views()));  // every view has its slice
  }

  /// Without a feed the middle row is the fan of its slice, to the bit.
  void aCircleOfFewRows() {
    ScanSpec spec = helix(DetectorShape::flat, 0, 1);
    spec.trajectory = Trajectory::circular;
    spec.detector_rows = 5;
    spec.central_row = 2;
    spec.view_angles_rad = angles_from_degrees(10, 7, 30);  // a short scan stays one
    const ScanGeometry cone(spec);
    const VolumeGrid grid = fans_grid(spec);
    QCOMPARE(grid.nz, 5);
    const FanRebinning rebinning(cone, grid);
    QVERIFY(rebinning.fans()->spec().view_angles_rad == spec.view_angles_rad);
    const std::vector<float> data = random_values(cone.rays(), 5);
    const auto fans = rebinned(rebinning, data);
    for (std::size_t view = 0; view < 30; ++view)
      for (std::size_t c = 0; c < 60; ++c)
        QCOMPARE(fans[(view * 5 + 2) * 60 + c], data[(view * 5 + 2) * 60 + c]);
    spec.detector_rows = 101;  // a panel: only its middle, within 2.5 degrees
    spec.central_row = 50;
    const AxialRange range = rebinning_range_mm(ScanGeometry(spec));
    EXPECT_NEAR(range.high, 200 * std::tan(radians(2.5)), 1e-9);
    EXPECT_NEAR(range.low, -range.high, 1e-9);
    QCOMPARE(fans_grid(spec).nz, 17);
  }

  /// From the end of the first turn less half the rows, to the beginning of the last and half of
  /// them more.
  void rangeAndGrids() {
    const ScanSpec spec = helix(DetectorShape::arc, 0.5, 3);
    const ScanGeometry cone(spec);
    const AxialRange range = rebinning_range_mm(cone);
    EXPECT_NEAR(range.low, cone.view(39).source_mm.z - 6, 1e-9);
    EXPECT_NEAR(range.high, cone.view(80).source_mm.z + 6, 1e-9);
    const VolumeGrid all = VolumeGrid::centered(4, 4, 100, {9, 9, 0.5}),
                     some = rebinnable_slices(cone, all);
    const double first = some.voxel_center_mm(0, 0, 0).z,
                 last = some.voxel_center_mm(0, 0, some.nz - 1).z;
    QVERIFY(first >= range.low && first - 0.5 < range.low);
    QVERIFY(last <= range.high && last + 0.5 > range.high);
    EXPECT_NEAR(std::remainder(first - all.origin_mm.z, 0.5), 0, 1e-9);
    const VolumeGrid three = rebinned_grid(cone, 2.5, 3);
    QCOMPARE(three.nz, 3);
    EXPECT_NEAR(three.center_mm().z, 0, 1e-9);
    EXPECT_NEAR(three.spacing_mm.z, 2.5, 0);
    QCOMPARE(rebinned_grid(cone, 1.7).nz, 1 + static_cast<int>((range.high - range.low) / 1.7));
  }

  void threadsAndInterrupts() {
    const ScanSpec spec = helix(DetectorShape::arc, 1, 3);
    const ScanGeometry cone(spec);
    const FanRebinning rebinning(cone, fans_grid(spec));
    const std::vector<float> data = random_values(cone.rays(), 9);
    expect_same_on_any_threads([&] { return rebinned(rebinning, data); });
    Interrupt interrupt;
    interrupt.raise();
    std::vector<float> fans(rebinning.fans()->rays());
    QVERIFY_THROWS_EXCEPTION(Interrupted, rebinning.apply(data, fans, &interrupt));
    QVERIFY_THROWS_EXCEPTION(ShapeError, rebinning.apply(fans, fans));
  }

  void whatCannotBeRebinnedIsRefused() {
    const auto range = [](const ScanSpec& spec) { return rebinning_range_mm(ScanGeometry(spec)); };
    const ScanSpec good = helix(DetectorShape::flat, 0.9, 3);
    ScanSpec bad = good;
    bad.trajectory = Trajectory::circular;
    EXPECT_THROWS(UsageError, range(as_poses(bad)), "free poses have no turns to rebin; ");
    for (const Beam beam : {Beam::parallel, Beam::fan}) {
      bad.beam = beam;
      EXPECT_THROWS(UsageError, range(bad), "only a cone beam can be rebinned");
    }
    bad = good;
    bad.helical_feed_mm_per_turn = 0;
    EXPECT_THROWS(UsageError, range(bad), "the helix does not climb; give helical_feed");
    bad.helical_feed_mm_per_turn = 12.1;
    EXPECT_THROWS(UsageError, range(bad),
                  "the pitch is too great: a turn climbs 12.1 mm, and the rows reach over 12 mm");
    bad = good;
    bad.view_angles_rad = angles_from_degrees(0, 9, 39);
    EXPECT_THROWS(UsageError, range(bad), "the views cover 351 degrees, a slice takes a full turn");
    bad.view_angles_rad = {0.3};
    EXPECT_THROWS(UsageError, range(bad), "the views cover 0 degrees");
    bad.view_angles_rad = angles_from_degrees(0, 9.1, 100);
    EXPECT_THROWS(UsageError, range(bad), "a turn has 39.5604 views");
    bad.view_angles_rad = good.view_angles_rad;
    bad.view_angles_rad[50] += 0.01;
    EXPECT_THROWS(UsageError, range(bad), "does not repeat their angles");
    bad = good;
    bad.central_row = -2;
    EXPECT_THROWS(UsageError, range(bad), "does not see the plane of the source's circle");

    const ScanGeometry cone(good);
    VolumeGrid grid = fans_grid(good);
    grid.origin_mm.z -= 1.5;
    EXPECT_THROWS(UsageError, FanRebinning(cone, grid), "slice 0 lies at ");
    grid.origin_mm.z += 3;
    EXPECT_THROWS(UsageError, FanRebinning(cone, grid),
                  "slice " + std::to_string(grid.nz - 1) + " lies at ");
    grid.origin_mm.z += 100;
    EXPECT_THROWS(UsageError, rebinnable_slices(cone, grid), "no slice of the grid lies between ");
  }

  /// The hard case: thin discs above each other. What rebinning adds to the image of the fans
  /// themselves, and what the image is off the truth.
  void aSmallerPitchIsBetter() {
    const SolidPhantom discs = defrise_discs();
    const VolumeGrid grid = VolumeGrid::centered(48, 48, 25, {5, 5, 0.5});
    std::vector<float> truth(grid.voxels());
    voxelise(discs, grid, 4, truth);
    double added_before = 1, off_before = 1, own = 0;
    for (const double pitch : {1.0, 0.5, 0.25}) {
      ScanSpec spec = helix(DetectorShape::arc, pitch, 1 + 1.5 / pitch, 96, 120);
      spec.column_pitch_mm = 4;  // a fan of 73 degrees
      spec.detector_rows = 24;
      spec.row_pitch_mm = 0.75;
      spec.central_row = 11.5;
      const ScanGeometry cone(spec);
      const FanRebinning rebinning(cone, grid);
      const auto image = fbp(rebinning.fans(), grid, rebinned(rebinning, exact(discs, cone, 2))),
                 direct = fbp(rebinning.fans(), grid, exact(discs, *rebinning.fans(), 3));
      const double added = rms_difference(image.host(), direct.host()) / 0.02,
                   off = rms_difference(image.host(), truth) / 0.02;
      own = rms_difference(direct.host(), truth) / 0.02;
      qInfo("pitch %g: rebinning adds %.3f, off the truth %.3f, fans themselves %.3f", pitch, added,
            off, own);
      QVERIFY(added < 0.8 * added_before && off < off_before);
      added_before = added;
      off_before = off;
    }
  }
};

GANTRY_TEST(TestFanRebinning)
#include "test_fan_rebinning.moc"
