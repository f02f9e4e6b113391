// Small files that claim much: refused before memory or time is spent, and small files that hold
// much with good reason: read.
#include "core/base/error.hpp"
#include "core/io/dicom/file/dicom_file.hpp"
#include "core/io/dicom/pixels/jpeg2000_memory.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "tests/core/io/dicom/constant_jpeg2000.hpp"
#include "tests/core/io/dicom/nested_dicom.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QTemporaryDir>

#include <fstream>

using namespace gantry;
using namespace gantry::test;

namespace {

/// The same with other numbers in its header, in big endian at the offset of the field.
QByteArray with(QByteArray bytes, int offset, std::uint32_t value, int count = 4) {
  for (int i = 0; i < count; ++i)
    bytes[offset + i] = static_cast<char>(value >> (8 * (count - 1 - i)) & 0xff);
  return bytes;
}
constexpr int width_at = 8, height_at = 12, tile_width_at = 24, tile_height_at = 28,
              first_tile_at = 32;
constexpr int layers_at = 51, levels_at = 54, block_at = 55;

QByteArray image_of(std::uint32_t side) {
  QByteArray bytes = constant_jpeg2000();
  for (const int at : {width_at, height_at, tile_width_at, tile_height_at})
    bytes = with(bytes, at, side);
  return bytes;
}

/// COD with precincts of one pixel at the only resolution there is.
QByteArray tiny_precincts(std::uint32_t side) {
  QByteArray bytes = with(image_of(side), 47, 13, 2);  // Lcod
  bytes = with(bytes, 49, 1, 1);                       // Scod: precincts follow
  bytes = with(bytes, levels_at, 0, 1);
  return bytes.insert(59, '\0');  // of 2^0 x 2^0
}

TinyDicom compressed(const QByteArray& codestream, int side) {
  TinyDicom image;
  image.syntax(jpeg2000_syntax).number(0x00280010, side).number(0x00280011, side);
  image.fragments({codestream});
  return image;
}

std::size_t memory_of(const QByteArray& bytes) {
  return jpeg2000_memory({reinterpret_cast<const std::uint8_t*>(bytes.data()),
                          static_cast<std::size_t>(bytes.size())});
}

/// A field of this process in the kernel's account, in bytes.
std::size_t status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field + ":")) return std::stoul(line.substr(field.size() + 1)) * 1024;
  return 0;
}

/// How much more memory the process held at most than when this was made.
class MemoryGrowth {
 public:
  MemoryGrowth() {
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak starts anew
    start_ = status_bytes("VmHWM");
  }
  std::size_t bytes() const { return status_bytes("VmHWM") - start_; }

 private:
  std::size_t start_;
};

/// `count` bytes of zero, deflated: a zero, then copies of 258 bytes, in the fixed code of RFC
/// 1951.
QByteArray deflated_zeros(std::uint64_t count) {
  QByteArray bytes;
  int used = 0;
  const auto bit = [&](unsigned value) {
    if (used % 8 == 0) bytes.append('\0');
    bytes.back() = static_cast<char>(bytes.back() | static_cast<char>(value << used++ % 8));
  };
  const auto code = [&](unsigned value, int length) {  // codes stand from their highest bit on
    while (length-- > 0) bit(value >> length & 1U);
  };
  code(0b010, 3);       // not the last block; fixed codes
  code(0b00110000, 8);  // the byte 0
  for (std::uint64_t done = 1; done < count; done += 258) {
    code(0b11000101, 8);  // 258 bytes
    code(0, 5);           // from one byte back
  }
  code(0, 7);      // end of the block
  code(0b110, 3);  // a last, empty one
  code(0, 7);
  return bytes;
}

}  // namespace

class TestDicomClaims : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  std::string path(const std::string& name) const {
    return folder_->path().toStdString() + "/" + name;
  }
  std::string write(const QByteArray& bytes, const std::string& name = "claim.dcm") const {
    QFile file(QString::fromStdString(path(name)));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) < 0) qFatal("cannot write");
    return path(name);
  }
  std::string write(const TinyDicom& image) const { return write(image.bytes()); }

 private slots:
  void initTestCase() { qputenv("GANTRY_DECODER", "none"); }  // the memory of this process tells
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() {
    folder_.reset();
    qunsetenv("GANTRY_ALLOW_LARGE");
  }

  void aConstantImageOfFewBytesIsRead() {
    const LoadedVolume v = load_dicom(write(compressed(constant_jpeg2000(), 512)));
    QCOMPARE(v.grid.nx, 512);
    for (const int place : {0, 255, 511}) EXPECT_NEAR(hu_at(v, place, 511 - place, 0), -2000, 1e-3);
  }

  void moreFramesThanOneAreCounted() {
    std::vector<QByteArray> frames(100, constant_jpeg2000());
    TinyDicom image = compressed({}, 512);
    image.fragments(frames).text(0x00280008, "IS", "100");
    // Without places for them they are refused, but not for their size: 105 MB are.
    EXPECT_THROWS(InputError, load_dicom(write(image)), "places 0");
  }

  void whatAJpeg2000HeaderClaimsIsRefused_data() {
    QTest::addColumn<QByteArray>("codestream");
    QTest::addColumn<int>("side");
    QTest::addColumn<QString>("message");
    QTest::newRow("60000 x 60000") << image_of(60000) << 60000 << "claims 3600000000 pixels in ";
    QTest::newRow("20000 x 20000") << image_of(20000) << 20000 << "claims 400000000 pixels in ";
    QTest::newRow("tiles without bytes")
        << with(with(image_of(20000), tile_width_at, 32), tile_height_at, 32) << 20000
        << "390625 tiles in 178 B";
    QTest::newRow("precincts of one pixel") << tiny_precincts(512) << 512 << "claims 262144 pixels";
    QTest::newRow("layers") << with(tiny_precincts(128), layers_at, 65535, 2) << 128
                            << "claims 16384 pixels";
    QTest::newRow("blocks of 4 x 4")
        << with(image_of(2500), block_at, 0, 2) << 2500 << "claims 6250000 pixels";
    QTest::newRow("no size") << with(constant_jpeg2000(), 2, 0xff64, 2) << 512
                             << "it does not start as a codestream";
    QTest::newRow("empty") << with(constant_jpeg2000(), width_at, 0) << 512 << "its size is empty";
    QTest::newRow("fewer tiles than none") << with(constant_jpeg2000(), first_tile_at, 0x80000000)
                                           << 512 << "its first tile begins behind the image";
  }
  void whatAJpeg2000HeaderClaimsIsRefused() {
    QFETCH(QByteArray, codestream);
    QFETCH(int, side);
    QFETCH(QString, message);
    const std::string file = write(compressed(codestream, side));
    const MemoryGrowth growth;
    EXPECT_THROWS(InputError, load_dicom(file), message.toStdString());
    QVERIFY2(growth.bytes() < 300'000'000, qPrintable(QString::number(growth.bytes())));
  }

  void aTileMayClaimMoreThanTheImage() {
    // The style of the main header is harmless; that in the first tile's header is not.
    QByteArray bytes = constant_jpeg2000();
    QVERIFY(memory_of(bytes) < 10'000'000);
    const qsizetype data = bytes.indexOf(QByteArray::fromHex("ff93"));
    bytes.insert(data, QByteArray::fromHex("ff52000d010000010000040400010000").left(15));
    QVERIFY(memory_of(bytes) > 250'000'000);
  }

  /// Going on behind such a part would lead back to it, for ever.
  void aPartOfATileEndsBehindItsData() {
    QByteArray bytes = constant_jpeg2000();
    const qsizetype tile = bytes.indexOf(QByteArray::fromHex("ff90"));
    bytes.insert(bytes.indexOf(QByteArray::fromHex("ff93")), QByteArray::fromHex("ff6400040001"));
    EXPECT_THROWS(InputError, memory_of(with(bytes, static_cast<int>(tile) + 6, 14)),
                  "a part of a tile ends before its data");
  }

  void aWrappedCodestreamIsFound() {
    const QByteArray start =
        QByteArray::fromHex("0000000c6a5020200d0a870a00000014667479706a703220000000006a703220");
    const QByteArray box = QByteArray::fromHex("000000006a703263");
    QCOMPARE(memory_of(start + box + image_of(20000)), memory_of(image_of(20000)));
    EXPECT_THROWS(InputError, memory_of(start), "no codestream in the JP2 file");
  }

  void whatOtherCodecsAreToldIsRefused_data() {
    QTest::addColumn<QString>("syntax");
    QTest::newRow("JPEG baseline") << "1.2.840.10008.1.2.4.50";
    QTest::newRow("JPEG extended") << "1.2.840.10008.1.2.4.51";
    QTest::newRow("JPEG lossless") << "1.2.840.10008.1.2.4.70";
    QTest::newRow("JPEG-LS") << "1.2.840.10008.1.2.4.80";
    QTest::newRow("RLE") << "1.2.840.10008.1.2.5";
  }
  void whatOtherCodecsAreToldIsRefused() {
    QFETCH(QString, syntax);
    TinyDicom image = compressed(QByteArray(3000, '\0'), 20000);
    const std::string file = write(image.syntax(syntax.toStdString()));
    const MemoryGrowth growth;
    EXPECT_THROWS(InputError, load_dicom(file), "claims 400000000 pixels in ");
    EXPECT_THROWS(InputError, load_dicom(file), "GANTRY_ALLOW_LARGE");
    qputenv("GANTRY_ALLOW_LARGE", "0");
    EXPECT_THROWS(InputError, load_dicom(file), "claims 400000000 pixels in ");
    QVERIFY2(growth.bytes() < 300'000'000, qPrintable(QString::number(growth.bytes())));
  }

  void theUserMayConfirmASize() {
    const std::string file = write(compressed(image_of(4000), 4000));
    EXPECT_THROWS(InputError, load_dicom(file), "claims 16000000 pixels");
    qputenv("GANTRY_ALLOW_LARGE", "1");
    QCOMPARE(load_dicom(file).grid.nx, 4000);  // the packets say that there is nothing in it
  }

  void aDeflatedBombIsRefused() {
    constexpr std::uint32_t value = 900'000'000;
    QByteArray head = QByteArray::fromHex("090000104f420000");  // private, OB
    for (int i = 0; i < 4; ++i) head.append(static_cast<char>(value >> (8 * i) & 0xff));
    // In front a block of bytes as they are, with their number and its complement.
    const QByteArray stored = QByteArray::fromHex("000c00f3ff") + head;
    const std::string file = write(deflated_file(stored + deflated_zeros(value)));
    const MemoryGrowth growth;
    EXPECT_THROWS(InputError, load_dicom(file), "unpacks to more than its ");
    QVERIFY2(growth.bytes() < 500'000'000, qPrintable(QString::number(growth.bytes())));
  }

  void aDeflatedSwarmOfElementsIsRefused() {
    QByteArray plain = TinyDicom().remove(0x7fe00010).data_set();
    const qsizetype size = 8;
    QByteArray swarm(size * 600000, '\0');
    for (int i = 0; i < 600000; ++i) {  // empty elements of 8 bytes
      char* p = swarm.data() + size * i;
      p[0] = static_cast<char>(0x31 + 2 * (i / 60000));
      p[2] = static_cast<char>(i % 60000 & 0xff);
      p[3] = static_cast<char>(i % 60000 >> 8);
      p[4] = 'L', p[5] = 'O';
    }
    const std::string file = write(deflated_file(NestedDicom::deflate(plain + swarm)));
    const MemoryGrowth growth;
    EXPECT_THROWS(InputError, load_dicom(file), "unpacks to more than its ");
    QVERIFY2(growth.bytes() < 500'000'000, qPrintable(QString::number(growth.bytes())));
  }

 private:
  static QByteArray deflated_file(const QByteArray& data_set) {
    const QByteArray start = NestedDicom(NestedAs::deflated, 0).bytes();
    return start.chopped(NestedDicom(NestedAs::deflated, 0).data_set().size()) + data_set;
  }
};

GANTRY_TEST(TestDicomClaims)
#include "test_dicom_claims.moc"
