// What the command line knows of the objective and of the noise of a run.
#include "core/geometry/default_scan.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/physics/noise.hpp"
#include "tests/cli/command.hpp"
#include "tests/support/catalog_phantoms.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <cmath>
#include <memory>
#include <vector>

using namespace gantry;
using namespace gantry::test;

class TestCliObjective : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<ScanGeometry> geometry_;
  std::vector<float> exact_;

  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }
  std::string path(const char* name) const {
    return folder_.filePath(QLatin1String(name)).toStdString();
  }

 private slots:
  void initTestCase() {
    const auto head = phantom("forbild_head");
    const Vec3 half = head->half_extent_mm();
    ScanSpec spec = default_scan(std::max(half.x, half.y), 0, 96);
    spec.view_angles_rad = angles_from_degrees(0, 4, 90);
    geometry_ = std::make_unique<ScanGeometry>(spec);
    exact_.resize(geometry_->rays());
    project_exactly(*head, *geometry_, 1, exact_);
    write_scan(path("s.scan.json"), *geometry_, exact_, "a head");
  }

  /// Also of methods that do not hold the residual of their image.
  void theLogHoldsTheObjective_data() {
    QTest::addColumn<QString>("method");
    QTest::addColumn<bool>("penalised");
    QTest::newRow("sgd") << QString("sgd --prior huber") << true;
    QTest::newRow("lsqr") << QString("lsqr") << false;
    QTest::newRow("landweber") << QString("landweber") << false;
    QTest::newRow("cg_normal") << QString("cg_normal") << false;
  }
  void theLogHoldsTheObjective() {
    QFETCH(QString, method);
    QFETCH(bool, penalised);
    const Answer done = cli("reconstruct s.scan.json --solver " + method +
                            " --projector siddon --iterations 2 --out o.mha --log o.csv");
    QVERIFY2(done.code == 0, done.text().constData());
    const QStringList lines =
        QString::fromUtf8(bytes_of_file(path("o.csv"))).trimmed().split(QLatin1Char('\n'));
    const QStringList head =
        lines.filter(QStringLiteral("run,iteration")).value(0).split(QLatin1Char(','));
    const QStringList last = lines.back().split(QLatin1Char(','));
    const auto number = [&](const char* column) {
      return last.value(last.size() - head.size() + head.indexOf(QLatin1String(column))).toDouble();
    };
    QVERIFY(head.contains(QStringLiteral("data_term")) && head.contains(QStringLiteral("penalty")));
    EXPECT_NEAR(number("data_term"), 0.5 * std::pow(number("exact_residual_norm"), 2),
                1e-4 * number("data_term"));
    QVERIFY(number("data_term") > 0);
    QCOMPARE(number("penalty") > 0, penalised);
  }

  /// Newton's step of coordinate descent overshoots where the voxels that change together share
  /// many rays: the run fails, or a note says so, and both name what helps.
  void whatHelpsAgainstDivergenceIsNamed() {
    const auto with_start = [&](const char* start) {
      return cli(QStringLiteral("reconstruct s.scan.json --solver icd --projector siddon --grid "
                                "48,48 --iterations 12 --set solver.step=newton --set "
                                "solver.spacing=2 --out n.mha --set solver.start=") +
                 QLatin1String(start));
    };
    const Answer diverged = with_start("fbp"), swings = with_start("zero");
    QCOMPARE(diverged.code, 1);
    QVERIFY2(diverged.error_lines().back().contains(QStringLiteral("the run diverged")),
             diverged.text().constData());
    QVERIFY2(diverged.error_lines().back().contains(QStringLiteral("or solver.step=bound")),
             diverged.text().constData());
    QCOMPARE(swings.code, 0);
    const QStringList notes = swings.error_lines().filter(QStringLiteral(": the objective "));
    QVERIFY2(notes.size() == 1, swings.text().constData());
    QVERIFY2(notes[0].endsWith(QStringLiteral("or solver.step=bound")), swings.text().constData());
  }

  /// The noise of counts is known from the counts, and that of line integrals is not.
  void aRunStopsAtTheNoiseOfCounts() {
    PhotonCounting counting{.photons_per_ray = 1e4};
    std::vector<float> noisy(exact_.size());
    add_transmission_noise(exact_, {.photons_per_ray = 1e4, .seed = 3}, noisy);
    write_scan(path("noisy.scan.json"), *geometry_, noisy, "a head", counting);
    const Answer answer =
        cli("reconstruct noisy.scan.json --solver cgls --iterations 60 --stop-at-noise 1.02 "
            "--out noisy.mha");
    EXPECT_DONE(answer);
    QVERIFY2(answer.output.contains(QStringLiteral("noise")), qPrintable(answer.output));
    QVERIFY2(!answer.output.contains(QStringLiteral("all iterations done")),
             qPrintable(answer.output));
  }

  void statisticalWeightsSayWhatTheyRestOn() {
    const Answer answer = cli(
        "reconstruct s.scan.json --solver cgls --weights statistical --iterations 1 --out x.mha");
    QCOMPARE(answer.code, 0);
    QVERIFY2(answer.errors.contains(QStringLiteral("the number of photons is not known")),
             qPrintable(answer.output + answer.errors));
    write_scan(path("dark.scan.json"), *geometry_, exact_, "a head",
               {.photons_per_ray = 1e4, .electronic_sigma = 1e30});
    const Answer dark =
        cli("reconstruct dark.scan.json --solver cgls --weights statistical --out x.mha");
    QCOMPARE(dark.code, 1);
    QVERIFY2(dark.errors.contains(QStringLiteral("leaves every ray the weight 0")),
             qPrintable(dark.errors));
  }
};

GANTRY_TEST(TestCliObjective)
#include "test_cli_objective.moc"
