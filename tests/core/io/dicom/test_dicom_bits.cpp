// What the header says of the bits of a value against what the pixel data say: the values do not
// depend on which is right, or are refused.
#include "core/base/error.hpp"
#include "core/io/dicom/pixels/jpeg2000.hpp"
#include "core/io/dicom/pixels/stored_bits.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "tests/core/io/dicom/constant_jpeg2000.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QTemporaryDir>

#include <array>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr const char* jpeg_lossless_syntax = "1.2.840.10008.1.2.4.70";

constexpr int sign_and_bits_at = 42;

/// Lossless JPEG of 4 x 3 pixels: all are as predicted, 2^(bits - 1), which takes a bit 0 each.
QByteArray constant_jpeg(int bits) {
  return QByteArray::fromHex("ffd8ffc3000b") + QByteArray(1, static_cast<char>(bits)) +
         QByteArray::fromHex(
             "0003000401011100"
             "ffc40014000100000000000000000000000000000000"
             "ffda0008010100010000000fffd9");
}

TinyDicom bits(int stored, bool is_signed) {
  TinyDicom image;
  return image.number(0x00280101, stored)
      .number(0x00280102, stored - 1)
      .number(0x00280103, is_signed ? 1 : 0);
}

DicomPixelFormat format_of(int stored, bool is_signed) {
  DicomPixelFormat format;
  format.rows = 1;
  format.columns = 4;
  format.bits_stored = stored;
  format.high_bit = stored - 1;
  format.is_signed = is_signed;
  return format;
}

Jpeg2000Image image_of(int precision, bool is_signed, const std::vector<std::int32_t>& values) {
  return {static_cast<int>(values.size()), 1, precision, is_signed, values, {}};
}

}  // namespace

class TestDicomBits : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  LoadedVolume load(const TinyDicom& image) const {
    const QString path = folder_.filePath("image.dcm");
    image.save(path);
    return load_dicom(path.toStdString());
  }

 private slots:
  void theHighBitMustFollowFromTheBitsStored_data() {
    QTest::addColumn<QString>("syntax");
    for (const char* syntax : {"1.2.840.10008.1.2.1", "1.2.840.10008.1.2.5", jpeg_lossless_syntax,
                               "1.2.840.10008.1.2.4.80", jpeg2000_syntax})
      QTest::newRow(syntax) << syntax;
  }
  void theHighBitMustFollowFromTheBitsStored() {
    QFETCH(QString, syntax);
    for (const int high_bit : {15, 12, 10}) {
      TinyDicom image = bits(12, false).number(0x00280102, high_bit).syntax(syntax.toStdString());
      if (syntax != "1.2.840.10008.1.2.1") image.fragments({constant_jpeg(12)});
      EXPECT_THROWS(InputError, load(image),
                    "image.dcm: BitsStored 12 and HighBit " + std::to_string(high_bit) +
                        " contradict each other");
    }
  }

  void aJpegOfOtherPrecisionIsReadWhereTheValuesFit() {
    const auto image = [](int precision, int stored, bool is_signed) {
      return bits(stored, is_signed)
          .syntax(jpeg_lossless_syntax)
          .fragments({constant_jpeg(precision)});
    };
    for (const int precision : {12, 16}) {
      const LoadedVolume same = load(image(precision, precision, false));
      QVERIFY(same.notes.empty());
      EXPECT_NEAR(hu_at(same, 1, 1, 0), (1 << (precision - 1)) - 1000, 1e-2);
    }
    const LoadedVolume wider = load(image(12, 16, false));
    EXPECT_NEAR(hu_at(wider, 1, 1, 0), 2048 - 1000, 1e-2);
    QVERIFY(has_note(wider,
                     "image.dcm: its compressed pixels have 12 bits each, its header says "
                     "BitsStored 16: the values fit both"));
    EXPECT_THROWS(InputError, load(image(12, 16, true)),
                  "image.dcm: its compressed pixels have 12");
    EXPECT_THROWS(InputError, load(image(16, 12, false)),
                  "it is not known which of the two is right");
    EXPECT_THROWS(InputError, load(image(16, 12, true)),
                  "it is not known which of the two is right");
  }

  void precisionMattersWhereAValueDependsOnIt() {
    using Words = std::vector<std::uint16_t>;
    const auto note = [](const Words& words, int precision, int stored, bool is_signed) {
      return check_precision(words, precision, format_of(stored, is_signed));
    };
    QVERIFY(note({0xffff, 0}, 16, 16, true).empty());
    QVERIFY(!note({0, 4095}, 16, 12, false).empty());
    EXPECT_THROWS(InputError, note({0, 4096}, 16, 12, false), "have 16 bits each");
    QVERIFY(!note({0xf800, 0xffff, 2047}, 16, 12, true).empty());  // -2048, -1
    EXPECT_THROWS(InputError, note({2048}, 16, 12, true), "BitsStored 12");
    EXPECT_THROWS(InputError, note({0xf7ff}, 16, 12, true), "BitsStored 12");
    QVERIFY(!note({0, 2047}, 12, 16, true).empty());
    EXPECT_THROWS(InputError, note({0x0fff}, 12, 16, true), "BitsStored 16");
    const std::array<std::uint8_t, 2> bytes = {1, 63};
    QVERIFY(!check_precision(bytes, 8, format_of(6, false)).empty());
    EXPECT_THROWS(InputError, check_precision(bytes, 8, format_of(5, false)), "BitsStored 5");
  }

  void aJpeg2000SignThatContradictsTheHeaderIsRefused() {
    const auto image = [](const QByteArray& codestream, bool is_signed) {
      return bits(16, is_signed)
          .number(0x00280010, 512)
          .number(0x00280011, 512)
          .syntax(jpeg2000_syntax)
          .fragments({codestream});
    };
    QByteArray codestream = constant_jpeg2000();
    const LoadedVolume sound = load(image(codestream, true));
    EXPECT_NEAR(hu_at(sound, 0, 0, 0), -2000, 1e-2);
    QVERIFY(!has_note(sound, "JPEG 2000"));
    EXPECT_THROWS(InputError, load(image(codestream, false)),
                  "image.dcm: its JPEG 2000 data are signed, its header says PixelRepresentation 0 "
                  "(unsigned): it is not known which of the two is right");
    codestream[sign_and_bits_at] = '\x0f';
    EXPECT_THROWS(
        InputError, load(image(codestream, true)),
        "its JPEG 2000 data are unsigned, its header says PixelRepresentation 1 (signed)");
  }

  /// What lies behind the data in memory is not theirs, even if it would complete their header.
  void aJpeg2000StreamEndsWhereItsDataEnd() {
    const QByteArray codestream = constant_jpeg2000();
    std::vector<std::uint8_t> memory(codestream.begin(), codestream.end());
    memory.resize(4 * memory.size());
    const std::span<const std::uint8_t> whole =
        std::span(memory).first(static_cast<std::size_t>(codestream.size()));
    check_jpeg2000(whole, 512, 512);
    const auto header = static_cast<std::size_t>(codestream.indexOf("\xff\x90"));
    for (const std::size_t lacking : {1U, 20U, 60U})
      EXPECT_THROWS(InputError, check_jpeg2000(whole.first(header - lacking), 512, 512),
                    "the JPEG 2000 data cannot be decoded");
  }

  void signedValuesCompressedBitByBitAreReadWithANote() {
    std::vector<std::int32_t> values(4);
    const auto unpack = [&](const Jpeg2000Image& image, int stored, bool is_signed) {
      return unpack_jpeg2000(image, format_of(stored, is_signed), values);
    };
    // -1, 3, -2000, 5 in 13 bits
    QVERIFY(!unpack(image_of(13, false, {8191, 3, 6192, 5}), 13, true).empty());
    QCOMPARE(values, (std::vector<std::int32_t>{-1, 3, -2000, 5}));
    // The same with a sign bit that was lost: half the range is added, and nothing leaps.
    EXPECT_THROWS(InputError, unpack(image_of(13, false, {4095, 4099, 2096, 4101}), 13, true),
                  "unsigned");
    // All of one sign: nothing tells, unless they are far from where the readings part.
    EXPECT_THROWS(InputError, unpack(image_of(13, false, {2100, 2101, 2102, 2103}), 13, true),
                  "unsigned");
    QVERIFY(!unpack(image_of(13, false, {0, 1, 2, 2047}), 13, true).empty());
    QCOMPARE(values, (std::vector<std::int32_t>{0, 1, 2, 2047}));
    EXPECT_THROWS(InputError, unpack(image_of(12, false, {4095, 3, 4094, 5}), 13, true),
                  "unsigned");
    EXPECT_THROWS(InputError, unpack(image_of(13, true, {-1, 3, 4, 5}), 13, false), "signed");
  }

  void aJpeg2000OfOtherPrecisionIsReadWhereTheValuesFit() {
    std::vector<std::int32_t> values(4);
    const auto unpack = [&](const Jpeg2000Image& image, int stored) {
      return unpack_jpeg2000(image, format_of(stored, image.is_signed), values);
    };
    QVERIFY(unpack(image_of(16, true, {-32768, 0, 0, 32767}), 16).empty());
    QVERIFY(!unpack(image_of(14, true, {-8192, 0, 0, 8191}), 16).empty());
    QCOMPARE(values, (std::vector<std::int32_t>{-8192, 0, 0, 8191}));
    QVERIFY(!unpack(image_of(16, true, {-2048, 0, 0, 2047}), 12).empty());
    EXPECT_THROWS(InputError, unpack(image_of(16, true, {-2049, 0, 0, 0}), 12),
                  "have 16 bits each");
    EXPECT_THROWS(InputError, unpack(image_of(16, false, {0, 0, 0, 4096}), 12), "BitsStored 12");
  }

  void realContradictionsAreReadAndTold() {
    NEED_DATA("ct_odd_single");
    QVERIFY(has_note(load_dicom(data_path("ct_odd_single/J2K_pixelrep_mismatch.dcm")),
                     "its JPEG 2000 data are unsigned, its header says PixelRepresentation 1"));
    QVERIFY(has_note(load_dicom(data_path("ct_odd_single/693_J2KR.dcm")),
                     "have 14 bits each, its header says BitsStored 16: the values fit both"));
    QVERIFY(has_note(load_dicom(data_path("ct_odd_single/CT-JPEGLosslessSV1.dcm")),
                     "have 16 bits each, its header says BitsStored 12: the values fit both"));
  }
};

GANTRY_TEST(TestDicomBits)
#include "test_dicom_bits.moc"
