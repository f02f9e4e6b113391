// SHA-256 against the examples of its standard (FIPS 180-4; NIST's example computations and long
// messages), and against Qt's own function for every length around the ends of blocks.
#include "core/base/sha256.hpp"
#include "tests/support/test_program.hpp"

#include <QCryptographicHash>

#include <string>

using namespace gantry;

namespace {

QByteArray hexadecimal(std::string_view bytes) {
  QByteArray text;
  for (const std::uint32_t word : sha256(bytes))
    text += QByteArray::number(word, 16).rightJustified(8, '0');
  return text;
}

}  // namespace

class TestSha256 : public QObject {
  Q_OBJECT

 private slots:
  void publishedDigestsAreGiven() {
    QCOMPARE(hexadecimal("abc"),
             QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    QCOMPARE(hexadecimal("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
             QByteArray("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
    QCOMPARE(hexadecimal(std::string(1'000'000, 'a')),
             QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
  }

  void everyLengthIsPadded() {
    std::string text;
    for (int length = 0; length <= 200; ++length, text += static_cast<char>(37 * length))
      QCOMPARE(hexadecimal(text),
               QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256)
                   .toHex());
  }
};

GANTRY_TEST(TestSha256)
#include "test_sha256.moc"
