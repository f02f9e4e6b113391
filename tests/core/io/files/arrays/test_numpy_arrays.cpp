// Headers of NumPy's arrays byte by byte, archives of them, and the memory that they take.
#include "core/base/error.hpp"
#include "core/io/files/arrays/npy_header.hpp"
#include "core/io/files/arrays/numpy_arrays.hpp"
#include "tests/core/io/files/held_bytes.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <malloc.h>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Sets the method of packing, or the flags, of a file in an archive, in its directory.
QByteArray with_entry(QByteArray archive, const QByteArray& name, int field, char value) {
  constexpr int name_at = 46;
  const qsizetype entry = archive.lastIndexOf(name) - name_at;
  if (archive.mid(entry, 4) != "PK\1\2") qFatal("no such entry");
  archive[entry + field] = value;
  return archive;
}
constexpr int flags_field = 8, method_field = 10;

std::vector<float> numbers_in(const StoredArray& array, std::uint64_t first, std::size_t count) {
  std::vector<float> values(count);
  array.read(first, values);
  return values;
}

}  // namespace

class TestNumpyArrays : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string put(const char* name, const QByteArray& bytes) const {
    write_file(folder_.filePath(name), bytes);
    return folder_.filePath(name).toStdString();
  }

 private slots:
  /// As numpy.lib.format describes version 1.0: magic, version, length, text, blanks, line end.
  void theHeaderThatIsWritten() {
    const QByteArray text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 40, ), }";
    QByteArray expected("\x93NUMPY\x01\x00\x76\x00", 10);
    expected += text + QByteArray(128 - 10 - text.size() - 1, ' ') + "\n";
    QCOMPARE(QByteArray::fromStdString(npy_header_text({2, 3, 40})), expected);
    for (std::uint64_t n = 1; n < 1'000'000'000'000; n *= 10) {  // every length of the text
      const std::string header = npy_header_text({n, 7});
      QCOMPARE(header.size() % 64, std::size_t{0});
      const NpyHeader read = read_npy_header(source_of(QByteArray::fromStdString(header)), "own");
      QCOMPARE(read.bytes, static_cast<std::uint64_t>(header.size()));
      QCOMPARE(read.size, (std::vector<std::uint64_t>{n, 7}));
      QVERIFY(read.numbers.type == NumberType::float32 && !read.numbers.big_endian);
      QVERIFY(!read.first_axis_is_fastest);
    }
  }

  /// Whichever byte of a header is another one, a line says what is wrong, or numbers are read.
  void everyByteOfAHeader() {
    const QByteArray whole = npy("<u2", "(2, 3)", QByteArray(12, 'a'));
    for (qsizetype i = 0; i < whole.size() - 12; ++i)
      for (const char byte : {'\0', '9', ' ', '\'', '\xff'}) {
        QByteArray bytes = whole;
        bytes[i] = byte;
        try {
          for (const StoredArray& array : open_numpy(put("one.npy", bytes)).arrays)
            numbers_in(array, 0, static_cast<std::size_t>(array.count()));
        } catch (const InputError& error) {
          const std::string message = error.what();
          QVERIFY2(message.find("one.npy") != std::string::npos, message.c_str());
          QCOMPARE(message.find('\n'), std::string::npos);
        }
      }
  }

  void storedNumbersHaveTheirChecksum() {
    const QByteArray numbers = "abcdefghijkl";
    QByteArray archive = zip({{"a.npy", npy("|u1", "(12,)", numbers)}}, false);
    QCOMPARE(numbers_in(open_numpy(put("a.npz", archive)).arrays[0], 2, 3),
             (std::vector<float>{'c', 'd', 'e'}));
    archive[archive.indexOf(numbers) + 5] = 'x';
    const ArrayFile file = open_numpy(put("b.npz", archive));
    EXPECT_THROWS(InputError, numbers_in(file.arrays[0], 0, 2),
                  "b.npz: a: the data do not have their checksum");
    EXPECT_THROWS(InputError, numbers_of(file.arrays[0]), "checksum");
  }

  /// A file that cannot be unpacked does not matter unless it is asked for.
  void oddEntriesAreLeftOut() {
    const QByteArray array = npy("|u1", "(2,)", "ab");
    const QByteArray archive =
        zip({{"a.npy", array}, {"note.txt", "text"}, {"z.npy", array}}, false);
    ArrayFile file = open_numpy(put("a.npz", with_entry(archive, "note.txt", method_field, 12)));
    QCOMPARE(file.arrays.size(), std::size_t{2});
    QVERIFY(file.left_out.empty());
    for (const auto& [field, value, reason] : std::vector<std::tuple<int, char, const char*>>{
             {method_field, 14, "z: is packed by method 14"},
             {flags_field, 1, "z: is encrypted"}}) {
      file = open_numpy(put("b.npz", with_entry(archive, "z.npy", field, value)));
      QCOMPARE(file.arrays.size(), std::size_t{1});
      QCOMPARE(file.left_out.size(), std::size_t{1});
      QVERIFY2(file.left_out[0].find(reason) != std::string::npos, file.left_out[0].c_str());
    }
  }

  /// Packed numbers are unpacked when they are asked for, and few of them are held.
  void packedNumbersAreNotHeld() {
    constexpr qsizetype count = 60'000'000;
    const auto held = [] {
      const auto all = mallinfo2();
      return all.uordblks + all.hblkhd;
    };
    QByteArray numbers(count, '\3');
    numbers[count - 2] = 4;
    const std::string path =
        put("packed.npz", zip({{"a.npy", npy("|u1", "(60000000,)", numbers)}}, true));
    numbers = {};
    const std::size_t before = held();
    const ArrayFile file = open_numpy(path);
    QCOMPARE(numbers_in(file.arrays[0], count - 2, 2), (std::vector<float>{4, 3}));
    QCOMPARE(numbers_in(file.arrays[0], 7, 2), (std::vector<float>{3, 3}));
    QVERIFY(held() - before < static_cast<std::size_t>(count));
  }
};

GANTRY_TEST(TestNumpyArrays)
#include "test_numpy_arrays.moc"
