// Pixel data that are cut, hold too much or contradict the header: refused before they are decoded.
#include "core/base/error.hpp"
#include "core/io/dicom/pixels/codestream_check.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "tests/core/io/dicom/nested_dicom.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QTemporaryDir>

#include <array>
#include <functional>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr const char* rle_syntax = "1.2.840.10008.1.2.5";

QByteArray little(std::size_t value) {
  QByteArray bytes;
  for (int i = 0; i < 4; ++i) bytes.append(static_cast<char>(value >> (8 * i) & 0xff));
  return bytes;
}

/// The header of an RLE image, then its segments as they are given.
QByteArray rle_image(const std::vector<QByteArray>& segments) {
  QByteArray header = little(segments.size()), body;
  for (const QByteArray& segment : segments) {
    header += little(static_cast<std::size_t>(64 + body.size()));
    body += segment;
  }
  return header.leftJustified(64, '\0') + body;
}

/// PackBits by hand for 12 pixels: 4 literals, then 8 times one byte.
QByteArray twelve(const char* four, char eight) {
  return QByteArray(1, '\x03') + QByteArray(four, 4) + QByteArray(1, static_cast<char>(257 - 8)) +
         QByteArray(1, eight);
}

const QByteArray high = twelve("\0\0\0\1", '\0') + '\0';  // 8 bytes, one of them padding
const QByteArray low = twelve("\1\2\3\4", '\7') + '\0';

TinyDicom rle(const std::vector<QByteArray>& fragments) {
  TinyDicom image;
  image.syntax(rle_syntax).fragments(fragments);
  return image;
}

/// A JPEG as far as its markers go: lossless, 4 x 3 pixels of 16 bits, and coded
/// bytes with what looks like markers among them.
QByteArray jpeg() {
  return QByteArray::fromHex(
      "ffd8"
      "ffc3000b100003000401011100"
      "ffc40014000100000000000000000000000000000000"
      "ffda0008010100010000ff00ffd012345678ffd9");
}

DicomPixelFormat four_by_three() {
  DicomPixelFormat format;
  format.rows = 3;
  format.columns = 4;
  return format;
}

std::span<const std::uint8_t> bytes_of(const QByteArray& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()),
          static_cast<std::size_t>(bytes.size())};
}

/// One compressed image in one fragment, at the end of its file.
struct Encapsulated {
  QByteArray before, stream;

  explicit Encapsulated(const QByteArray& whole) {
    const qsizetype at = whole.indexOf(QByteArray("\xe0\x7f\x10\x00O", 5));
    if (at < 0) qFatal("the file has no pixel data");
    const auto length = [&](qsizetype i) {
      qsizetype value = 0;
      for (int k = 3; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(whole[i + k]);
      return value;
    };
    const qsizetype item = at + 20 + length(at + 16);  // after the offset table
    before = whole.left(item + 4);
    stream = whole.mid(item + 8, length(item + 4));
  }
  QByteArray with(QByteArray other) const {
    if (other.size() % 2 != 0) other.append('\0');
    return before + little(static_cast<std::size_t>(other.size())) + other +
           QByteArray("\xfe\xff\xdd\xe0\0\0\0\0", 8);
  }
};

}  // namespace

class TestDicomPayload : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string path() const { return folder_.filePath("image.dcm").toStdString(); }
  LoadedVolume load(const TinyDicom& image) const {
    image.save(QString::fromStdString(path()));
    return load_dicom(path());
  }
  LoadedVolume load(const QByteArray& bytes) const {
    write_file(path(), bytes);
    return load_dicom(path());
  }

 private slots:
  void soundRleIsRead() {
    for (const LoadedVolume& v :
         {load(rle({rle_image({high, low})})),
          load(rle({rle_image({high, low}).left(70), rle_image({high, low}).mid(70)}))}) {
      EXPECT_NEAR(hu_at(v, 0, 0, 0), 1 - 1000, 1e-3);
      EXPECT_NEAR(hu_at(v, 3, 0, 0), 256 + 4 - 1000, 1e-3);
      EXPECT_NEAR(hu_at(v, 3, 2, 0), 7 - 1000, 1e-3);
      QVERIFY(v.notes.empty());
    }
  }

  void spoiledRleIsRefused_data() {
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const QByteArray& stream, const char* message) {
      QTest::newRow(name) << stream << QString::fromLatin1(message);
    };
    const QByteArray sound = rle_image({high, low});
    row("last run missing", sound.left(sound.size() - 4) + '\0',
        "RLE segment 2 unpacks to 5 bytes instead of 12");
    row("cut in literals", sound.left(64 + 8 + 4),
        "RLE segment 2 unpacks to 4 bytes instead of 12, the last of them missing");
    row("segment empty", rle_image({high, {}}), "RLE segment 2 unpacks to 0 bytes");
    row("run too long", rle_image({high, QByteArray(low).replace(5, 1, "\xf8")}),
        "RLE segment 2 unpacks to 13 bytes instead of 12");
    row("bytes after the last pixel", sound + QByteArray(2, '\0'),
        "RLE segment 2 holds 3 bytes after its last pixel");
    row("bytes between segments", rle_image({high + QByteArray(2, '\5'), low}),
        "RLE segment 1 holds 3 bytes after its last pixel");
    row("one segment", rle_image({high}), "they have 1 RLE segments instead of 2");
    row("three segments", rle_image({high, low, low}), "they have 3 RLE segments instead of 2");
    row("offset beyond the end", QByteArray(sound).replace(8, 1, "\xf0"),
        "RLE segment 1 lies from byte 64 to 240 of 80");
    row("offset backwards", QByteArray(sound).replace(8, 1, "\x20"),
        "RLE segment 1 lies from byte 64 to 32 of 80");
  }
  void spoiledRleIsRefused() {
    QFETCH(QByteArray, stream);
    QFETCH(QString, message);
    EXPECT_THROWS(InputError, load(rle({stream})), message.toStdString());
    EXPECT_THROWS(InputError, load(rle({stream})), "image.dcm");
  }

  void offsetTableAndFragmentsMustAgreeWithTheHeader() {
    const QByteArray sound = rle_image({high, low});
    TinyDicom image;
    image.syntax(rle_syntax);
    QCOMPARE(load(image.fragments({sound}, {0})).grid.nx, 4);
    EXPECT_THROWS(InputError, load(image.fragments({sound, sound}, {0, 88})),
                  "the offset table of the pixel data has 2 entries for 1 image");
    EXPECT_THROWS(InputError, load(image.fragments({sound, sound})),
                  "RLE segment 2 holds 81 bytes after its last pixel");
    EXPECT_THROWS(InputError, load(image.fragments({})), "holds 0 compressed images instead of 1");
    const auto place = [](const char* position) {
      TinyDicom plane = TinyDicom::empty(), item = TinyDicom::empty();
      plane.text(0x00200032, "DS", position);
      return item.sequence(0x00209113, {plane});
    };
    image.text(0x00280008, "IS", "2");
    image.sequence(0x52009230, {place("-1\\-2\\0"), place("-1\\-2\\3")});
    QCOMPARE(load(image.fragments({sound, sound})).grid.nz, 2);
    QCOMPARE(load(image.fragments({sound, sound.left(70), sound.mid(70)}, {0, 88})).grid.nz, 2);
    EXPECT_THROWS(InputError, load(image.fragments({sound, sound, sound})),
                  "holds 1 compressed images instead of 2");
    EXPECT_THROWS(InputError, load(image.fragments({sound, sound, sound}, {0, 44})),
                  "holds 1 compressed images instead of 2");
  }

  void markersOfAJpegAreFollowedToItsEnd() {
    const DicomPixelFormat format = four_by_three();
    const QByteArray sound = jpeg();
    QCOMPARE(check_jpeg(bytes_of(sound), format), 16);
    QCOMPARE(check_jpeg(bytes_of(sound + '\0'), format), 16);
    for (qsizetype length = 0; length < sound.size(); ++length)
      EXPECT_THROWS(InputError, check_jpeg(bytes_of(sound.left(length)), format), "damaged: ");
    EXPECT_THROWS(InputError, check_jpeg(bytes_of(sound + sound), format),
                  "bytes lie after the end of the image");
    DicomPixelFormat other = format;
    other.rows = 6;
    EXPECT_THROWS(InputError, check_jpeg(bytes_of(sound), other),
                  "they hold 4 x 3 pixels instead of 4 x 6");
    other = format;
    other.bits_allocated = other.bits_stored = 8;
    EXPECT_THROWS(InputError, check_jpeg(bytes_of(sound), other), "they have 16 bits per pixel");
    QByteArray colour = sound;
    colour[11] = '\3';
    EXPECT_THROWS(InputError, check_jpeg(bytes_of(colour), format), "3 components instead of one");
    // Two tables in one segment behind the start of the image: the second has one code of a bit.
    const auto with_tables = [&](char table_class, char symbol) {
      QByteArray tables = QByteArray(1, '\x10') + QByteArray(16, '\0');
      tables += QByteArray(1, table_class) + '\1' + QByteArray(15, '\0') + symbol;
      QByteArray image = sound;
      return image.insert(
          2, QByteArray("\xff\xc4\0", 3) + static_cast<char>(tables.size() + 2) + tables);
    };
    QCOMPARE(check_jpeg(bytes_of(with_tables('\0', '\x10')), format), 16);
    QCOMPARE(check_jpeg(bytes_of(with_tables('\x11', '\x11')), format), 16);  // class 1: any symbol
    EXPECT_THROWS(InputError, check_jpeg(bytes_of(with_tables('\0', '\x11')), format),
                  "a Huffman table has the symbol 17, above 16");
    QByteArray of_cosines = with_tables('\0', '\x0f');
    of_cosines[of_cosines.indexOf("\xff\xc3") + 1] = '\xc0';
    QCOMPARE(check_jpeg(bytes_of(of_cosines), format), 16);
    of_cosines[of_cosines.indexOf('\x0f')] = '\x10';
    EXPECT_THROWS(InputError, check_jpeg(bytes_of(of_cosines), format),
                  "a Huffman table has the symbol 16, above 15");
    QByteArray short_tables = with_tables('\0', '\x10');
    short_tables[short_tables.indexOf("\xff\xc4") + 22] = '\x70';
    EXPECT_THROWS(InputError, check_jpeg(bytes_of(short_tables), format), "they are cut short");
  }

  /// PS3.5, A.5: a byte 0 makes an odd stream even, and nothing else follows it.
  void nothingFollowsADeflatedDataSet() {
    std::array<bool, 2> tried{};
    for (int value = 0; value < 200 && !(tried[0] && tried[1]); ++value) {
      TinyDicom image;
      image.syntax("1.2.840.10008.1.2.1.99").pixels({value, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
      const QByteArray plain = image.data_set(), packed = NestedDicom::deflate(plain);
      const QByteArray file = image.bytes().chopped(plain.size()) + packed;
      const bool odd = packed.size() % 2 == 1;
      tried[odd ? 1 : 0] = true;
      EXPECT_NEAR(hu_at(load(file), 0, 0, 0), value - 1000, 1e-3);
      if (odd) EXPECT_NEAR(hu_at(load(file + '\0'), 0, 0, 0), value - 1000, 1e-3);
      if (!odd)
        EXPECT_THROWS(InputError, load(file + '\0'), "holds 1 B after its deflated data set");
      EXPECT_THROWS(InputError, load(file + 'x'), "holds 1 B after its deflated data set");
      EXPECT_THROWS(InputError, load(file + QByteArray(2, '\0')), "holds 2 B after its deflated");
      EXPECT_THROWS(InputError, load(file + QByteArray(1000, '\0')),
                    "image.dcm: holds 1.00 kB after its");
      EXPECT_THROWS(InputError, load(file + packed), "after its deflated data set");
    }
    QVERIFY(tried[0] && tried[1]);
  }

  void compressedRealImagesMustBeWhole_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("ends");  // with a marker
    const QString folder = "ct_transfer_syntaxes_ge/CTImage.dcm_";
    for (const char* syntax : {"JPEG2000LosslessOnlyTransferSyntax_1.2.840.10008.1.2.4.90",
                               "JPEG2000TransferSyntax_1.2.840.10008.1.2.4.91",
                               "JPEGLSLosslessTransferSyntax_1.2.840.10008.1.2.4.80",
                               "JPEGLSLossyTransferSyntax_1.2.840.10008.1.2.4.81",
                               "JPEGProcess10_12TransferSyntax_1.2.840.10008.1.2.4.55",
                               "JPEGProcess14SV1TransferSyntax_1.2.840.10008.1.2.4.70",
                               "JPEGProcess1TransferSyntax_1.2.840.10008.1.2.4.50",
                               "JPEGProcess2_4TransferSyntax_1.2.840.10008.1.2.4.51"})
      QTest::newRow(syntax) << folder + syntax + ".dcm" << true;
    QTest::newRow("RLE") << folder + "RLELosslessTransferSyntax_1.2.840.10008.1.2.5.dcm" << false;
  }
  void compressedRealImagesMustBeWhole() {
    QFETCH(QString, file);
    QFETCH(bool, ends);
    NEED_DATA(file.toStdString());
    const Encapsulated whole(bytes_of_file(data_path(file.toStdString())));
    QByteArray stream = whole.stream;
    if (ends && !stream.endsWith("\xff\xd9")) stream.chop(1);
    QCOMPARE(load(whole.with(stream)).grid.nx, 512);  // taken apart and put together well
    const QByteArray end = ends ? QByteArray("\xff\xd9") : QByteArray();
    for (const double share : {0.3, 0.6, 0.9, 0.98}) {
      const auto cut =
          stream.left(static_cast<qsizetype>(share * static_cast<double>(stream.size())));
      EXPECT_THROWS(InputError, load(whole.with(cut)), "image.dcm");
      EXPECT_THROWS(InputError, load(whole.with(cut + end)), "image.dcm");
    }
    EXPECT_THROWS(InputError, load(whole.with(stream + QByteArray(100, '\0'))), "image.dcm");
    EXPECT_THROWS(InputError, load(whole.with(stream + stream)), "image.dcm");
    QByteArray rows = whole.with(stream);
    const qsizetype at = whole.before.indexOf(QByteArray("\x28\x00\x10\x00US\x02\x00\x00\x02", 10));
    QVERIFY(at > 0);
    rows[at + 9] = '\1';  // 256 rows instead of 512
    EXPECT_THROWS(InputError, load(rows), "image.dcm");
  }
};

GANTRY_TEST(TestDicomPayload)
#include "test_dicom_payload.moc"
