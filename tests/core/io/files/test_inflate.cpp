// Packed bytes in one piece and in several, as zlib, gzip and programs that pack in parts write
// them.
#include "core/base/error.hpp"
#include "core/io/files/inflate.hpp"
#include "tests/core/io/files/held_bytes.hpp"
#include "tests/core/io/files/packed_bytes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QRandomGenerator>

using namespace gantry;
using namespace gantry::test;

namespace {

/// What was unpacked, and how far.
struct Result {
  QByteArray bytes;
  bool ended = false;
  std::uintmax_t used = 0;
};

Result unpack(const QByteArray& packed, Wrapper wrapper = Wrapper::zlib_or_gzip) {
  Inflater inflater(source_of(packed), "file", wrapper);
  const QByteArray bytes = all_of([&](std::span<std::byte> out) { return inflater.read(out); });
  return {bytes, inflater.ended(), inflater.used()};
}

/// Returns a member of no bytes, as programs end files with that pack in blocks. Qt packs none.
QByteArray empty_member() {
  return QByteArray("\x1f\x8b\x08\0\0\0\0\0\0\xff\x03\0", 12) + QByteArray(8, '\0');
}

QByteArray noise(qsizetype count) {
  QRandomGenerator generator(7);
  QByteArray bytes;
  for (qsizetype i = 0; i < count; ++i) bytes += static_cast<char>(generator.generate() & 255);
  return bytes;
}

}  // namespace

class TestInflate : public QObject {
  Q_OBJECT
 private slots:
  void allMembersOfGzip() {
    const QByteArray packed = gzip("first ") + empty_member() + gzip("second");
    for (const QByteArray& behind : {QByteArray(), QByteArray("\x1f"), QByteArray("more")}) {
      const Result result = unpack(packed + behind);
      QCOMPARE(result.bytes, QByteArray("first second"));
      QVERIFY(result.ended);
      QCOMPARE(result.used, static_cast<std::uintmax_t>(packed.size()));
    }
    const Result cut = unpack(packed.chopped(1));
    QVERIFY(!cut.ended);
    QByteArray damaged = packed;
    damaged[damaged.size() - 8] = static_cast<char>(damaged[damaged.size() - 8] ^ 1);  // checksum
    EXPECT_THROWS(InputError, unpack(damaged), "file: the compressed data are damaged");
  }

  /// The mark of the second member lies on both sides of the bytes that are read at a time.
  void membersMeetWhereABlockEnds() {
    constexpr qsizetype block = 1 << 16;
    const QByteArray all = noise(block);
    int met = 0;
    for (qsizetype count = block - 60; count < block; ++count) {
      const QByteArray first = gzip(all.left(count));
      if (first.size() < block - 3 || first.size() > block) continue;
      ++met;
      const Result result = unpack(first + gzip("second"));
      QVERIFY(result.ended);
      QCOMPARE(result.bytes, all.left(count) + "second");
    }
    QVERIFY(met >= 3);
  }

  void otherWrappersHaveNoMembers() {
    const QByteArray zlib = qCompress(QByteArray("first")).mid(4), bare = deflated("first");
    Result result = unpack(zlib + gzip("second"));
    QCOMPARE(result.bytes, QByteArray("first"));
    QCOMPARE(result.used, static_cast<std::uintmax_t>(zlib.size()));
    result = unpack(bare + gzip("second"), Wrapper::none);
    QCOMPARE(result.bytes, QByteArray("first"));
    QCOMPARE(result.used, static_cast<std::uintmax_t>(bare.size()));
  }

  /// The last packed byte of equal bytes stands for hundreds of them, also where a span ends among
  /// these.
  void allBytesOfTheLastPackedOne() {
    for (const qsizetype size : {22, 90, 150, 290})
      for (qsizetype count = 1; count < size; ++count) {
        Inflater inflater(source_of(deflated(QByteArray(size, '\0'))), "file", Wrapper::none);
        const auto read = [&](std::span<std::byte> out) { return inflater.read(out); };
        QCOMPARE(all_of(read, count).size(), count);
        QCOMPARE(all_of(read).size(), size - count);
        QVERIFY(inflater.ended());
      }
  }

  /// Copies go on where the first one stands, each for itself, also within another member.
  void copiesGoOnByThemselves() {
    const QByteArray bytes = noise(3000) + QByteArray(3000, 'a'), packed = gzip(bytes) + gzip("z");
    Inflater first(source_of(packed), "file");
    const auto rest_of = [&](Inflater& inflater) {
      return all_of([&](std::span<std::byte> out) { return inflater.read(out); });
    };
    QByteArray read;
    for (const qsizetype count : {1000, 4000, 1000, 1}) {
      read += all_of([&](std::span<std::byte> out) { return first.read(out); }, count);
      const auto state = first.continued({});
      for (int i = 0; i < 2; ++i) {
        const QByteArray behind = packed.mid(static_cast<qsizetype>(state->used()));
        QCOMPARE(read + rest_of(*state->continued(source_of(behind))), bytes + "z");
      }
    }
    QCOMPARE(read, bytes + "z");
  }

  void sourcesBehindSomeBytes() {
    QCOMPARE(all_of(unpacking(source_of(gzip("0123456789")), "file", Wrapper::zlib_or_gzip, 7)),
             QByteArray("789"));
  }
};

GANTRY_TEST(TestInflate)
#include "test_inflate.moc"
