// HU by measured water, and the attenuation of water that a scan keeps.
#include "tests/cli/command.hpp"
#include "tests/cli/plain_volume.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <span>
#include <vector>

using namespace gantry::test;

namespace {

struct Values {
  double mean = 0, deviation = 0;
  int count = 0;
};

/// Mean and deviation of the pixels whose centres lie in a circle.
Values in_circle(const PlainVolume& v, double x_mm, double y_mm, double radius_mm) {
  double sum = 0, squares = 0;
  int count = 0;
  for (int iy = 0; iy < v.ny; ++iy)
    for (int ix = 0; ix < v.nx; ++ix)
      if (std::hypot(v.x_mm(ix) - x_mm, v.y_mm(iy) - y_mm) <= radius_mm) {
        sum += v.at(ix, iy);
        squares += static_cast<double>(v.at(ix, iy)) * v.at(ix, iy);
        ++count;
      }
  const double mean = sum / count;
  return {mean, std::sqrt(squares / count - mean * mean), count};
}

}  // namespace

class TestCliWater : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }
  QString path(const QString& name) const { return folder_.filePath(name); }

 private slots:
  /// A noisy slice of inserts in a disc of water, in air, with line integrals in another unit:
  /// water of 0.02 1/mm becomes 0.016.
  void initTestCase() {
    EXPECT_DONE(cli("simulate --phantom contrast_inserts --out wide.scan.json"));
    EXPECT_DONE(
        cli("simulate --phantom contrast_inserts --set phantom.radius_mm=60 --geometry "
            "wide.scan.json --photons 1e5 --out s.scan.json"));
    const Answer made =
        cli("reconstruct s.scan.json --correct scale:factor=0.8 --solver fbp --grid "
            "128,128 --out mu.mha");
    QVERIFY2(made.code == 0, made.text().constData());
  }

  /// The region's mean is 0 HU, another region of water lies within the noise, and the values are
  /// those of the formula.
  void waterBecomesZero() {
    const Answer answer = cli("convert mu.mha hu.mha --water 0,0,12");
    EXPECT_DONE(answer);
    const PlainVolume mu = read_plain(path("mu.mha")), hu = read_plain(path("hu.mha"));
    const Values water = in_circle(mu, 0, 0, 12), now = in_circle(hu, 0, 0, 12),
                 other = in_circle(hu, -52, 0, 5), air = in_circle(hu, 80, 0, 10);
    QVERIFY(water.count > 100 && std::abs(water.mean / 0.016 - 1) < 0.02);
    EXPECT_NEAR(now.mean, 0, 0.01);
    qInfo("%g +- %g, %g +- %g, %g", now.mean, now.deviation, other.mean, other.deviation, air.mean);
    EXPECT_NEAR(other.mean, 0, other.deviation / 2);
    EXPECT_NEAR(air.mean, -1000, 3);
    for (std::size_t i = 0; i < mu.values.size(); ++i)
      EXPECT_NEAR(hu.values[i], 1000 * (mu.values[i] / water.mean - 1), 0.02);
    const QString said = answer.output.section("water: ", 1);
    EXPECT_NEAR(said.section(' ', 0, 0).toDouble(), water.mean, 1e-7);
    EXPECT_NEAR(said.section(' ', 2, 2).toDouble() / water.deviation, 1, 0.02);
    QVERIFY2(said.contains(QStringLiteral("in %1 voxels").arg(water.count)), qPrintable(said));
    // NRRD states the unit of its values.
    EXPECT_DONE(cli("convert mu.mha hu.nrrd --water 0,0,12"));
    const Answer info = cli("info hu.nrrd");
    QVERIFY2(info.output.contains("from HU with water at 0.01"), info.text().constData());
  }

  /// What reads HU takes the attenuation of water that the file states, with --hu as well.
  void statedWaterIsTaken() {
    for (const char* name : {"stated.mha", "stated.nrrd"}) {
      const QString file = name;
      EXPECT_DONE(cli("convert mu.mha " + file + " --water 0,0,12"));
      for (const char* options : {"", " --hu"}) {
        const Answer said = cli("compare " + file + " --json --roi 0,0,12" + options);
        EXPECT_DONE(said);
        const QJsonObject report = QJsonDocument::fromJson(said.output.toUtf8()).object();
        const double water = report["mu_water"].toDouble();
        EXPECT_NEAR(water, 0.016, 0.0004);
        EXPECT_NEAR(report["regions"]["roi"]["mean"].toDouble() / water, 1, 1e-5);
      }
      EXPECT_DONE(cli("convert " + file + " again.mha --hu"));
      const PlainVolume again = read_plain(path("again.mha"));
      EXPECT_NEAR(in_circle(again, 0, 0, 12).mean, 0, 0.01);
      EXPECT_DONE(cli("convert " + file + " other.mha --hu --mu-water 0.02"));
      EXPECT_NEAR(in_circle(read_plain(path("other.mha")), 0, 0, 12).mean, -200, 20);
    }
  }

  void measuredAirBecomesMinus1000() {
    EXPECT_DONE(cli("convert mu.mha both.mha --water 0,0,12 --air 80,0,10"));
    const PlainVolume mu = read_plain(path("mu.mha")), hu = read_plain(path("both.mha"));
    const double water = in_circle(mu, 0, 0, 12).mean, air = in_circle(mu, 80, 0, 10).mean;
    EXPECT_NEAR(in_circle(hu, 80, 0, 10).mean, -1000, 0.01);
    for (std::size_t i = 0; i < mu.values.size(); ++i)
      EXPECT_NEAR(hu.values[i], 1000 * ((mu.values[i] - air) / (water - air) - 1), 0.02);
  }

  void whatIsNoWaterIsRefused() {
    const auto refused = [&](const QString& options, int code, const char* message) {
      const Answer answer = cli("convert mu.mha no.mha " + options);
      return answer.code == code && answer.error_lines().size() == 1 &&
             answer.errors.contains(message) && !QFile::exists(path("no.mha"));
    };
    QVERIFY(refused("--water 900,0,5", 2, "holds no voxel of the volume"));
    QVERIFY(refused("--water 80,0,10 --air 0,0,12", 2, "attenuates no more than air"));
    QVERIFY(refused("--water nonsense", 2, "is no region"));
    QVERIFY(refused("--air 0,0,12", 2, "--water"));
  }

  /// An imported scan keeps the attenuation of water, and what is made of the scan does too.
  void scansKeepWater() {
    const std::vector<float> p(std::size_t{8} * 24, 0.3F);
    write_file(path("p.npy").toStdString(), npy("<f4", "(8, 24)", little_endian(std::span(p))));
    const Answer imported =
        cli("import p.npy --line-integrals --arc 180 --centre 11.5 --mu-water "
            "0.0193 --out i.scan.json");
    QVERIFY2(imported.code == 0, imported.text().constData());
    const Answer info = cli("info i.scan.json");
    QVERIFY2(info.output.contains("water: 0.0193 1/mm"), info.text().constData());
    const Answer simulated =
        cli("simulate --phantom orientation --mu-water 0.0193 --out o.scan.json");
    QVERIFY2(simulated.code == 0, simulated.text().constData());
    QVERIFY(bytes_of_file(path("o.scan.json")).contains("\"mu_water\": 0.0193"));
    const Answer aligned = cli("align o.scan.json --out a.scan.json");
    QVERIFY2(aligned.code == 0, aligned.text().constData());
    QVERIFY(bytes_of_file(path("a.scan.json")).contains("\"mu_water\": 0.0193"));
  }
};

GANTRY_TEST(TestCliWater)
#include "test_cli_water.moc"
