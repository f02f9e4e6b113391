// Grey PNG files, read back chunk by chunk with Qt's own inflation.
#include "core/io/pictures/png.hpp"
#include "tests/support/test_program.hpp"

#include <QByteArray>
#include <QtTest>

using namespace gantry;

class TestPng : public QObject {
  Q_OBJECT

 private slots:
  /// The chunks of a picture of 3 x 2 pixels: sizes, rows without a filter, and the checksums of
  /// IHDR and IEND, which Python's zlib computed.
  void chunksAreTheStandards() {
    const std::vector<std::uint8_t> pixels = {0, 127, 255, 10, 20, 30};
    const std::vector<std::byte> bytes = grey_png(3, 2, pixels);
    const QByteArray file(reinterpret_cast<const char*>(bytes.data()),
                          static_cast<qsizetype>(bytes.size()));
    QCOMPARE(file.left(8), QByteArray("\x89PNG\r\n\x1A\n"));
    QCOMPARE(file.mid(8, 25).toHex(),
             QByteArray("0000000d4948445200000003000000020800000000b81f39c6"));
    const qsizetype data = file.indexOf("IDAT"), end = file.indexOf("IEND");
    QVERIFY(data == 37 && end > data);
    const qsizetype packed = end - 4 - 4 - (data + 4);  // between type and checksum
    QByteArray counted(4, '\0');                        // qUncompress wants the size first
    counted[3] = 8;
    QCOMPARE(qUncompress(counted + file.mid(data + 4, packed)).toHex(),
             QByteArray("00007fff000a141e"));
    QCOMPARE(file.mid(33, 4).toHex(), QByteArray::number(packed, 16).rightJustified(8, '0'));
    QCOMPARE(file.mid(end - 4).toHex(), QByteArray("0000000049454e44ae426082"));
  }
};

GANTRY_TEST(TestPng)
#include "test_png.moc"
