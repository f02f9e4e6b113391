// Objects wider than the detector: rows that are continued leave what lies inside nearly as it is.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/corrections/padding/padding.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/direct/extrapolated_row.hpp"
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/direct/fdk.hpp"
#include "core/solvers/direct/truncation_note.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/catalog_phantoms.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A scan about the Shepp-Logan phantom, of 184 x 138 mm, whose detector sees 192 mm and more with
/// 240 columns.
ScanSpec scan(Beam beam, DetectorShape shape, double span_deg, double central, int columns) {
  ScanSpec spec;
  spec.beam = beam;
  spec.detector = shape;
  spec.source_to_isocenter_mm = 400;
  spec.source_to_detector_mm = 600;
  spec.detector_columns = columns;
  spec.column_pitch_mm = spec.row_pitch_mm = beam == Beam::parallel ? 0.8 : 1.25;
  spec.central_column = central;
  const int views = static_cast<int>(span_deg);
  spec.view_angles_rad = angles_from_degrees(5, span_deg / views, views);
  return spec;
}

}  // namespace

class TestTruncatedRows : public QObject {
  Q_OBJECT
  CpuBackend backend_;

  std::vector<float> reconstruct(const ScanSpec& spec, const VolumeGrid& grid, double extrapolation,
                                 const Padding& padding = {}) {
    const auto measured = share(spec), geometry = padded(measured, padding);
    std::vector<float> data(measured->rays());
    project_exactly(*phantom("shepp_logan"), *measured, 1, data);
    pad(data, measured->columns(), padding);
    const auto A = make_siddon(backend_, geometry, grid, {});
    const Array b = Array::from(backend_, data);
    const Params params = {{"extrapolation", extrapolation}};
    const auto solver = spec.beam == Beam::cone
                            ? make_fdk(resolve_params(params, fdk_params(), "fdk"))
                            : make_fbp(resolve_params(params, fbp_params(), "fbp"));
    run(*solver, {A.get(), &b, nullptr}, {1, 0}, {});
    return solver->solution().to_host();
  }

  /// Root mean square of a difference within a circle about the axis.
  static double rms(const VolumeGrid& grid, const std::vector<float>& one,
                    const std::vector<float>& other, double radius_mm) {
    double sum = 0;
    int count = 0;
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) {
        const Vec3 p = grid.voxel_center_mm(ix, iy, 0);
        if (std::hypot(p.x, p.y) > radius_mm) continue;
        const std::size_t at = grid.index(ix, iy, 0);
        sum += std::pow(static_cast<double>(one[at]) - other[at], 2);
        ++count;
      }
    return std::sqrt(sum / count);
  }

 private slots:
  /// An object that is flat in the direction of the axis fills few rows; those beside it hold
  /// rounding and noise, and count for nothing.
  void rowsBesideTheObjectCountForNothing() {
    ScanSpec spec = scan(Beam::cone, DetectorShape::flat, 90, 31.5, 64);
    spec.detector_rows = 15;
    spec.central_row = 7;
    const ScanGeometry geometry(spec);
    std::vector<float> data(geometry.rays());
    for (std::size_t i = 0; i < data.size(); ++i) {
      const std::size_t column = i % 64, row = i / 64 % 15, view = i / 64 / 15;
      const bool object = row == 7 && view % 2 == 1;
      data[i] = object ? 2 : 0.0003F * static_cast<float>(std::min(column, 63 - column));
    }
    QVERIFY(!truncation_note(geometry, data).empty());
    for (float& value : data) value = std::min(value, 0.01F);
    for (std::size_t i = 0; i < data.size(); ++i)
      if (i % 64 < 3 || i % 64 > 60) data[i] = 0;
    QVERIFY(truncation_note(geometry, data).empty());
  }

  void rowsAreContinued() {
    std::vector<float> row = {9, 9, 9, 1, 2, 4, 3, 9, 9, 9};
    extrapolate_row(row, 3, 4, 3);
    const double step = std::acos(-1.0) / 8;
    const std::vector<double> expected = {
        0, 0, 0, 1, 2, 4, 3, 2 * std::cos(step), 4 * std::cos(2 * step), 5 * std::cos(3 * step)};
    for (std::size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(row[i], expected[i], 1e-6);
    std::vector<float> noisy = {9, -0.5F, 0.5F, 0.25F, 9};
    extrapolate_row(noisy, 1, 3, 1);
    EXPECT_NEAR(noisy[0], -std::sqrt(0.5), 1e-6);  // twice the end, and no further
    EXPECT_NEAR(noisy[4], 0, 1e-6);
    std::vector<float> single = {9, 9, 2, 9, 9};
    extrapolate_row(single, 2, 1, 2);
    EXPECT_NEAR(single[0], 1, 1e-6);
    EXPECT_NEAR(single[4], 1, 1e-6);
  }

  /// The image of the whole detector is what the one of its middle half should be.
  void theMiddleIsRight_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<int>("shape");
    QTest::addColumn<double>("span");
    const auto add = [](const char* name, Beam beam, DetectorShape shape, double span) {
      QTest::addRow("%s", name) << static_cast<int>(beam) << static_cast<int>(shape) << span;
    };
    add("parallel", Beam::parallel, DetectorShape::flat, 180);
    add("flat", Beam::fan, DetectorShape::flat, 360);
    add("arc", Beam::fan, DetectorShape::arc, 360);
    add("short scan", Beam::fan, DetectorShape::flat, 215);
    add("cone", Beam::cone, DetectorShape::flat, 360);
  }
  void theMiddleIsRight() {
    QFETCH(int, beam);
    QFETCH(int, shape);
    QFETCH(double, span);
    const auto half = [&](double central, int columns) {
      return scan(static_cast<Beam>(beam), static_cast<DetectorShape>(shape), span, central,
                  columns);
    };
    const VolumeGrid grid = VolumeGrid::centered(90, 90, 1, {1, 1, 1});
    const std::vector<float> whole = reconstruct(half(119.25, 240), grid, 0),
                             cut = reconstruct(half(59.25, 120), grid, 0),
                             continued = reconstruct(half(59.25, 120), grid, 0.35);
    const double before = rms(grid, cut, whole, 43), after = rms(grid, continued, whole, 43);
    QVERIFY2(after < before / 3, qPrintable(QStringLiteral("%1 of %2").arg(after).arg(before)));
    const double filled =
        rms(grid, reconstruct(half(59.25, 120), grid, 0, {42, PadValues::fade}), whole, 43);
    QVERIFY2(filled < before / 3, qPrintable(QStringLiteral("%1 of %2").arg(filled).arg(before)));
  }

  /// Where the detector sees the whole object, there is air to continue, also at the short side of
  /// one that is off its middle.
  void airIsContinuedByAir() {
    const ScanSpec spec = scan(Beam::fan, DetectorShape::flat, 360, 90, 240);
    const VolumeGrid grid = VolumeGrid::centered(90, 90, 1, {1, 1, 1});
    const std::vector<float> with = reconstruct(spec, grid, 0.4),
                             without = reconstruct(spec, grid, 0);
    QVERIFY(rms(grid, with, without, 43) < 1e-6);
  }

  /// Near 75 degrees the fan ends, whatever is asked for.
  void wideFansStayFans() {
    ScanSpec spec = scan(Beam::fan, DetectorShape::arc, 360, 119.5, 240);
    spec.column_pitch_mm = 600 * radians(140) / 240;
    const FilteringPlan plan = FilteringPlan::of(ScanGeometry(spec), "hann", 1, 1);
    QCOMPARE(plan.extrapolated, 8U);  // of 0.58 degrees
    QCOMPARE(plan.widened.columns(), 256);
  }

  /// Of half fans over a full turn the wider side ends in air, of short scans both sides have to.
  void truncatedRowsAreNoted() {
    const auto note = [](Beam beam, double span, double central, int columns) {
      const ScanGeometry geometry(scan(beam, DetectorShape::flat, span, central, columns));
      std::vector<float> data(geometry.rays());
      project_exactly(*phantom("shepp_logan"), geometry, 1, data);
      return truncation_note(geometry, data);
    };
    for (const Beam beam : {Beam::parallel, Beam::fan}) {
      QCOMPARE(note(beam, 360, 119.5, 240), std::string());
      QCOMPARE(note(beam, 360, 20, 140), std::string());
      QCOMPARE(note(beam, 360, 119, 140), std::string());
      for (const std::string& cut : {note(beam, 360, 59.5, 120), note(beam, 180, 20, 140),
                                     note(beam, 180, 119, 140), note(beam, 360, 20, 100)})
        QVERIFY(cut.find("\"extrapolation\" (0.25 to 0.5)") != std::string::npos);
    }
  }

  /// Rows of ones between two ends count from a quarter of them on, from one in twenty on, and on
  /// detectors of 32 columns at least.
  void theLimitsOfTruncatedRows() {
    constexpr int views = 50;
    const auto is_noted = [](int columns, int cut_views, float end) {
      const ScanGeometry geometry(
          scan(Beam::parallel, DetectorShape::flat, views, 0.5 * (columns - 1), columns));
      std::vector<float> data(geometry.rays(), 1.0F);
      for (int view = 0; view < views; ++view) {
        const std::span row = std::span(data).subspan(static_cast<std::size_t>(view * columns),
                                                      static_cast<std::size_t>(columns));
        std::ranges::fill(row.first(4), 0.0F);
        std::ranges::fill(row.last(4), view < cut_views ? end : 0.0F);
      }
      return !truncation_note(geometry, data).empty();
    };
    QVERIFY(!is_noted(40, views, 0.2F) && is_noted(40, views, 0.3F));
    QVERIFY(!is_noted(40, 2, 0.3F) && is_noted(40, 3, 0.3F));  // 4 % and 6 %
    QVERIFY(!is_noted(31, views, 0.3F) && is_noted(32, views, 0.3F));
  }

  /// Noise of a third of the object does not make air into more than a quarter of it; rows that are
  /// cut off in half of the object are found beside it.
  void noiseIsNoTruncation() {
    const ScanGeometry geometry(scan(Beam::parallel, DetectorShape::flat, 90, 19.5, 40));
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 0.02F);
    const auto is_noted = [&](float end) {
      std::vector<float> data(geometry.rays());
      for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = (i % 40 < 8 || i % 40 > 31 ? end : 0.07F) + noise(random);
      return !truncation_note(geometry, data).empty();
    };
    QVERIFY(!is_noted(0));
    QVERIFY(is_noted(0.06F));
  }

  void otherDevicesRefuse() {
    const Params params = resolve_params({{"extrapolation", 0.2}}, fbp_params(), "fbp");
    EXPECT_THROWS(UsageError, make_fbp_with(params, make_cpu_filtered_sum), "fbp.extrapolation");
    EXPECT_THROWS(UsageError, make_fdk_with(params, make_cpu_filtered_sum), "fdk.extrapolation");
  }

  /// A detector has 65536 columns at most, those of the continued rows among them.
  void veryWideRowsAreContinuedAsFarAsADetectorGoes() {
    ScanSpec spec = fan_spec(1, 40000, 0.01);
    spec.beam = Beam::parallel;
    QCOMPARE(FilteringPlan::of(ScanGeometry(spec), "hann", 1, 0.5).widened.columns(), 65536);
    const std::vector<float> image =
        reconstruct(spec, VolumeGrid::centered(4, 4, 1, {1, 1, 1}), 0.5);
    QCOMPARE(image.size(), std::size_t{16});
    QVERIFY(std::ranges::all_of(image, [](float value) { return std::isfinite(value); }));
  }
};

GANTRY_TEST(TestTruncatedRows)
#include "test_truncated_rows.moc"
