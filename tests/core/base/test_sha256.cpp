// SHA-256 against the examples of NIST (FIPS 180-4) and those that Python computes.
#include "core/base/sha256.hpp"
#include "tests/support/test_program.hpp"

#include <string>

using namespace gantry;

class TestSha256 : public QObject {
  Q_OBJECT

  static QByteArray digest(const std::string& text) {
    const auto bytes = sha256(std::as_bytes(std::span(text)));
    return QByteArray(reinterpret_cast<const char*>(bytes.data()), 32).toHex();
  }

 private slots:
  void publishedDigestsAreReached() {
    QCOMPARE(digest(""),
             QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    QCOMPARE(digest("abc"),
             QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    QCOMPARE(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
             QByteArray("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
    QCOMPARE(digest(std::string(1000000, 'a')),
             QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
  }

  /// The lengths at which the padding takes another block.
  void paddingFitsEveryLength() {
    QCOMPARE(digest(std::string(55, 'x')),
             QByteArray("d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"));
    QCOMPARE(digest(std::string(56, 'x')),
             QByteArray("04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"));
    QCOMPARE(digest(std::string(63, 'x')),
             QByteArray("75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"));
    QCOMPARE(digest(std::string(64, 'x')),
             QByteArray("7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"));
    QCOMPARE(digest(std::string(65, 'x')),
             QByteArray("9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"));
  }
};

GANTRY_TEST(TestSha256)
#include "test_sha256.moc"
