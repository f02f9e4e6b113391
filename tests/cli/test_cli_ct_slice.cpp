// A clinical slice all the way: DICOM to a simulated scan, reconstruction, DICOM again; judged by
// pydicom and dciodvfy.
#include "tests/cli/command.hpp"
#include "tests/cli/plain_volume.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QDir>
#include <QJsonArray>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace gantry::test;

namespace {

constexpr const char* series = "ct_philips_phantom_axial";
constexpr int slice = 14;
constexpr double pixel_mm = 0.451171875, mu_water = 0.02;

double hu(double mu) { return 1000 * (mu - mu_water) / mu_water; }

/// The largest |difference(i)|; a NaN counts as infinite.
template <class Difference>
double largest(std::size_t count, const Difference& difference) {
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double size = std::abs(difference(i));
    worst = size <= worst ? worst : std::isnan(size) ? INFINITY : size;
  }
  return worst;
}

/// What pydicom sees.
struct Seen {
  QJsonObject header;
  std::vector<double> hu;  ///< [z][y][x]

  std::vector<double> position(int z) const {
    std::vector<double> p;
    for (const QJsonValue& v : header["positions"].toArray()[z].toArray())
      p.push_back(v.toDouble());
    return p;
  }
  double spacing(int axis) const { return header["pixel_spacing"].toArray()[axis].toDouble(); }
};

}  // namespace

class TestCliCtSlice : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString path(const QString& name) const { return folder_.filePath(name); }
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }

  Seen see(const QString& python, const QString& folder) const {
    const QString script = QStringLiteral(GANTRY_SOURCE_DIR) + "/tests/oracles/read_dicom.py";
    const Answer answer =
        run_program(python, {script, path(folder), path("hu.f64")}, folder_.path());
    if (answer.code != 0) qWarning("%s", answer.text().constData());
    const QByteArray bytes = bytes_of_file(path("hu.f64"));
    Seen seen{QJsonDocument::fromJson(answer.output.toUtf8()).object(), {}};
    seen.hu.resize(static_cast<std::size_t>(bytes.size()) / sizeof(double));
    std::memcpy(seen.hu.data(), bytes.constData(), seen.hu.size() * sizeof(double));
    return seen;
  }

 private slots:
  /// Truth, scan and reconstruction.
  void initTestCase() {
    NEED_DATA(series);
    const QDir source(QString::fromStdString(data_path(series)));
    QVERIFY(QDir(folder_.path()).mkdir("original"));
    for (const QString& name :
         source.entryList({"*.dcm"}, QDir::Files))  // a folder without words beside
      QVERIFY(QFile::copy(source.filePath(name), path("original/" + name)));
    EXPECT_DONE(cli(QString("simulate --volume original --slice %1 --photons 1e5 --out "
                            "ct.scan.json --truth truth_dicom")
                        .arg(slice)));
    EXPECT_DONE(cli("convert truth_dicom truth.mha"));
    EXPECT_DONE(cli(QString("reconstruct ct.scan.json --solver sart --iterations 2 --grid 512,512 "
                            "--voxel %1 --out result.mha")
                        .arg(pixel_mm, 0, 'g', 17)));
    EXPECT_DONE(cli("convert result.mha result_dicom"));
    // A scan whose tube current is modulated, and of which one slice does not say all.
    QVERIFY(QDir(folder_.path()).mkdir("modulated"));
    for (int i = 0; i < 3; ++i) {
      TinyDicom image;
      image.at(2 * i, i)
          .text(0x00180060, "DS", "120")
          .text(0x00200012, "IS", std::to_string(7 + i));
      image.text(0x00181151, "IS", std::to_string(100 + 50 * i));
      if (i != 1)
        image.text(0x00181150, "IS", "500").text(0x00181152, "IS", std::to_string(50 + i));
      image.save(path(QString("modulated/%1.dcm").arg(i)));
    }
    EXPECT_DONE(cli("convert modulated modulated_copy"));
  }

  void aConversionKeepsHowEachSliceWasTaken() {
    const QString python = python_with("numpy, pydicom");
    if (python.isEmpty()) QSKIP("there is no Python with pydicom");
    const QJsonArray expected = {QJsonArray{"120", "7", "500", "100", "50"},
                                 QJsonArray{"120", "8", "", "150", ""},
                                 QJsonArray{"120", "9", "500", "200", "52"}};
    const QJsonArray kept = see(python, "modulated_copy").header["slices"].toArray();
    QVERIFY2(kept == expected, QJsonDocument(kept).toJson().constData());
  }

  void theResultIsNearTheTruth() {
    const Answer answer = cli("compare result.mha truth.mha --mask 110");
    // The truth keeps its place in the patient, the result lies about the axis.
    QVERIFY2(answer.code == 0 && answer.errors.startsWith("note: the volumes lie "),
             answer.text().constData());
    QVERIFY2(answer.output.contains("RMSE  ") && answer.output.contains("SSIM  "),
             answer.text().constData());
    const QJsonObject metrics =
        QJsonDocument::fromJson(
            cli("compare result.mha truth.mha --mask 110 --json").output.toUtf8())
            .object();
    const double rmse =
        rmse_in_circle(read_plain(path("result.mha")), read_plain(path("truth.mha")), 110);
    EXPECT_NEAR(metrics["rmse"].toDouble(), rmse, 1e-6 * rmse);
    QVERIFY2(rmse < 0.02 * mu_water, qPrintable(QString::number(rmse)));
    QVERIFY(metrics["ssim"].toDouble() > 0.95);
  }

  void dicomGivesBackTheResult() {
    EXPECT_DONE(cli("convert result_dicom back.mha"));
    const PlainVolume result = read_plain(path("result.mha")), back = read_plain(path("back.mha"));
    QCOMPARE(back.values.size(), result.values.size());
    EXPECT_NEAR(back.dx_mm, pixel_mm, 1e-12);
    EXPECT_NEAR(back.dy_mm, pixel_mm, 1e-12);
    EXPECT_NEAR(back.x0_mm, result.x0_mm, 1e-9);
    EXPECT_NEAR(back.y0_mm, result.y0_mm, 1e-9);
    const auto worst_hu = largest(back.values.size(), [&](std::size_t i) {
      return hu(back.values[i]) - hu(result.values[i]);
    });
    QVERIFY2(worst_hu <= 0.501, qPrintable(QString::number(worst_hu)));
  }

  void pydicomSeesTheSliceWhereItWas() {
    const QString python = python_with("numpy, pydicom");
    if (python.isEmpty()) QSKIP("there is no Python with pydicom");
    const Seen original = see(python, "original"), truth = see(python, "truth_dicom");
    const std::size_t pixels = 512 * 512;
    QCOMPARE(original.hu.size(), 28 * pixels);
    QCOMPARE(truth.hu.size(), pixels);
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(truth.position(0)[axis], original.position(slice)[axis], 1e-6);
    for (const int axis : {0, 1}) EXPECT_NEAR(truth.spacing(axis), original.spacing(axis), 1e-9);
    QCOMPARE(truth.header["orientation"], original.header["orientation"]);
    for (const char* name : {"PatientName", "PatientID", "StudyInstanceUID", "FrameOfReferenceUID"})
      QCOMPARE(truth.header["text"].toObject()[name], original.header["text"].toObject()[name]);
    const auto worst_hu = largest(pixels, [&](std::size_t i) {
      return truth.hu[i] - std::max(original.hu[slice * pixels + i], -1000.0);  // a vacuum at least
    });
    QVERIFY2(worst_hu <= 0.5, qPrintable(QString::number(worst_hu)));
  }

  void pydicomReadsTheResultAsWeDo() {
    const QString python = python_with("numpy, pydicom");
    if (python.isEmpty()) QSKIP("there is no Python with pydicom");
    const Seen seen = see(python, "result_dicom");
    const PlainVolume result = read_plain(path("result.mha"));
    QCOMPARE(seen.hu.size(), result.values.size());
    const auto worst_hu =
        largest(seen.hu.size(), [&](std::size_t i) { return seen.hu[i] - hu(result.values[i]); });
    QVERIFY2(worst_hu <= 0.501, qPrintable(QString::number(worst_hu)));
    for (const int axis : {0, 1}) EXPECT_NEAR(seen.spacing(axis), pixel_mm, 1e-9);
    EXPECT_NEAR(seen.position(0)[0], result.x0_mm, 1e-6);
    EXPECT_NEAR(seen.position(0)[1], result.y0_mm, 1e-6);
  }

  void dciodvfyFindsNoError() {
    if (QStandardPaths::findExecutable("dciodvfy").isEmpty()) QSKIP("dciodvfy is not installed");
    for (const char* folder : {"truth_dicom", "result_dicom", "modulated_copy"}) {
      const Answer answer = run_program(
          "dciodvfy", {"-new", path(QString(folder) + "/slice_0001.dcm")}, folder_.path());
      const QString all = answer.output + answer.errors;
      QVERIFY2(all.contains("CTImage"), qPrintable(all));  // it did understand the file
      QVERIFY2(!all.contains("Error"), qPrintable(all));
    }
  }
};

GANTRY_TEST(TestCliCtSlice)
#include "test_cli_ct_slice.moc"
