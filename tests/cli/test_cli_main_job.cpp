// From nothing to a result, as somebody at a terminal would go: simulate, look, reconstruct,
// compare, convert, run an experiment, list.
#include "tests/cli/command.hpp"
#include "tests/cli/plain_volume.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace gantry::test;

namespace {

/// A scan of a head of 230 mm that takes a moment.
constexpr const char* geometry = R"({"beam": "fan", "detector": "flat",
  "source_to_isocenter_mm": 500, "source_to_detector_mm": 750, "detector_columns": 160,
  "column_pitch_mm": 2.4, "view_angles_deg": {"first": 0, "step": 2, "count": 180}})";

constexpr const char* experiment =
    R"({"format": "gantry-experiment", "version": 1, "title": "two ways",
  "source": {"kind": "scan", "path": "head.scan.json"},
  "grid": {"size": [128, 128, 1], "spacing_mm": [2, 2, 2.4]},
  "runs": [{"name": "calm", "solver": "sirt", "iterations": 4},
           {"name": "quick", "iterations": 2,
            "solver": {"key": "sart", "params": {"relaxation": 0.4}}}]})";

const QString grid = " --grid 128,128 --voxel 2 ";

}  // namespace

class TestCliMainJob : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString path(const QString& name) const { return folder_.filePath(name); }
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }
  void put(const QString& name, const QByteArray& bytes) const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }

  QJsonObject metrics(const QString& a, const QString& mask) const {
    const Answer answer = cli("compare " + a + " truth.mha --json --mask " + mask);
    return QJsonDocument::fromJson(answer.output.toUtf8()).object();
  }

 private slots:
  /// The scan and the truth that all the rest starts from.
  void initTestCase() {
    put("geometry.json", geometry);
    put("head.json", experiment);
    const Answer answer =
        cli("simulate --phantom shepp_logan --geometry geometry.json --photons 1e6 --seed 7 "
            "--out head.scan.json --truth all.mha");
    EXPECT_DONE(answer);
    QCOMPARE(QFileInfo(path("head.f32")).size(), 180 * 160 * 4);
    // the truth on the grid of the reconstructions
    const Answer truth =
        cli("simulate --phantom shepp_logan --geometry geometry.json --out exact.scan.json");
    EXPECT_DONE(truth);
    EXPECT_DONE(
        cli("reconstruct exact.scan.json --solver sart --iterations 20 --out truth.mha" + grid));
  }

  void noiseIsThatOfTheSeed() {
    const QString simulate =
        "simulate --phantom shepp_logan --geometry geometry.json --photons 1e6 --out "
        "again.scan.json --seed ";
    EXPECT_DONE(cli(simulate + "7"));
    QCOMPARE(bytes_of_file(path("again.f32")), bytes_of_file(path("head.f32")));
    EXPECT_DONE(cli(simulate + "8"));
    QVERIFY(bytes_of_file(path("again.f32")) != bytes_of_file(path("head.f32")));
    // Poisson noise of n photons through a line integral p has a deviation of exp(p/2)/sqrt(n)
    const std::vector<float> noisy = floats_in(bytes_of_file(path("head.f32"))),
                             exact = floats_in(bytes_of_file(path("exact.f32")));
    double sum = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      sum += std::pow(noisy[i] - exact[i], 2) * 1e6 * std::exp(-static_cast<double>(exact[i]));
    EXPECT_NEAR(sum / static_cast<double>(exact.size()), 1, 0.05);
  }

  void infoSaysWhatThereIs() {
    Answer answer = cli("info head.scan.json");
    EXPECT_DONE(answer);
    for (const char* part : {"fan flat, 180 views x 160 cells of 2.4 mm",
                             "source to isocentre 500 mm, to detector 750 mm",
                             "angles 0 to 358 degrees, central column 79.5", "Shepp-Logan",
                             "1e+06 photons per ray, seed 7"})
      QVERIFY2(answer.output.contains(part), answer.text().constData());
    // the outermost ray: 80 cells of 2.4 mm at 750 mm, seen from 500 mm
    const double radius = 500 * std::sin(std::atan(80 * 2.4 / 750));
    QVERIFY2(answer.output.contains(QString("field of view radius %1").arg(radius, 0, 'f', 3)),
             answer.text().constData());
    answer = cli("info truth.mha");
    EXPECT_DONE(answer);
    QVERIFY2(answer.output.contains("128 x 128 of 2 mm") &&
                 answer.output.contains("x -128 to 128, y -128 to 128"),
             answer.text().constData());
    answer = cli("info head.json");
    EXPECT_DONE(answer);
    QVERIFY2(answer.output.contains("two ways") &&
                 answer.output.contains("quick: SART, 2 iterations, nonnegative true"),
             answer.text().constData());
  }

  void reconstructionsComeNearTheTruth_data() {
    QTest::addColumn<QString>("options");
    QTest::newRow("sirt") << "--solver sirt --iterations 60 --set solver.relaxation=1.9";
    QTest::newRow("sart") << "--solver sart --iterations 5 --set solver.relaxation=0.3";
    QTest::newRow("os_sart") << "--solver os_sart --iterations 8 --set solver.subsets=20";
    QTest::newRow("cgls") << "--solver cgls --iterations 12";
    QTest::newRow("siddon")
        << "--solver sart --projector siddon --iterations 5 --set solver.relaxation=0.3";
    QTest::newRow("fbp") << "--solver fbp --set solver.window=hann";
  }
  void reconstructionsComeNearTheTruth() {
    QFETCH(QString, options);
    const Answer answer =
        cli("reconstruct head.scan.json --out a.mha --log a.csv --reference truth.mha " + options +
            grid);
    EXPECT_DONE(answer);
    const PlainVolume a = read_plain(path("a.mha")), truth = read_plain(path("truth.mha"));
    QCOMPARE(a.nx, 128);
    QCOMPARE(a.dx_mm, 2.0);
    QCOMPARE(a.x0_mm, -127.0);
    const double radius_mm = 110, rmse = rmse_in_circle(a, truth, radius_mm);
    double size = 0;
    for (const float value : truth.values) size = std::max<double>(size, value);
    // the skull is a pixel wide and differs most
    QVERIFY2(rmse < 0.07 * size, qPrintable(QString("RMSE %1, skull %2").arg(rmse).arg(size)));
    const QJsonObject compared = metrics("a.mha", "110");
    EXPECT_NEAR(compared["rmse"].toDouble(), rmse, 1e-6 * rmse);
    QVERIFY(compared["ssim"].toDouble() > 0.6 && compared["ssim"].toDouble() < 1);
  }

  void likelihoodMethodsTellWhatTheyMadeOfTheData() {
    for (const char* solver : {"mlem --iterations 40", "osem --iterations 6"}) {
      const Answer answer =
          cli(QString("reconstruct head.scan.json --out a.mha --solver ") + solver + grid);
      QCOMPARE(answer.code, 0);
      QCOMPARE(answer.error_lines().size(), 1);
      const std::vector<float> data = floats_in(bytes_of_file(path("head.f32")));
      const auto negative = std::ranges::count_if(data, [](float p) { return p < 0; });
      QVERIFY2(answer.errors.startsWith("note: ") &&
                   answer.errors.contains(QString(": %1 of %2 line integrals are below zero")
                                              .arg(negative)
                                              .arg(data.size())),
               answer.text().constData());
      QVERIFY(rmse_in_circle(read_plain(path("a.mha")), read_plain(path("truth.mha")), 110) <
              0.004);
    }
  }

  void aRunStopsAtTheNoise() {
    const Answer simulated =
        cli("simulate --phantom shepp_logan --geometry geometry.json --photons 1e4 --seed 7 "
            "--out grainy.scan.json");
    EXPECT_DONE(simulated);
    const QString norm = simulated.output.section("norm of the noise: ", 1).section('\n', 0, 0);
    const std::vector<float> exact = floats_in(bytes_of_file(path("exact.f32"))),
                             noisy = floats_in(bytes_of_file(path("grainy.f32")));
    double square = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) square += std::pow(noisy[i] - exact[i], 2);
    EXPECT_NEAR(norm.toDouble(), std::sqrt(square), 1e-3 * std::sqrt(square));
    const auto reconstruct = [&](const QString& rule) {
      const Answer answer = cli(
          "reconstruct grainy.scan.json --solver cgls --iterations 90 --out a.mha " + rule + grid);
      [&] { EXPECT_DONE(answer); }();
      return answer.output;
    };
    const QString at_noise = reconstruct("--stop-at-noise 1.05 --noise-norm " + norm);
    QVERIFY2(at_noise.contains(": stopped at the noise level: "), qPrintable(at_noise));
    QVERIFY(!at_noise.contains("iteration 90"));
    const QString at_residual = reconstruct("--stop-at-residual 0.2");
    QVERIFY2(at_residual.contains(": stopped at the residual: it fell below"),
             qPrintable(at_residual));
    const QString at_update = reconstruct("--stop-at-update 0.1");
    QVERIFY2(at_update.contains(": converged: the update fell below"), qPrintable(at_update));
  }

  /// Means, noise and their ratio as this test takes them from the file itself.
  void placesAreMeasuredWithoutAReference() {
    EXPECT_DONE(
        cli("reconstruct head.scan.json --solver sirt --set solver.relaxation=1.9 --iterations 6 "
            "--out places.mha "
            "--roi 0,-20,12 --background=-30,10,-6,34 --edge 60,0,110,0 --log places.csv" +
            grid));
    const QStringList lines =
        QString::fromUtf8(bytes_of_file(path("places.csv"))).split('\n', Qt::SkipEmptyParts);
    const QStringList header = lines[lines.size() - 7].split(','), last = lines.back().split(',');
    QVERIFY2(header.contains("cnr") && header.contains("edge_width") && !header.contains("rmse"),
             qPrintable(header.join(' ')));
    const Answer answer =
        cli("compare places.mha --roi 0,-20,12 --background=-30,10,-6,34 "
            "--edge 60,0,110,0 --json");
    EXPECT_DONE(answer);
    const QJsonObject json = QJsonDocument::fromJson(answer.output.toUtf8()).object();
    const PlainVolume v = read_plain(path("places.mha"));
    std::vector<double> roi, background;
    for (int iy = 0; iy < v.ny; ++iy)
      for (int ix = 0; ix < v.nx; ++ix) {
        const double x = v.x0_mm + 2 * ix, y = v.x0_mm + 2 * iy;
        const float value = v.values[static_cast<std::size_t>(iy * v.nx + ix)];
        if (std::hypot(x, y + 20) <= 12) roi.push_back(value);
        if (x >= -30 && x <= -6 && y >= 10 && y <= 34) background.push_back(value);
      }
    const auto mean = [](const std::vector<double>& values) {
      double sum = 0;
      for (const double value : values) sum += value;
      return sum / static_cast<double>(values.size());
    };
    double squares = 0;
    for (const double value : background) squares += std::pow(value - mean(background), 2);
    const double sigma = std::sqrt(squares / static_cast<double>(background.size() - 1));
    EXPECT_NEAR(json["cnr"].toDouble() * sigma / std::abs(mean(roi) - mean(background)), 1, 1e-6);
    EXPECT_NEAR(last[header.indexOf("cnr") - header.size() + last.size()].toDouble() /
                    json["cnr"].toDouble(),
                1, 1e-6);
    const QJsonObject regions = json["regions"].toObject();
    QCOMPARE(regions["roi"].toObject()["voxels"].toInt(), static_cast<int>(roi.size()));
    EXPECT_NEAR(regions["background"].toObject()["deviation"].toDouble() / sigma, 1, 1e-6);
    QVERIFY(json["edge_width"].toDouble() > 1 && json["edge_width"].toDouble() < 15);
    const Answer flat = cli("compare places.mha --edge 0,0,5,0");
    QCOMPARE(flat.code, 0);
    QVERIFY2(flat.output.contains("no edge stands out"), flat.text().constData());
  }

  /// The metrics inside a region are those of the region's own voxels.
  void aRegionCanBeTheMask() {
    EXPECT_DONE(cli("reconstruct head.scan.json --solver sirt --iterations 3 --out a.mha" + grid));
    const Answer answer = cli("compare a.mha truth.mha --mask roi --roi=-20,-20,20,20 --json");
    EXPECT_DONE(answer);
    const QJsonObject json = QJsonDocument::fromJson(answer.output.toUtf8()).object();
    const PlainVolume a = read_plain(path("a.mha")), b = read_plain(path("truth.mha"));
    double squares = 0, n = 0;
    for (int iy = 54; iy < 74; ++iy)
      for (int ix = 54; ix < 74; ++ix, ++n) {
        const auto i = static_cast<std::size_t>(iy * 128 + ix);
        squares += std::pow(static_cast<double>(a.values[i]) - b.values[i], 2);
      }
    EXPECT_NEAR(json["rmse"].toDouble() / std::sqrt(squares / n), 1, 1e-6);
  }

  /// Counts hold the same measurement as line integrals.
  void countsAreAnotherWayToWriteAScan() {
    EXPECT_DONE(
        cli("simulate --phantom shepp_logan --geometry geometry.json --photons 1e6 --seed 7 "
            "--counts --out counts.scan.json"));
    const std::vector<float> counts = floats_in(bytes_of_file(path("counts.f32"))),
                             integrals = floats_in(bytes_of_file(path("head.f32")));
    QCOMPARE(counts.size(), integrals.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      EXPECT_NEAR(counts[i] / (1e6 * std::exp(-static_cast<double>(integrals[i]))), 1, 1e-6);
    }
    EXPECT_DONE(cli("reconstruct head.scan.json --solver sirt --iterations 2 --out a.mha" + grid));
    EXPECT_DONE(
        cli("reconstruct counts.scan.json --solver sirt --iterations 2 --out b.mha" + grid));
    const PlainVolume a = read_plain(path("a.mha")), b = read_plain(path("b.mha"));
    QVERIFY(rmse_in_circle(a, b, 1000) < 1e-6);
  }

  void huSayTheirWater() {
    const Answer answer = cli("convert truth.mha water.mha --hu --mu-water 0.021");
    QVERIFY2(answer.output.contains("water.mha in HU of water at 0.021 1/mm"),
             answer.text().constData());
    QVERIFY(bytes_of_file(path("water.mha")).contains("values in HU, water 0.021 1/mm"));
    const Answer info = cli("info water.mha --hu --mu-water 0.021");
    EXPECT_DONE(info);
    QVERIFY2(info.output.contains("from HU with water at 0.021 1/mm"), info.text().constData());
    const Answer compared = cli("compare water.mha water.mha --hu --mu-water 0.021");
    QVERIFY2(compared.output.contains("from HU with water at 0.021 1/mm"),
             compared.text().constData());
  }

  void theLogHoldsWhatWasMeasured() {
    EXPECT_DONE(
        cli("reconstruct head.scan.json --solver sirt --iterations 6 --out a.mha --log a.csv "
            "--reference truth.mha" +
            grid));
    const QStringList lines =
        QString::fromUtf8(bytes_of_file(path("a.csv"))).split('\n', Qt::SkipEmptyParts);
    QStringList header, last;
    int rows = 0;
    for (const QString& line : lines) {
      if (line.startsWith('#')) continue;
      if (header.isEmpty()) {
        header = line.split(',');
        continue;
      }
      last = line.split(',');
      ++rows;
    }
    QCOMPARE(rows, 6);
    // counted from the end: the run's name holds a comma
    const auto from_end = header.size() - header.indexOf("rmse");
    QVERIFY2(header.contains("rmse") && from_end <= last.size(), qPrintable(header.join(' ')));
    // measured inside the field of view
    const double radius_mm = 500 * std::sin(std::atan(80 * 2.4 / 750));
    const double expected =
        rmse_in_circle(read_plain(path("a.mha")), read_plain(path("truth.mha")), radius_mm);
    EXPECT_NEAR(last[last.size() - from_end].toDouble(), expected, 1e-4 * expected);
  }

  void conversionsKeepEveryValue() {
    const QByteArray values = bytes_of_file(path("truth.mha")).right(128 * 128 * 4);
    EXPECT_DONE(cli("convert truth.mha b.mhd"));
    QCOMPARE(bytes_of_file(path("b.raw")), values);
    EXPECT_DONE(cli("convert b.raw c.mha"));
    QCOMPARE(bytes_of_file(path("c.mha")), bytes_of_file(path("truth.mha")));
    EXPECT_DONE(cli("convert c.mha d.raw"));
    QCOMPARE(bytes_of_file(path("d.raw")), values);
    QVERIFY(QFile::exists(path("d.mhd")));
  }

  void huStayHu() {
    const Answer answer = cli("convert truth.mha hu.mha --hu");  // taken as HU, written as HU
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.startsWith("note: ") && answer.errors.contains("were taken as HU"),
             answer.text().constData());
    const PlainVolume in = read_plain(path("truth.mha")), out = read_plain(path("hu.mha"));
    QVERIFY(!in.values.empty() && in.values.size() == out.values.size());
    for (std::size_t i = 0; i < in.values.size(); ++i)
      QVERIFY(std::abs(out.values[i] - in.values[i]) < 1e-3);
    EXPECT_DONE(cli("convert truth.mha scaled.mha --mu-water 0.03"));  // of no account without HU
    QCOMPARE(read_plain(path("scaled.mha")).values, in.values);
  }

  void anExperimentRunsLikeItsPartsByHand() {
    const Answer answer = cli("run head.json --out results");
    EXPECT_DONE(answer);
    const QStringList files = QDir(path("results")).entryList(QDir::Files, QDir::Name);
    QCOMPARE(files, QStringList({"calm.mha", "curves.csv", "quick.mha"}));
    EXPECT_DONE(
        cli("reconstruct head.scan.json --solver sirt --iterations 4 --out calm.mha" + grid));
    QCOMPARE(bytes_of_file(path("results/calm.mha")), bytes_of_file(path("calm.mha")));
    EXPECT_DONE(
        cli("reconstruct head.scan.json --solver sart --set solver.relaxation=0.4 --iterations 2 "
            "--out quick.mha" +
            grid));
    QCOMPARE(bytes_of_file(path("results/quick.mha")), bytes_of_file(path("quick.mha")));
  }

  /// A run in two stages begins as the first alone, and goes on otherwise; the curves say where.
  void aRunWithStagesIsRepeated() {
    const auto runs = [](const QByteArray& of) {
      QByteArray text(experiment);
      const auto from = text.indexOf("\"runs\"");
      return text.left(from) + "\"runs\": [" + of + "]}";
    };
    const QByteArray quick =
        R"({"name": "a", "solver": {"key": "sart", "params": {"relaxation": 0.4}}, "iterations": 2})";
    put("alone.json", runs(quick));
    put("staged.json",
        runs(R"({"name": "a", "solver": "sirt", "iterations": 4, "stages": [{"until_iteration": 2,
                 "solver": {"key": "sart", "params": {"relaxation": 0.4}}}]})"));
    EXPECT_DONE(cli("run alone.json --out alone"));
    EXPECT_DONE(cli("run staged.json --out staged"));
    EXPECT_DONE(cli("run staged.json --out first --iterations 2"));
    QCOMPARE(bytes_of_file(path("first/a.mha")), bytes_of_file(path("alone/a.mha")));
    QVERIFY(bytes_of_file(path("staged/a.mha")) != bytes_of_file(path("alone/a.mha")));
    const auto lines = [&](const QString& file) {
      QStringList found;
      for (const QString& line : QString::fromUtf8(bytes_of_file(path(file))).split('\n'))
        if (line.startsWith("a,")) found << line;
      return found;
    };
    const QStringList two = lines("staged/curves.csv"), one = lines("alone/curves.csv");
    QCOMPARE(two.size(), 4);
    for (int i = 0; i < 4; ++i) {
      const QStringList fields = two[i].split(',');
      QCOMPARE(fields[7], QString(i < 2 ? "1" : "2"));
      if (i < 2) QCOMPARE(fields[4], one[i].split(',')[4]);  // the residual
    }
    const QString curves = QString::fromUtf8(bytes_of_file(path("staged/curves.csv")));
    QVERIFY(curves.contains("SART, iterations 1 to 2, ") &&
            curves.contains("; then SIRT, iterations 3 to 4, "));
  }

  void oneFailedRunLeavesTheOthersAlone() {
    put("half.json",
        QByteArray(experiment)
            .replace("\"name\": \"calm\"", "\"name\": \"calm\", \"backend\": \"abacus\""));
    const Answer answer = cli("run half.json --out half");
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.startsWith("gantry-cli: calm: ") && answer.errors.contains("abacus"),
             answer.text().constData());
    QVERIFY(QFile::exists(path("half/quick.mha")) && !QFile::exists(path("half/calm.mha")));
  }

  /// The edge field of a prior that has one is written; other priors are refused before the run.
  void theEdgeFieldIsWritten() {
    const Answer answer =
        cli("reconstruct exact.scan.json --solver wls_pcg --prior mumford_shah "
            "--iterations 3 --out edged.mha --edges edges.mha --log edged.csv" +
            grid);
    QVERIFY2(answer.code == 0, answer.text().constData());
    const PlainVolume v = read_plain(path("edges.mha"));
    QCOMPARE(v.nx, 128);
    QVERIFY(std::ranges::all_of(v.values, [](float edge) { return edge > 0 && edge <= 1; }));
    QVERIFY(std::ranges::min(v.values) < 0.5F);
    QVERIFY(bytes_of_file(path("edges.mha")).contains("Comment = values without a unit"));
    QVERIFY(bytes_of_file(path("edged.mha")).contains("Comment = values in 1/mm"));
    const QString curves = QString::fromUtf8(bytes_of_file(path("edged.csv")));
    QVERIFY(curves.contains("update_norm,data_term,penalty"));
    const QString run =
        "reconstruct exact.scan.json --solver wls_pcg --prior mumford_shah "
        "--iterations 3 --out again.mha --checkpoint whole" +
        grid;
    QCOMPARE(cli(run).code, 0);
    const Answer resumed = cli(run + " --resume whole --edges again_edges.mha");
    QCOMPARE(resumed.code, 0);
    QVERIFY2(resumed.text().contains("again_edges.mha was not written"),
             resumed.text().constData());
    const Answer without =
        cli("reconstruct exact.scan.json --solver wls_pcg --iterations 3 "
            "--out other.mha --edges none.mha");
    QCOMPARE(without.code, 2);
    QVERIFY2(without.errors.contains("mumford_shah"), qPrintable(without.errors));
    QVERIFY(!QFile::exists(path("none.mha")) && !QFile::exists(path("other.mha")));
    const Answer in_hu =
        cli("reconstruct exact.scan.json --solver wls_pcg --prior mumford_shah "
            "--iterations 3 --out other.mha --edges series");
    QCOMPARE(in_hu.code, 2);
    QVERIFY2(in_hu.errors.contains("--edges"), qPrintable(in_hu.errors));
  }

  void listNamesWhatCanBeUsed() {
    const Answer all = cli("list");
    EXPECT_DONE(all);
    for (const char* kind : {"projectors", "solvers", "metrics", "phantoms", "backends"}) {
      const Answer one = cli(QString("list ") + kind);
      EXPECT_DONE(one);
      QVERIFY(one.output.startsWith(QString(kind) + '\n'));
      QVERIFY(all.output.contains(one.output));
    }
    for (const char* key :
         {"\n  sirt ", "\n  distance_driven ", "\n  shepp_logan ", "\n  cpu ", "relaxation = "})
      QVERIFY2(all.output.contains(key), key);
  }

  /// What only repeats a published comparison is listed on request.
  void listLeavesOutWhatIsKeptForComparison() {
    const Answer usual = cli("list formats"), all = cli("list formats --all");
    EXPECT_DONE(usual);
    EXPECT_DONE(all);
    for (const char* key : {"\n  csr5 ", "\n  brc "}) {
      QVERIFY2(!usual.output.contains(key), key);
      QVERIFY2(all.output.contains(key), key);
    }
    QVERIFY(usual.output.contains("\n  csr ") && all.output.contains("kept for comparison"));
    QVERIFY(all.output.contains("Vazquez et al. 2010"));
  }
};

GANTRY_TEST(TestCliMainJob)
#include "test_cli_main_job.moc"
