// Deflated data that are read from any place on: how much is unpacked for that, by several threads,
// and where the data are cut short or damaged.
#include "core/base/error.hpp"
#include "core/io/files/inflated_bytes.hpp"
#include "tests/core/io/files/held_bytes.hpp"
#include "tests/core/io/files/packed_bytes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QRandomGenerator>

#include <atomic>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr qsizetype bytes_of_piece = 100'000;

/// Half noise, so that some 60 % remain when it is packed.
QByteArray noisy_bytes(qsizetype count) {
  QRandomGenerator generator(11);
  QByteArray bytes;
  bytes.reserve(count);
  for (qsizetype i = 0; i < count; ++i) bytes += static_cast<char>(generator.generate() & 15);
  return bytes;
}

/// Packed bytes, and how many of them were read.
struct CountedBytes {
  QByteArray packed;
  std::atomic<std::size_t> read = 0;

  InflatedBytes unpacked(Wrapper wrapper = Wrapper::none) {
    const OpenBytes open = [this](std::uint64_t first) -> ByteSource {
      return [this, source = source_of(packed.mid(static_cast<qsizetype>(first)))](
                 std::span<std::byte> out) {
        const std::size_t got = source(out);
        read += got;
        return got;
      };
    };
    return InflatedBytes(open, "file", wrapper, bytes_of_piece);
  }
};

/// Returns a block of deflated data that holds bytes as they are, and is not the last one.
QByteArray stored_block(const QByteArray& bytes) {
  const auto count = static_cast<std::uint16_t>(bytes.size());
  QByteArray block(1, '\0');
  for (const int number : {int{count}, ~int{count}})
    for (const int shift : {0, 8}) block += static_cast<char>(number >> shift);
  return block + bytes;
}

QByteArray bytes_from(const InflatedBytes& bytes, qsizetype first, qsizetype count) {
  return all_of(bytes.from(static_cast<std::uint64_t>(first)), count);
}

}  // namespace

class TestInflatedBytes : public QObject {
  Q_OBJECT
 private slots:
  /// Once the data were read, a part of them takes the packed bytes of its own piece alone.
  void ofAnyPartItsPieceIsUnpacked() {
    const QByteArray all = noisy_bytes(50 * bytes_of_piece + 17);
    CountedBytes counted{deflated(all)};
    const InflatedBytes bytes = counted.unpacked();
    const auto packed = static_cast<std::size_t>(counted.packed.size());
    QCOMPARE(bytes_from(bytes, all.size() - 3, 10), all.right(3));
    QVERIFY(counted.read >= packed);
    for (const qsizetype piece : {20, 3, 45}) {
      const std::size_t before = counted.read;
      const qsizetype first = piece * bytes_of_piece + 31;
      QCOMPARE(bytes_from(bytes, first, 1000), all.mid(first, 1000));
      QVERIFY(counted.read - before < packed / 15);
      const std::size_t again = counted.read;
      QCOMPARE(bytes_from(bytes, first + 1000, 1000), all.mid(first + 1000, 1000));
      QCOMPARE(counted.read, again);  // of a piece that is kept
    }
    bytes.release_pieces();
    QCOMPARE(bytes_from(bytes, 0, all.size()), all);
    QVERIFY(bytes_from(bytes, all.size(), 10).isEmpty());
    QVERIFY(bytes_from(bytes, 2 * all.size(), 10).isEmpty());
  }

  /// What precedes the part is unpacked once; what follows it is not.
  void whatFollowsIsNotUnpacked() {
    const QByteArray all = noisy_bytes(50 * bytes_of_piece);
    CountedBytes counted{gzip(all)};
    const InflatedBytes bytes = counted.unpacked(Wrapper::zlib_or_gzip);
    const qsizetype first = 10 * bytes_of_piece - 500;
    QCOMPARE(bytes_from(bytes, first, 1000), all.mid(first, 1000));
    QVERIFY(counted.read < static_cast<std::size_t>(counted.packed.size()) / 2);
  }

  void severalThreadsReadAtOnce() {
    const QByteArray all = noisy_bytes(20 * bytes_of_piece);
    CountedBytes counted{deflated(all)};
    const InflatedBytes bytes = counted.unpacked();
    bool are_right = true;
#pragma omp parallel for schedule(dynamic) num_threads(4) reduction(&& : are_right)
    for (int part = 0; part < 200; ++part) {
      const qsizetype first = (part * 7 % 200) * (all.size() / 200);
      are_right = are_right && bytes_from(bytes, first, 15000) == all.mid(first, 15000);
    }
    QVERIFY(are_right);
  }

  void cutAndDamagedData() {
    const QByteArray all = noisy_bytes(5 * bytes_of_piece);
    CountedBytes cut{deflated(all)};
    cut.packed.truncate(cut.packed.size() / 2);
    const InflatedBytes half = cut.unpacked();
    const QByteArray beginning = bytes_from(half, 0, all.size());
    QVERIFY(all.startsWith(beginning) && beginning.size() > all.size() / 3);
    QVERIFY(bytes_from(half, all.size() - 10, 10).isEmpty());
    CountedBytes damaged;
    for (int i = 0; i < 3; ++i) damaged.packed += stored_block(all.mid(i * 50'000, 50'000));
    damaged.packed += '\7';  // a block of a kind that there is not
    const InflatedBytes bad = damaged.unpacked();
    for (int i = 0; i < 2; ++i) {
      QCOMPARE(bytes_from(bad, 0, bytes_of_piece), all.left(bytes_of_piece));
      EXPECT_THROWS(InputError, bytes_from(bad, 0, all.size()),
                    "file: the compressed data are damaged");
      EXPECT_THROWS(InputError, bytes_from(bad, all.size() - 10, 10), "are damaged");
    }
  }
};

GANTRY_TEST(TestInflatedBytes)
#include "test_inflated_bytes.moc"
