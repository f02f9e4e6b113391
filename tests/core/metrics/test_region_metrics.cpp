// Metrics of places: contrast-to-noise ratio of two regions, width of an edge.
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/metrics/contrast_to_noise.hpp"
#include "core/metrics/edge_response.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <random>
#include <vector>

using namespace gantry;

namespace {

struct Scene {
  VolumeGrid grid;
  std::vector<float> values;
  MeasurementRegions regions = {};

  ImagePair pair() const { return {grid, values, {}, {}, 0, &regions}; }
};

/// value(p) at every voxel centre.
template <class Value>
Scene scene_of(const VolumeGrid& grid, const Value& value) {
  Scene scene{grid, std::vector<float>(grid.voxels())};
  for (int iz = 0; iz < grid.nz; ++iz)
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix)
        scene.values[grid.index(ix, iy, iz)] =
            static_cast<float>(value(grid.voxel_center_mm(ix, iy, iz)));
  return scene;
}

/// A step of height 0.01 on 0.02, blurred by a Gaussian, across the direction (cos a, sin a).
Scene blurred_step(double sigma_mm, double angle, double spacing_mm = 0.5) {
  return scene_of(VolumeGrid::centered(128, 128, 1, {spacing_mm, spacing_mm, 1}),
                  [&](const Vec3& p) {
                    const double s = p.x * std::cos(angle) + p.y * std::sin(angle) - 1.3;
                    return 0.02 + 0.005 * (1 + std::erf(s / (std::sqrt(2.0) * sigma_mm)));
                  });
}

EdgeSegment across(double angle, double half_length_mm) {
  return {-half_length_mm * std::cos(angle), -half_length_mm * std::sin(angle),
          half_length_mm * std::cos(angle), half_length_mm * std::sin(angle)};
}

constexpr double per_sigma = 2.563103131089201;  // 2 * 1.2815515655446004, of the normal quantile

std::string problem_of(const Scene& scene) { return edge_width(scene.pair()).problem; }

}  // namespace

class TestRegionMetrics : public QObject {
  Q_OBJECT
 private slots:
  void regionsHoldTheVoxelsInside() {
    const VolumeGrid grid = VolumeGrid::centered(400, 300, 3, {0.25, 0.25, 2});
    const auto count = [&](const Region& region) {
      std::size_t n = 0, marked = 0;
      for_each_voxel(grid, region, [&](std::size_t) { ++n; });
      for (const std::uint8_t inside : region_mask(grid, region)) marked += inside;
      return n == marked ? static_cast<double>(n) : -1;
    };
    const double pi = 3.14159265358979, cell = 0.25 * 0.25;
    EXPECT_NEAR(count(Region::circle(10, -5, 12)) * cell / 3, pi * 144, 0.005 * pi * 144);
    QCOMPARE(count(Region::box(0, 0, 10, 5)), 3 * 40.0 * 20.0);
    QCOMPARE(count(Region::box(10, 5, 0, 0)), 3 * 40.0 * 20.0);  // corners in any order
    Region middle = Region::box(0, 0, 10, 5);
    middle.z_low_mm = -1;
    middle.z_high_mm = 1;
    QCOMPARE(count(middle), 800.0);
    QCOMPARE(count(Region::circle(0, 0, 1e6)), static_cast<double>(grid.voxels()));
    QCOMPARE(count(Region::circle(1e300, 0, 1)), 0.0);
    QCOMPARE(count(Region::box(49, 36, 60, 60)), 3 * 4.0 * 6.0);  // half outside
    // centres on the rim belong to it
    QCOMPARE(count(Region::box(0.125, 0.125, 0.375, 0.375)), 3 * 4.0);
    QCOMPARE(count(Region::circle(0.125, 0.125, 0.25)), 3 * 5.0);
    QVERIFY(middle.contains({0, 0, -1}) && middle.contains({0, 0, 1}));
    QVERIFY(!middle.contains({0, 0, -1.1}) && !middle.contains({0, 0, 1.1}));
    QVERIFY(middle.contains({10, 5, 0}) && middle.contains({0, 0, 0}));
    QVERIFY(!middle.contains({5, 5.1, 0}) && !middle.contains({10.1, 2, 0}));
  }

  void regionsAreReadFromText() {
    QVERIFY(parse_region("1,-2.5,4", "--roi") == Region::circle(1, -2.5, 4));
    QVERIFY(parse_region("0,1,4,7", "--roi") == Region::box(0, 1, 4, 7));
    const Region ellipse = parse_region("ellipse:0,0,8,4", "--roi");
    QVERIFY(ellipse.shape == Region::Shape::circle && ellipse.contains({7.9, 2, 0}) &&
            !ellipse.contains({7.5, 3.5, 0}));
    QCOMPARE(format_region(ellipse), std::string("ellipse:0,0,8,4"));
    EXPECT_THROWS(UsageError, parse_region("ellipse:0,0,8", "--roi"), "--roi");
    const Region limited = parse_region("0,1,4,7,-2,3", "--roi");
    QVERIFY(limited.z_low_mm == -2 && limited.z_high_mm == 3 && limited.half_height_mm == 3);
    QCOMPARE(parse_region("1,2,3,-4,4", "--roi").half_width_mm, 3.0);
    for (const char* text : {"1,-2.5,4", "0,1,4,7", "0,1,4,7,-2,3"})
      QCOMPARE(format_region(parse_region(text, "")), std::string(text));
    for (const char* text : {"1,-2.5,4,0", "0,1,4,7,0.5"})
      QCOMPARE(format_edge(parse_edge(text, "")), std::string(text));
    QCOMPARE(describe(parse_region("1,-2,5", "")),
             std::string("circle of radius 5 mm about (1, -2) mm"));
    EXPECT_THROWS(UsageError, parse_edge("1,2,nan,4", "--edge"), "not finite");
    for (const char* bad : {"", "1", "1,2", "a,b,c", "1,2,3,", "1,2,3 ", "1,2,3,4,5,6,7", "1;2;3"})
      EXPECT_THROWS(UsageError, parse_region(bad, "--roi"), "--roi: \"");
    for (const char* bad :
         {"1,2,0", "1,2,-3", "0,0,0,5", "1,2,nan", "inf,2,3", "0,0,1,5,2", "0,0,5,nan,3"})
      EXPECT_THROWS(UsageError, parse_region(bad, "--roi"), "--roi");
    EXPECT_THROWS(UsageError, parse_region("ellipse:0,0,8,0", "--roi"),
                  "a radius of 0 mm holds nothing");
    EXPECT_THROWS(UsageError, parse_region("0,1,0,6", "--roi"), "a box of 0 x 5 mm holds nothing");
    EXPECT_THROWS(UsageError, parse_region("0,1,7,1", "--roi"), "a box of 7 x 0 mm holds nothing");
    QVERIFY((parse_edge("0,1,2,3,4", "--edge") == EdgeSegment{0, 1, 2, 3, 4.0}));
    EXPECT_THROWS(UsageError, parse_edge("1,2,1,2", "--edge"), "begins where it ends");
    EXPECT_THROWS(UsageError, parse_edge("1,2,3", "--edge"), "X0,Y0,X1,Y1");
  }

  /// Two discs of known levels in noise of known deviation: CNR = |0.030 - 0.022| / 0.004 = 2.
  void contrastOfDiscsInKnownNoise() {
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal(0, 0.004);
    Scene scene = scene_of(VolumeGrid::centered(512, 512, 1, {0.5, 0.5, 1}), [&](const Vec3& p) {
      const double level = std::hypot(p.x - 40, p.y) < 40   ? 0.030
                           : std::hypot(p.x + 50, p.y) < 45 ? 0.022
                                                            : 0;
      return level + normal(random);
    });
    scene.regions.roi = Region::circle(40, 0, 38);
    scene.regions.background = Region::circle(-50, 0, 43);
    // Deviations: of sigma 1 / sqrt(2 N) with N = 23235, of the means sigma / sqrt(N).
    EXPECT_NEAR(contrast_to_noise(scene.pair()).value, 2, 5 * 0.0135);
    const RegionStatistics roi = region_statistics(scene.grid, scene.values, *scene.regions.roi);
    EXPECT_NEAR(static_cast<double>(roi.voxels), 3.14159265 * 38 * 38 * 4, 60);
    EXPECT_NEAR(roi.mean, 0.030, 5 * 0.004 / std::sqrt(18000));
    EXPECT_NEAR(roi.deviation, 0.004, 5 * 0.004 / std::sqrt(36000));
    std::swap(scene.regions.roi,
              scene.regions.background);  // the sign of the contrast is no matter
    EXPECT_NEAR(contrast_to_noise(scene.pair()).value, 2, 5 * 0.0135);
  }

  /// Three values of deviation exactly 1 (over N - 1) against two of mean 7.
  void contrastByHand() {
    Scene scene = scene_of(VolumeGrid::centered(5, 1, 1, {1, 1, 1}), [](const Vec3&) { return 0; });
    scene.values = {1, 2, 3, 6.5, 7.5};
    scene.regions.background = Region::box(-2.5, -1, 0.5, 1);
    scene.regions.roi = Region::box(0.5, -1, 2.5, 1);
    EXPECT_NEAR(contrast_to_noise(scene.pair()).value, 5, 1e-12);
    for (float& value : scene.values) value += 1e4F;  // HU-like: an offset takes no digits
    EXPECT_NEAR(contrast_to_noise(scene.pair()).value, 5, 1e-3);
    // a sixteenth more or less of a million: the squares alone have no digits left for that
    Scene far =
        scene_of(VolumeGrid::centered(100, 100, 1, {1, 1, 1}), [](const Vec3&) { return 0; });
    for (std::size_t i = 0; i < far.values.size(); ++i)
      far.values[i] = 1e6F + (i % 2 == 0 ? 0.0625F : -0.0625F);
    const RegionStatistics all = region_statistics(far.grid, far.values, Region::circle(0, 0, 1e3));
    EXPECT_NEAR(all.deviation, 0.0625 * std::sqrt(10000.0 / 9999), 1e-12);
  }

  void contrastThatIsNoneSaysWhy() {
    Scene scene = scene_of(VolumeGrid::centered(40, 40, 1, {1, 1, 1}),
                           [](const Vec3& p) { return p.x > 0 ? 1 : 0; });
    const auto problem = [&] {
      const MetricValue value = contrast_to_noise(scene.pair());
      return std::isnan(value.value) ? value.problem : std::string("a number");
    };
    QVERIFY(problem().find("needs a region") != std::string::npos);
    scene.regions.roi = Region::circle(10, 0, 5);
    scene.regions.background = Region::circle(-10, 0, 5);
    QVERIFY(problem().find("without noise") != std::string::npos);
    scene.regions.background = Region::circle(-500, 0, 5);
    QVERIFY(problem().find("background region holds no") != std::string::npos);
    scene.regions.background = Region::circle(0, 0, 5);
    scene.regions.roi = Region::circle(500, 0, 5);
    QVERIFY(problem().find("region of interest holds no voxel") != std::string::npos);
    scene.regions.roi = Region::circle(10, 0, 5);
    QCOMPARE(problem(), std::string("a number"));
  }

  /// The 10 to 90 % width of a step blurred by a Gaussian is 2 Phi^-1(0.9) sigma.
  void widthOfABlurredStep() {
    for (const double angle : {0.0, 0.1, 0.7, 1.5707963, 2.5, -1.9})
      for (const double sigma : {0.4, 1.0, 3.0}) {
        const Scene scene = blurred_step(sigma, angle);
        const EdgeFit fit = fit_edge(scene.grid, scene.values, across(angle, 20));
        EXPECT_NEAR(fit.width_mm / (per_sigma * sigma), 1, 2e-5);
        EXPECT_NEAR(fit.position_mm, 21.3, 1e-4);
        EXPECT_NEAR(fit.from, 0.02, 1e-6);
        EXPECT_NEAR(fit.to, 0.03, 1e-6);
        // walked the other way the levels change places
        const EdgeFit back = fit_edge(scene.grid, scene.values, across(angle + pi(), 20));
        EXPECT_NEAR(back.width_mm, fit.width_mm, 1e-4 * sigma);
        EXPECT_NEAR(back.to, 0.02, 1e-6);
      }
  }

  void noiseSpreadsTheWidthButDoesNotBiasIt() {
    std::mt19937_64 random(8);
    std::normal_distribution<double> normal(0, 0.0005);
    double sum = 0;
    for (int i = 0; i < 40; ++i) {
      Scene scene = blurred_step(1.0, 0.3);
      for (float& value : scene.values) value += static_cast<float>(normal(random));
      scene.regions.edge = across(0.3, 15);
      sum += edge_width(scene.pair()).value / 40;
    }
    EXPECT_NEAR(sum / per_sigma, 1, 0.05);
  }

  /// Between two pixels no width can be seen.
  void aSharpEdgeIsALimit() {
    const Scene scene = blurred_step(1e-6, 0);
    for (const EdgeSegment& segment : {across(0, 10), EdgeSegment{-4.6, 0, 7, 0.3}}) {
      const EdgeFit fit = fit_edge(scene.grid, scene.values, segment);
      EXPECT_NEAR(fit.width_mm, per_sigma * 0.25 * 0.5, 1e-3);
      QVERIFY(fit.problem.find("sharper than pixels can show") != std::string::npos);
    }
    const Scene seen = blurred_step(0.2, 0.3);
    QVERIFY(fit_edge(seen.grid, seen.values, across(0.3, 10)).problem.empty());
  }

  /// The finer of the two distances of pixels is the limit.
  void aSharpEdgeOnLongPixels() {
    for (const bool along_x : {true, false}) {
      const Vec3 spacing = along_x ? Vec3{0.5, 1, 1} : Vec3{1, 0.5, 1};
      const Scene scene = scene_of(VolumeGrid::centered(64, 64, 1, spacing), [&](const Vec3& p) {
        return (along_x ? p.x : p.y) > 0 ? 1 : 0;
      });
      const EdgeFit fit =
          fit_edge(scene.grid, scene.values,
                   along_x ? EdgeSegment{-10, 0, 10, 0} : EdgeSegment{0, -10, 0, 10});
      EXPECT_NEAR(fit.width_mm, per_sigma * 0.25 * 0.5, 1e-3);
    }
  }

  void wrongSizesAreSaid() {
    Scene scene = blurred_step(1, 0);
    scene.regions = {Region::circle(10, 0, 5), Region::circle(-10, 0, 5), across(0, 12)};
    scene.values.push_back(0);
    EXPECT_THROWS(ShapeError, contrast_to_noise(scene.pair()), "size");
    EXPECT_THROWS(ShapeError, edge_width(scene.pair()), "size");
  }

  void edgesThatAreNoneSayWhy() {
    Scene flat = blurred_step(1, 0);
    flat.regions.edge = EdgeSegment{10, 0, 30, 0};  // behind the edge
    QVERIFY(problem_of(flat).find("do not change") != std::string::npos);
    flat.regions.edge = EdgeSegment{100, 0, 120, 0};
    QVERIFY(problem_of(flat).find("too few pixels") != std::string::npos);
    flat.regions.edge = EdgeSegment{1, 0, 1.4, 0};
    QVERIFY(problem_of(flat).find("too few pixels") != std::string::npos);
    Scene wide = blurred_step(8, 0);
    wide.regions.edge = across(0, 6);
    QVERIFY(problem_of(wide).find("draw a longer one") != std::string::npos);
    QVERIFY(std::isnan(edge_width(wide.pair()).value));
    Scene narrow = blurred_step(1, 0);  // at 1.3 mm: 1.28 mm to either side
    for (const EdgeSegment& cut : {EdgeSegment{0.4, 0, 16, 0}, EdgeSegment{-16, 0, 2.2, 0}}) {
      narrow.regions.edge = cut;
      QVERIFY(problem_of(narrow).find("draw a longer one") != std::string::npos);
    }
    Scene noisy = blurred_step(1, 0);
    std::mt19937_64 random(2);
    std::normal_distribution<float> normal(0.02F, 0.001F);
    for (int i = 0; i < 50; ++i) {
      for (float& value : noisy.values) value = normal(random);
      noisy.regions.edge = across(0.2, 12);
      QVERIFY2(problem_of(noisy).find("no edge stands out") != std::string::npos,
               qPrintable(QString::number(i)));
    }
    noisy.values[64 * 128 + 64] = nan_value;
    noisy.regions.edge = across(0, 12);
    QVERIFY(problem_of(noisy).find("not a finite number") != std::string::npos);
    noisy.regions.edge.reset();
    QVERIFY(problem_of(noisy).find("needs a segment") != std::string::npos);
  }

  void theEdgeOfItsSlice() {
    Scene scene = scene_of(VolumeGrid::centered(64, 64, 5, {1, 1, 4}), [](const Vec3& p) {
      return std::erf(p.x / (std::sqrt(2.0) * (2 + 0.1 * p.z)));
    });
    for (const double z : {-8.0, 0.0, 5.0}) {  // slices lie at -8, -4, 0, 4, 8
      scene.regions.edge = across(0, 25);
      scene.regions.edge->z_mm = z;
      EXPECT_NEAR(edge_width(scene.pair()).value, per_sigma * (2 + 0.1 * (z == 5 ? 4 : z)), 1e-3);
    }
    scene.regions.edge = across(0, 25);
    EXPECT_NEAR(edge_width(scene.pair()).value, per_sigma * 2, 1e-3);
  }

  /// Awkward grids, regions and segments against numpy and scipy.
  void numpyAgrees_data() {
    QTest::addColumn<int>("which");
    for (int i = 0; i < 4; ++i) QTest::addRow("%d", i) << i;
  }
  void numpyAgrees() {
    const QString python = gantry::test::python_with("scipy.optimize");
    if (python.isEmpty()) QSKIP("no Python with scipy");
    QFETCH(int, which);
    const VolumeGrid grid = VolumeGrid::centered(61 + which, 47, 3, {0.8, 1.1, 2.5});
    std::mt19937_64 random(static_cast<unsigned>(which));
    std::normal_distribution<double> normal(0, 0.02);
    Scene scene = scene_of(grid, [&](const Vec3& p) {
      return 1 + std::tanh((p.x + 0.4 * p.y - 2) / 3) + normal(random);
    });
    Region roi = which % 2 == 0 ? Region::circle(11.3, 4, 7.7) : Region::box(5, -9, 17.3, 8.1);
    Region background = Region::circle(-13, 2.2, 6.4);
    if (which > 1) {
      roi.z_low_mm = -3;
      background.z_high_mm = 1;
    }
    const EdgeSegment edge{-14, -3, 16, 4 + static_cast<double>(which), 2.0};
    scene.regions = {roi, background, edge};
    const auto json = [](const Region& r) {
      return QJsonObject{{"shape", r.shape == Region::Shape::circle ? "circle" : "box"},
                         {"x", r.x_mm},
                         {"y", r.y_mm},
                         {"a", r.half_width_mm},
                         {"b", r.half_height_mm},
                         {"z", QJsonArray{std::max(-1e9, r.z_low_mm), std::min(1e9, r.z_high_mm)}}};
    };
    const QTemporaryDir folder;
    QFile file(folder.filePath("x"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(reinterpret_cast<const char*>(scene.values.data()),
               static_cast<qint64>(scene.values.size() * sizeof(float)));
    file.close();
    QStringList arguments{QStringLiteral(GANTRY_SOURCE_DIR "/tests/oracles/region_oracle.py"),
                          file.fileName()};
    for (const int n : {grid.nx, grid.ny, grid.nz}) arguments << QString::number(n);
    for (const double d : {grid.spacing_mm.x, grid.spacing_mm.y, grid.spacing_mm.z})
      arguments << QString::number(d);
    const int slice = 2;  // z = 2 mm is nearest to 2.5 mm
    for (const QJsonArray& list :
         {QJsonArray{json(roi), json(background)},
          QJsonArray{edge.x0_mm, edge.y0_mm, edge.x1_mm, edge.y1_mm, slice}})
      arguments << QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact));
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(python, arguments);
    process.waitForFinished(120000);
    const QJsonObject expected = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QVERIFY(expected.contains("cnr"));
    const RegionStatistics inside = region_statistics(grid, scene.values, roi);
    QCOMPARE(static_cast<int>(inside.voxels), expected["voxels"].toArray()[0].toInt());
    EXPECT_NEAR(inside.mean / expected["mean"].toDouble(), 1, 1e-10);
    EXPECT_NEAR(contrast_to_noise(scene.pair()).value / expected["cnr"].toDouble(), 1, 1e-9);
    EXPECT_NEAR(edge_width(scene.pair()).value / expected["width"].toDouble(), 1, 1e-4);
  }

  void theCatalogueSaysWhatTheyNeed() {
    Catalog catalog;
    add_core(catalog);
    Scene scene = blurred_step(1, 0);
    const auto applies = [&](const char* key) {
      return catalog.metrics.make(key, "cpu", {})->applies_to(scene.pair());
    };
    QVERIFY(!applies("rmse") && !applies("cnr") && !applies("edge_width"));
    scene.regions.roi = Region::circle(0, 0, 5);
    QVERIFY(!applies("cnr"));
    scene.regions.background = Region::circle(20, 0, 5);
    scene.regions.roi.reset();
    QVERIFY(!applies("cnr"));
    scene.regions.roi = Region::circle(0, 0, 5);
    scene.regions.edge = across(0, 20);
    QVERIFY(!applies("rmse") && applies("cnr") && applies("edge_width"));
    EXPECT_NEAR(catalog.metrics.make("edge_width", "cpu", {})->evaluate(scene.pair()), per_sigma,
                1e-4);
    QVERIFY(catalog.metrics.make("edge_width", "cpu", {})->smaller_is_better());
    QVERIFY(!catalog.metrics.make("cnr", "cpu", {})->smaller_is_better());
  }

 private:
  static double pi() { return 3.14159265358979323846; }
};

GANTRY_TEST(TestRegionMetrics)
#include "test_region_metrics.moc"
