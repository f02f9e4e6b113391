// FBP and FDK of free poses near a circle, against the same methods on the circle.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/direct/fdk.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

/// mu exp(-r^2 / 2 sigma^2): smooth, so that values between cells are nearly linear.
struct Blob {
  Vec3 centre;
  double sigma, mu;
};
constexpr Blob blobs[] = {
    {{5, -3, 1}, 15, 0.02}, {{-12, 8, -3}, 7, 0.02}, {{20, -15, 6}, 6, -0.01}};

double line_integral(const Ray& ray) {
  double sum = 0;
  for (const Blob& blob : blobs) {
    const double distance = norm(cross(blob.centre - ray.origin_mm, ray.direction)) / blob.sigma;
    sum += blob.mu * blob.sigma * std::sqrt(2 * pi) * std::exp(-distance * distance / 2);
  }
  return sum;
}

}  // namespace

class TestNearCircle : public QObject {
  Q_OBJECT
  CpuBackend backend_;
  const VolumeGrid grid_ = VolumeGrid::centered(48, 48, 9, {2, 2, 2});

  std::vector<float> data_of(const ScanSpec& spec) {
    const ScanGeometry scan(spec);
    std::vector<float> data;
    for (int v = 0; v < scan.views(); ++v)
      for (int row = 0; row < scan.rows(); ++row)
        for (int c = 0; c < scan.columns(); ++c)
          data.push_back(static_cast<float>(line_integral(scan.ray(v, c, row))));
    return data;
  }
  /// Returns the image of data that are taken for those of a scan.
  std::vector<float> image(const ScanSpec& taken_for, const std::vector<float>& data) {
    const auto A = make_siddon(backend_, share(taken_for), grid_, {});
    const Array b = Array::from(backend_, data);
    const auto solver = taken_for.beam == Beam::cone
                            ? make_fdk(resolve_params({}, fdk_params(), "fdk"))
                            : make_fbp(resolve_params({}, fbp_params(), "fbp"));
    run(*solver, {.A = A.get(), .b = &b}, {1, 0}, {});
    notes_ = solver->notes();
    return solver->solution().to_host();
  }
  static double rms(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(double{a[i]} - double{b[i]}, 2);
    return std::sqrt(sum / static_cast<double>(a.size()));
  }
  static ScanSpec cone() {
    ScanSpec spec = default_scan(70, 40, 96);
    spec.view_angles_rad = angles_from_degrees(10, 2, 180);
    return spec;
  }
  static ScanSpec parallel() {
    ScanSpec spec = cone();
    spec.beam = Beam::parallel;
    spec.source_to_isocenter_mm = spec.source_to_detector_mm = 0;
    spec.column_pitch_mm = spec.row_pitch_mm = 1.5;
    spec.detector_rows = 33;
    spec.central_row = 16;
    return spec;
  }
  std::vector<std::string> notes_;

 private slots:
  /// A circle that is written as poses is the circle.
  void aCircleIsTheCircle() {
    for (const ScanSpec& circle : {cone(), parallel()}) {
      const std::vector<float> data = data_of(circle);
      const auto expected = image(circle, data), found = image(with_free_poses(circle), data);
      QVERIFY(rms(found, expected) < 1e-6 * 0.02);
      QCOMPARE(notes_.size(), std::size_t{1});
      QVERIFY2(notes_[0].find("taken for a circle") != std::string::npos, notes_[0].c_str());
    }
  }

  /// Rows from the top, as in images, or columns from the right, in all views or in some, are only
  /// another order of the same cells.
  void cellsMayBeCountedTheOtherWayRound_data() {
    QTest::addColumn<bool>("columns");
    QTest::addColumn<bool>("rows");
    QTest::addColumn<int>("every");
    QTest::addRow("rows") << false << true << 1;
    QTest::addRow("columns") << true << false << 1;
    QTest::addRow("both") << true << true << 1;
    QTest::addRow("both, in some views") << true << true << 3;
  }
  void cellsMayBeCountedTheOtherWayRound() {
    QFETCH(bool, columns);
    QFETCH(bool, rows);
    QFETCH(int, every);
    for (ScanSpec circle : {cone(), parallel()}) {
      circle.central_column += 1.7;
      circle.central_row -= 0.6;
      const ScanSpec poses =
          with_moved_detector(circle, {radians(1.5), radians(2), radians(-1.5), 2.5, -1});
      ScanSpec other = poses;
      for (std::size_t i = 0; i < other.poses.size(); i += static_cast<std::size_t>(every)) {
        View& pose = other.poses[i];
        const auto turn_over = [&](Vec3& step, int cells, double central) {
          const Vec3 to_other_end = (cells - 1 - 2 * central) * step;
          pose.detector_mm = pose.detector_mm + to_other_end;
          if (other.beam == Beam::parallel) pose.source_mm = pose.source_mm + to_other_end;
          step = -1.0 * step;
        };
        if (columns) turn_over(pose.u_mm, other.detector_columns, other.central_column);
        if (rows) turn_over(pose.v_mm, other.detector_rows, other.central_row);
      }
      const auto expected = image(poses, data_of(poses)), found = image(other, data_of(other));
      QVERIFY2(rms(found, expected) < 1e-6 * 0.02, QByteArray::number(rms(found, expected)));
    }
  }

  /// Resampling may blur, by far less than a detector does that is taken to lie straight.
  void aDetectorMayLieOtherwise() {
    const DetectorMove move{radians(1.5), radians(2), radians(-1.5), 2.5, -1};
    for (const ScanSpec& circle : {cone(), parallel()}) {
      const ScanSpec moved = with_moved_detector(circle, move);
      const std::vector<float> data = data_of(moved);
      const auto expected = image(circle, data_of(circle));
      const double with = rms(image(moved, data), expected),
                   without = rms(image(circle, data), expected);
      qInfo("RMS difference to the circle: %.2g, without the poses %.2g", with, without);
      QVERIFY(with < 0.15 * without);
      QVERIFY(with < 0.02 * 0.02);
    }
  }

  /// Sources that wander by a hundredth of their distance.
  void sourcesMayWander() {
    const ScanSpec circle = cone();
    ScanSpec wandering = with_free_poses(circle);
    const double reach = circle.source_to_isocenter_mm / 100;
    for (std::size_t i = 0; i < wandering.poses.size(); ++i) {
      const auto phase = static_cast<double>(i);
      View& pose = wandering.poses[i];
      const Vec3 away = reach * Vec3{std::sin(phase), std::cos(1.3 * phase), std::sin(1.7 * phase)};
      pose.source_mm = pose.source_mm + away;
      pose.detector_mm = pose.detector_mm + away;
    }
    const std::vector<float> data = data_of(wandering);
    const auto expected = image(circle, data_of(circle));
    const double with = rms(image(wandering, data), expected),
                 without = rms(image(circle, data), expected);
    qInfo("RMS difference to the circle: %.2g, without the poses %.2g", with, without);
    QVERIFY(with < 0.25 * without);
  }

  void othersAreRefused() {
    ScanSpec far = with_free_poses(cone());
    far.poses[7].source_mm.z += 0.05 * cone().source_to_isocenter_mm;
    EXPECT_THROWS(UsageError, image(far, data_of(far)), "view 7 has its source");
    ScanSpec lying = with_free_poses(cone());
    std::swap(lying.poses[4].u_mm, lying.poses[4].v_mm);
    EXPECT_THROWS(UsageError, image(lying, data_of(lying)), "view 4 has a detector on its side");
    ScanSpec steep = with_free_poses(parallel());
    steep.poses[2].source_mm.z += 0.1;
    EXPECT_THROWS(UsageError, image(steep, data_of(steep)), "view 2 runs out of the plane");
  }
};

GANTRY_TEST(TestNearCircle)
#include "test_near_circle.moc"
