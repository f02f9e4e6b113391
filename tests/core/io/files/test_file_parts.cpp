// Bytes of parts of files, and what is said of files that cannot be read.
#include "core/base/error.hpp"
#include "core/io/files/file_parts.hpp"
#include "tests/core/io/files/held_bytes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <unistd.h>

using namespace gantry;
using namespace gantry::test;

class TestFileParts : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string put(const char* name, const QByteArray& bytes) const {
    write_file(folder_.filePath(name), bytes);
    return folder_.filePath(name).toStdString();
  }

 private slots:
  void partsWithinAreTheSameBytes() {
    const std::string a = put("a", "..abc"), b = put("b", "defgh."), c = put("c", "ij");
    const std::vector<FilePart> parts = {{a, 2, 3}, {b, 0, 5}, {c, 0, 0}, {c, 0, 2}};
    const QByteArray whole = "abcdefghij";
    for (int first = 0; first <= 11; ++first)
      for (int count = 0; count <= 11; ++count) {
        const auto at = static_cast<std::uintmax_t>(first);
        const std::vector<FilePart> within =
            parts_within(parts, at, static_cast<std::uintmax_t>(count));
        QCOMPARE(all_of(bytes_in(within)), whole.mid(first, count));
        QCOMPARE(all_of(bytes_in(parts, at), count), whole.mid(first, count));
      }
    QCOMPARE(parts_within(parts, 3, 5).size(), std::size_t{1});
  }

  /// A file that is gone or that may not be read is not one that is cut short.
  void theSystemsReasonIsSaid() {
    const std::string gone = folder_.filePath("gone").toStdString();
    EXPECT_THROWS(InputError, all_of(bytes_in({{gone, 0, 5}})),
                  "gone: cannot be opened (No such file or directory)");
    EXPECT_THROWS(InputError, all_of(bytes_in({{folder_.path().toStdString(), 0, 5}})),
                  "is a folder");
    if (geteuid() == 0) return;  // who may read everything
    const std::string locked = put("locked", "bytes");
    QFile(folder_.filePath("locked")).setPermissions({});
    EXPECT_THROWS(InputError, all_of(bytes_in({{locked, 0, 5}})),
                  "locked: cannot be opened (Permission denied)");
  }
};

GANTRY_TEST(TestFileParts)
#include "test_file_parts.moc"
