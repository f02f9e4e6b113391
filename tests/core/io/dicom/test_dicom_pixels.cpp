// Decoded stored values against what GDCM or DCMTK's own tools decoded (expected.json).
#include "core/base/error.hpp"
#include "core/io/dicom/pixels/dicom_pixels.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QCryptographicHash>

using namespace gantry;
using namespace gantry::test;

namespace {

std::vector<std::int32_t> read_all(const std::string& path) {
  const DicomPixels pixels(path);
  const std::size_t size = pixels.format().frame_size();
  std::vector<std::int32_t> all;
  for (int frame = 0; frame < pixels.format().frames; ++frame) {
    std::vector<std::int32_t> values(size);
    pixels.read(frame, values);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

QString sha256(const std::vector<std::int32_t>& values) {
  const QByteArray bytes(reinterpret_cast<const char*>(values.data()),
                         static_cast<qsizetype>(values.size() * sizeof(std::int32_t)));
  return QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
}

/// The decoder of lossy JPEG and JPEG 2000 may round otherwise than the reference.
bool is_lossy(const QString& syntax) {
  const QStringList lossy = {"50", "51", "53", "55", "91"};
  return syntax.startsWith("1.2.840.10008.1.2.4.") && lossy.contains(syntax.section('.', -1));
}

constexpr const char* folders[] = {
    "ct_bad_series",          "ct_dicomdir_small",        "ct_enhanced_multiframe",
    "ct_odd_single",          "ct_philips_phantom_axial", "ct_philips_phantom_tilt",
    "ct_transfer_syntaxes_ge"};

}  // namespace

class TestDicomPixels : public QObject {
  Q_OBJECT
 private slots:
  void storedValuesAreTheReferenceDecodersOwn_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QJsonObject>("expected");
    int rows = 0;
    for (const char* folder : folders) {
      const QJsonObject all = read_json(std::string(folder) + "/expected.json");
      for (const QString& name : all.keys()) {
        const QJsonObject entry = all[name].toObject();
        if (entry.contains("error") || name.startsWith("no-pixel-spacing")) continue;
        const QString file = QString::fromLatin1(folder) + "/" + name;
        QTest::newRow(qPrintable(file)) << file << entry;
        ++rows;
      }
    }
    if (rows == 0) QSKIP("the reference decoder's values are absent (folder GANTRY_DATA)");
  }
  void storedValuesAreTheReferenceDecodersOwn() {
    QFETCH(QString, file);
    QFETCH(QJsonObject, expected);
    NEED_DATA(file.toStdString());
    const std::vector<std::int32_t> values = read_all(data_path(file.toStdString()));
    const std::size_t count = static_cast<std::size_t>(expected["rows"].toInt()) *
                              static_cast<std::size_t>(expected["cols"].toInt()) *
                              static_cast<std::size_t>(expected["frames"].toInt());
    QCOMPARE(values.size(), count);
    if (!is_lossy(expected["transfer_syntax"].toString()))
      QCOMPARE(sha256(values), expected["sha256_pixels_int32le"].toString());
    const QJsonArray range = expected["stored_min_max_mean"].toArray();
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    double sum = 0;
    for (const std::int32_t value : values) sum += value;
    EXPECT_NEAR(*low, range[0].toDouble(), 1);
    EXPECT_NEAR(*high, range[1].toDouble(), 1);
    EXPECT_NEAR(sum / static_cast<double>(count), range[2].toDouble(), 0.01);
  }

  void lossyEncodingsStayWithinTheirTolerance_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("slope");
    QTest::addColumn<double>("intercept");
    QTest::addColumn<double>("tolerance_hu");
    const double twelve = 2.0002442;
    QTest::newRow("JPEG-LS near lossless")
        << "JPEGLSLossyTransferSyntax_1.2.840.10008.1.2.4.81" << 1.0 << -1024.0 << 1.0;
    QTest::newRow("JPEG 2000") << "JPEG2000TransferSyntax_1.2.840.10008.1.2.4.91" << 1.0 << -1024.0
                               << 5.0;
    QTest::newRow("JPEG 2 & 4") << "JPEGProcess2_4TransferSyntax_1.2.840.10008.1.2.4.51" << twelve
                                << -4047.0 << 35.7;
    QTest::newRow("JPEG 6 & 8") << "JPEGProcess6_8TransferSyntax_1.2.840.10008.1.2.4.53" << twelve
                                << -4047.0 << 35.7;
    QTest::newRow("JPEG 10 & 12") << "JPEGProcess10_12TransferSyntax_1.2.840.10008.1.2.4.55"
                                  << twelve << -4047.0 << 35.7;
    QTest::newRow("JPEG 1, 8 bits")
        << "JPEGProcess1TransferSyntax_1.2.840.10008.1.2.4.50" << 32.1216 << -4047.0 << 64.5;
  }
  void lossyEncodingsStayWithinTheirTolerance() {
    QFETCH(QString, name);
    QFETCH(double, slope);
    QFETCH(double, intercept);
    QFETCH(double, tolerance_hu);
    NEED_DATA("ct_transfer_syntaxes_ge");
    const auto exact = read_all(data_path("ct_transfer_syntaxes_ge/CTImage.dcm"));
    const auto lossy =
        read_all(data_path("ct_transfer_syntaxes_ge/CTImage.dcm_" + name.toStdString() + ".dcm"));
    QCOMPARE(lossy.size(), exact.size());
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      worst = std::max(worst, std::abs(slope * lossy[i] + intercept - (exact[i] - 1024.0)));
    QVERIFY2(worst <= tolerance_hu, qPrintable(QString("off by %1 HU").arg(worst)));
    QVERIFY2(worst > 0.2 * tolerance_hu, "closer than lossy: is this the file that was meant?");
  }

  void bigEndianWithUndefinedLengthsReadsLikeItsTwin() {
    NEED_DATA("ct_odd_single");
    const std::string name = "ct_odd_single/GH177_D_CLUNIE_CT1_IVRLE_BigEndian_";
    QCOMPARE(sha256(read_all(data_path(name + "undefined_length.dcm"))),
             sha256(read_all(data_path(name + "ELE_undefinded_length.dcm"))));
  }

  void colourIsRefused() {
    NEED_DATA("ct_odd_single");
    EXPECT_THROWS(InputError, DicomPixels(data_path("ct_odd_single/no-pixel-spacing.dcm")),
                  "is a colour image (PALETTE COLOR)");
  }

  void frameAndBufferAreChecked() {
    NEED_DATA("ct_enhanced_multiframe");
    const DicomPixels pixels(data_path("ct_enhanced_multiframe/legacy_converted_24x38x3/mf.dcm"));
    QCOMPARE(pixels.format().frames, 3);
    QCOMPARE(pixels.format().rows, 38);
    std::vector<std::int32_t> values(pixels.format().frame_size());
    EXPECT_THROWS(ShapeError, pixels.read(3, values), "frame 3");
    EXPECT_THROWS(ShapeError, pixels.read(0, std::span(values).first(5)), "frame 0");
  }
};

GANTRY_TEST(TestDicomPixels)
#include "test_dicom_pixels.moc"
