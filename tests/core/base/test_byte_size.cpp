// Amounts of memory as people write them.
#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;

class TestByteSize : public QObject {
  Q_OBJECT

 private slots:
  void amountsAreRead() {
    QCOMPARE(parse_bytes("500", ""), std::size_t{500});
    QCOMPARE(parse_bytes("4GiB", ""), std::size_t{4} << 30);
    QCOMPARE(parse_bytes("1.5 GB", ""), std::size_t{1500000000});
    QCOMPARE(parse_bytes("2kB", ""), std::size_t{2000});
    QCOMPARE(parse_bytes("8 MiB", ""), std::size_t{8} << 20);
  }
  void othersAreRefused() {
    for (const char* wrong : {"", "GiB", "-1GB", "0", "4 apples", "4GiBs", "1e40 TB", "nan", "inf"})
      EXPECT_THROWS(UsageError, parse_bytes(wrong, "--device-memory"), "no amount of memory");
  }
};

GANTRY_TEST(TestByteSize)
#include "test_byte_size.moc"
