#include "core/base/error.hpp"
#include "core/base/registry.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/metrics/error_metrics.hpp"
#include "core/metrics/ssim.hpp"
#include "core/metrics/voxel_mask.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

using namespace gantry;
using gantry::test::expect_same_on_any_threads;

namespace {

struct Images {
  VolumeGrid grid;
  std::vector<float> x, reference;
  std::vector<std::uint8_t> mask = {};
  double range = 1;

  ImagePair pair() const { return {grid, x, reference, mask, range}; }
};

Images constant(int nx, int ny, float x, float reference, double range) {
  const VolumeGrid grid = VolumeGrid::centered(nx, ny, 1, {1, 1, 1});
  return {grid,
          std::vector<float>(grid.voxels(), x),
          std::vector<float>(grid.voxels(), reference),
          {},
          range};
}

Images noise(int nx, int ny, int nz, float offset, float spread, double range) {
  Images images{VolumeGrid::centered(nx, ny, nz, {1, 1, 1}), {}, {}, {}, range};
  std::mt19937 random(static_cast<unsigned>(nx * ny + nz));
  std::normal_distribution<float> normal;
  for (std::size_t i = 0; i < images.grid.voxels(); ++i) {
    images.reference.push_back(offset + spread * normal(random));
    images.x.push_back(images.reference.back() + 0.4F * spread * normal(random));
  }
  return images;
}

/// Blobs and an edge, with an error that follows them: what reconstructions differ by.
Images structure(int nx, int ny, int nz, double range) {
  Images images{VolumeGrid::centered(nx, ny, nz, {1, 1, 1}), {}, {}, {}, range};
  for (int iz = 0; iz < nz; ++iz)
    for (int iy = 0; iy < ny; ++iy)
      for (int ix = 0; ix < nx; ++ix) {
        const double r = 0.02 + 0.004 * std::sin(0.21 * ix + iz) * std::cos(0.13 * iy) +
                         (ix + 2 * iy > nx ? 0.01 : 0.0);
        images.reference.push_back(static_cast<float>(r));
        images.x.push_back(
            static_cast<float>(r * (1 + 0.05 * std::sin(0.9 * ix * (iz + 1))) + 0.0007));
      }
  return images;
}

/// 64 x 64, a = 100 + 50 sin(x/5) + 30 cos(y/7), b = a + 10 sin(x y / 97), L = 255.
Images published_pair() {
  Images images{VolumeGrid::centered(64, 64, 1, {1, 1, 1}), {}, {}, {}, 255};
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      const double a = 100 + 50 * std::sin(x / 5.0) + 30 * std::cos(y / 7.0);
      images.reference.push_back(static_cast<float>(a));
      images.x.push_back(static_cast<float>(a + 10 * std::sin(x * y / 97.0)));
    }
  return images;
}

template <class T>
QString write(const QTemporaryDir& folder, const QString& name, const std::vector<T>& values) {
  QFile file(folder.filePath(name));
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<qint64>(values.size() * sizeof(T)));
  return file.fileName();
}

QJsonObject ask_oracle(const QString& python, const Images& images) {
  const QTemporaryDir folder;
  QStringList arguments{QStringLiteral(GANTRY_SOURCE_DIR "/tests/oracles/metrics_oracle.py"),
                        write(folder, "x", images.x), write(folder, "r", images.reference)};
  for (const int n : {images.grid.nx, images.grid.ny, images.grid.nz})
    arguments << QString::number(n);
  arguments << QString::number(images.range, 'g', 17);
  if (!images.mask.empty()) arguments << write(folder, "m", images.mask);
  QProcess process;
  process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
  process.start(python, arguments);
  process.waitForFinished(120000);
  return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
}

}  // namespace

class TestMetrics : public QObject {
  Q_OBJECT
  QString python_;

 private slots:
  void initTestCase() { python_ = gantry::test::python_with("skimage.metrics"); }

  /// Of 40 x 30 pixels a strip on the left is not finite and outside the mask: the metrics are
  /// those of the rest alone.
  void valuesThatAreNotFiniteCanBeMasked() {
    constexpr int nx = 40, ny = 30, strip = 13;
    const Images whole = structure(nx, ny, 2, 0.03);
    Images spoiled = whole, other = whole,
           rest{VolumeGrid::centered(nx - strip, ny, 2, {1, 1, 1}), {}, {}, {}, whole.range};
    spoiled.mask.assign(whole.x.size(), 1);
    for (std::size_t i = 0; i < whole.x.size(); ++i) {
      if (static_cast<int>(i % nx) < strip) {
        spoiled.mask[i] = 0;
        spoiled.x[i] = std::numeric_limits<float>::quiet_NaN();
        other.reference[i] = std::numeric_limits<float>::infinity();
      } else {
        rest.x.push_back(whole.x[i]);
        rest.reference.push_back(whole.reference[i]);
      }
    }
    other.mask = spoiled.mask;
    const ImagePair expected = rest.pair();
    for (const Images* images : {&spoiled, &other}) {
      const ImagePair pair = images->pair();
      EXPECT_NEAR(rmse(pair), rmse(expected), 1e-12);
      EXPECT_NEAR(mean_absolute_error(pair), mean_absolute_error(expected), 1e-12);
      EXPECT_NEAR(nrmse(pair, Normalisation::range), nrmse(expected, Normalisation::range), 1e-9);
      EXPECT_NEAR(relative_error(pair), relative_error(expected), 1e-12);
      EXPECT_NEAR(ssim(pair), ssim(expected), 1e-12);
      EXPECT_NEAR(range_of(pair.reference, pair.mask), range_of(rest.reference), 0);
    }
    spoiled.mask[0] = 1;  // one that counts: there is no number
    QVERIFY(std::isnan(ssim(spoiled.pair())) && std::isnan(rmse(spoiled.pair())));
  }

  /// Numbers of an independent computation in double precision; the images here are float32.
  void publishedPair() {
    const Images images = published_pair();
    EXPECT_NEAR(ssim(images.pair()), 0.913692783582, 2e-8);
    EXPECT_NEAR(rmse(images.pair()), 6.949303966884, 1e-6);
    EXPECT_NEAR(mean_absolute_error(images.pair()), 6.164258027159, 1e-6);
    EXPECT_NEAR(nrmse(images.pair(), Normalisation::range), 0.043439077464, 1e-8);
    EXPECT_NEAR(nrmse(images.pair(), Normalisation::mean), 0.068542947126, 1e-8);
    EXPECT_NEAR(nrmse(images.pair(), Normalisation::euclidean), 0.063592036774, 1e-8);
    EXPECT_NEAR(relative_error(images.pair()), 0.063592036774, 1e-8);
    EXPECT_NEAR(psnr(images.pair()), 31.2919774406, 1e-6);
    Images narrower = images;
    narrower.range = range_of(images.reference);
    EXPECT_NEAR(narrower.range, 179.97868015207527 - 20.000513656458246, 1e-5);
    EXPECT_NEAR(ssim(narrower.pair()), 0.893763193513, 2e-8);
  }

  void scikitImageAgrees_data() {
    QTest::addColumn<int>("which");
    for (int i = 0; i < 8; ++i) QTest::addRow("%d", i) << i;
  }

  void scikitImageAgrees() {
    if (python_.isEmpty()) QSKIP("no Python with scikit-image");
    QFETCH(int, which);
    Images images = which == 0   ? structure(512, 300, 1, 0.03)
                    : which == 1 ? noise(64, 48, 1, 0.02F, 0.003F, 0.02)
                    : which == 2 ? noise(30, 25, 4, 1.0F, 0.2F, 1)
                    : which == 3 ? structure(40, 90, 5, 0.02)
                    : which == 4 ? noise(11, 11, 1, 5, 1, 6)
                    : which == 5 ? noise(200, 12, 2, 1000, 20, 400)  // far from zero, narrow range
                    : which == 6 ? structure(80, 70, 1, 0.03)
                                 : noise(70, 70, 3, 2, 1, 4);
    if (which == 6) images.mask = circle_mask(images.grid, 20);
    if (which == 7)
      for (std::size_t i = 0; i < images.grid.voxels(); ++i)
        images.mask.push_back(i * i % 7 < 3 && i < 9000 ? 255 : 0);
    const QJsonObject expected = ask_oracle(python_, images);
    QVERIFY(expected.contains("ssim"));
    const ImagePair pair = images.pair();
    EXPECT_NEAR(ssim(pair), expected["ssim"].toDouble(), 1e-9);
    EXPECT_NEAR(rmse(pair) / expected["rmse"].toDouble(), 1, 1e-9);
    EXPECT_NEAR(mean_absolute_error(pair) / expected["mae"].toDouble(), 1, 1e-9);
    EXPECT_NEAR(psnr(pair), expected["psnr"].toDouble(), 1e-8);
    EXPECT_NEAR(nrmse(pair, Normalisation::range) / expected["range"].toDouble(), 1, 1e-9);
    EXPECT_NEAR(nrmse(pair, Normalisation::mean) / expected["mean"].toDouble(), 1, 1e-9);
    EXPECT_NEAR(nrmse(pair, Normalisation::euclidean) / expected["euclidean"].toDouble(), 1, 1e-9);
    EXPECT_NEAR(nrmse(pair, Normalisation::deviation) / expected["deviation"].toDouble(), 1, 1e-9);
  }

  void ssimIsOneForEqualsAndKnownForConstants() {
    Images same = structure(50, 40, 2, 0.02);
    same.x = same.reference;
    EXPECT_NEAR(ssim(same.pair()), 1, 1e-12);
    // without structure only the luminance term is left
    const double c1 = std::pow(0.01 * 2, 2);
    EXPECT_NEAR(ssim(constant(20, 20, 0.5F, 1.0F, 2).pair()), (2 * 0.5 + c1) / (1.25 + c1), 1e-9);
  }

  void ssimDoesNotDependOnThreads() {
    const Images images = noise(150, 170, 3, 0, 1, 4);
    expect_same_on_any_threads(
        [&] { return std::make_pair(ssim(images.pair()), rmse(images.pair())); });
    const double expected = ssim(images.pair()), error = rmse(images.pair());
    QVERIFY(expected > 0 && expected < 1 && error > 0);
  }

  /// However many rows are taken together: a picture upside down has the same index.
  void ssimCountsEveryRow() {
    for (int rows = 11; rows < 80; ++rows) {
      const Images images = noise(16, rows, 1, 1, 0.2F, static_cast<unsigned>(rows));
      Images turned = images;
      std::ranges::reverse(turned.x);
      std::ranges::reverse(turned.reference);
      EXPECT_NEAR(ssim(turned.pair()), ssim(images.pair()), 1e-10);
    }
  }

  void edgeCasesAreNotNumbers() {
    QVERIFY(std::isnan(ssim(noise(10, 40, 1, 0, 1, 4).pair())));
    QVERIFY(std::isnan(ssim(noise(40, 10, 3, 0, 1, 4).pair())));
    QVERIFY(std::isnan(ssim(noise(40, 40, 1, 0, 1, 0).pair())));
    QVERIFY(std::isnan(psnr(noise(40, 40, 1, 0, 1, 0).pair())));
    QVERIFY(std::isnan(relative_error(constant(4, 4, 1, 0, 1).pair())));
    for (const Normalisation by : {Normalisation::range, Normalisation::mean,
                                   Normalisation::euclidean, Normalisation::deviation})
      QVERIFY(std::isnan(nrmse(constant(4, 4, 1, 0, 1).pair(), by)));
    QVERIFY(std::isnan(nrmse(constant(4, 4, 1, -1000, 1).pair(), Normalisation::mean)));
    EXPECT_NEAR(relative_error(constant(4, 4, 1, -1000, 1).pair()), 1.001, 1e-12);
    EXPECT_NEAR(relative_error(constant(4, 4, 0, 3, 1).pair()), 1, 1e-12);
    QVERIFY(psnr(constant(4, 4, 1, 1, 1).pair()) == std::numeric_limits<double>::infinity());
    EXPECT_NEAR(rmse(constant(3, 1, 5, 1, 1).pair()), 4, 1e-12);
  }

  void notANumberIsNotHidden() {
    Images images = noise(40, 40, 1, 0, 1, 4);
    images.x[20 * 40 + 20] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(std::isnan(ssim(images.pair())) && std::isnan(rmse(images.pair())));
    images.mask = std::vector<std::uint8_t>(1600, 1);
    images.mask[20 * 40 + 20] = 0;
    QVERIFY(std::isfinite(rmse(images.pair())));
    QVERIFY(std::isnan(range_of(images.x)) && std::isfinite(range_of(images.x, images.mask)));
  }

  void masksSelect() {
    Images images = constant(20, 20, 1, 1, 1);
    images.mask = std::vector<std::uint8_t>(400, 0);
    QVERIFY(std::isnan(rmse(images.pair())) && std::isnan(ssim(images.pair())));
    images.x[0] = 4;
    images.mask[0] = images.mask[1] = 7;
    EXPECT_NEAR(rmse(images.pair()), 3 / std::sqrt(2.0), 1e-12);
    QVERIFY(std::isnan(ssim(images.pair())));  // the window does not fit at the rim
    QCOMPARE(range_of(images.x), 3.0);
    QCOMPARE(range_of(images.x, images.mask), 3.0);
    images.mask[0] = 0;
    QCOMPARE(range_of(images.x, images.mask), 0.0);
    QCOMPARE(range_of({}), 0.0);
  }

  void circleIsAboutTheAxis() {
    const VolumeGrid grid{200, 100, 2, {0.5, 1, 3}, {-30, -60, 0}};
    const std::vector<std::uint8_t> mask = circle_mask(grid, 25);
    double area = 0;
    for (const std::uint8_t inside : mask) area += inside * 0.5;
    EXPECT_NEAR(area / 2, pi * 25 * 25, 0.01 * pi * 25 * 25);
    QCOMPARE(mask[grid.index(60, 60, 1)], std::uint8_t{1});       // the axis
    QCOMPARE(mask[grid.index(60 + 49, 60, 0)], std::uint8_t{1});  // 24.5 mm
    QCOMPARE(mask[grid.index(60 + 51, 60, 0)], std::uint8_t{0});  // 25.5 mm
    QCOMPARE(mask[grid.index(60, 60 + 25, 0)], std::uint8_t{1});
    QCOMPARE(mask[grid.index(60, 60 - 26, 0)], std::uint8_t{0});
  }

  void wrongSizesAreSaid() {
    Images images = constant(20, 20, 1, 1, 1);
    images.x.pop_back();
    EXPECT_THROWS(ShapeError, rmse(images.pair()), "size");
    EXPECT_THROWS(ShapeError, ssim(images.pair()), "size");
    images.x.push_back(1);
    images.mask = {1, 1};
    EXPECT_THROWS(ShapeError, psnr(images.pair()), "mask");
    EXPECT_THROWS(ShapeError, make_rmse({})->evaluate(images.pair()), "mask");
  }

  /// What was summed for one metric serves the others, and never another pair.
  void sumsAreSharedWithinAPair() {
    const Images images = noise(200, 150, 2, 1, 0.2F, 1);
    const ImagePair pair = images.pair();
    QVERIFY(!pair.sums);
    const double first = rmse(pair);
    QVERIFY(pair.sums && first == rmse(images.pair()));
    QVERIFY(relative_error(pair) == relative_error(images.pair()));
    QVERIFY(nrmse(pair, Normalisation::deviation) ==
            nrmse(images.pair(), Normalisation::deviation));
  }

  void aMaskOfNoVoxelsIsMade() {
    const VoxelMask none;
    QVERIFY(none.made() && none.voxels().empty());
  }

  void withoutAReferenceThereIsNone() {
    Images images = constant(20, 20, 1, 1, 1);
    images.reference.clear();
    const MetricValue value = make_rmse({})->measure(images.pair());
    QVERIFY(std::isnan(value.value) && value.problem == "needs a reference");
    QVERIFY(!make_ssim({})->applies_to(images.pair()));
  }

  void registryMakesThem() {
    Registry<Metric> metrics("metric");
    metrics.add({.key = "rmse", .label = "RMSE"}, "any", make_rmse);
    metrics.add({.key = "nrmse_mean", .label = ""}, "any", make_nrmse(Normalisation::mean));
    metrics.add({.key = "relative_error", .label = ""}, "any", make_relative_error);
    metrics.add({.key = "psnr", .label = "PSNR"}, "any", make_psnr);
    metrics.add({.key = "ssim", .label = "SSIM"}, "any", make_ssim);
    const Images images = published_pair();
    QCOMPARE(metrics.make("rmse", "cpu", {})->evaluate(images.pair()), rmse(images.pair()));
    QCOMPARE(metrics.make("ssim", "cpu", {})->evaluate(images.pair()), ssim(images.pair()));
    QCOMPARE(metrics.make("psnr", "cpu", {})->evaluate(images.pair()), psnr(images.pair()));
    for (const auto& [word, by] : {std::pair{"range", Normalisation::range},
                                   {"mean", Normalisation::mean},
                                   {"euclidean", Normalisation::euclidean},
                                   {"deviation", Normalisation::deviation}}) {
      const auto metric = make_nrmse(by)({});
      QCOMPARE(metric->evaluate(images.pair()), nrmse(images.pair(), by));
      QCOMPARE(metric->label(), "NRMSE (" + std::string(word) + ")");
    }
    QVERIFY(metrics.make("rmse", "cpu", {})->smaller_is_better());
    QVERIFY(!metrics.make("ssim", "cpu", {})->smaller_is_better());
    QVERIFY(!metrics.make("psnr", "cpu", {})->smaller_is_better());
    QCOMPARE(metrics.make("psnr", "cpu", {})->unit(), std::string("dB"));
    QCOMPARE(metrics.make("rmse", "cpu", {})->unit(), std::string("1/mm"));
  }
};

GANTRY_TEST(TestMetrics)

#include "test_metrics.moc"
