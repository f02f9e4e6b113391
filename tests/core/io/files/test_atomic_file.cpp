#include "core/base/error.hpp"
#include "core/io/files/atomic_file.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/without_root_access.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <csignal>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gantry;
using gantry::test::WithoutRootAccess;

namespace {

std::string in(const QTemporaryDir& folder, const char* name) {
  return folder.filePath(QString::fromLatin1(name)).toStdString();
}

QByteArray contents(const std::string& path) {
  QFile file(QString::fromStdString(path));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(absent)");
}

void put(const std::string& path, const char* text) {
  write_file_atomically(path, std::as_bytes(std::span(text, std::strlen(text))));
}

/// Everything in a folder, hidden files too.
QStringList names(const QTemporaryDir& folder) {
  return QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

/// While alive, files cannot grow past `bytes`: a full disk.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit small{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit old_{};
  void (*handler_)(int) = nullptr;
};

}  // namespace

class TestAtomicFile : public QObject {
  Q_OBJECT
 private slots:
  void writesAndReplaces() {
    const QTemporaryDir folder;
    put(in(folder, "a"), "first, longer");
    QCOMPARE(contents(in(folder, "a")), QByteArray("first, longer"));
    put(in(folder, "a"), "second");
    QCOMPARE(contents(in(folder, "a")), QByteArray("second"));
    QCOMPARE(names(folder), QStringList{"a"});
  }

  void nothingIsSeenBeforeCommit() {
    const QTemporaryDir folder;
    put(in(folder, "a"), "old");
    {
      AtomicFile file(in(folder, "a"));
      file.write("new");
      file.write(" text");
      QCOMPARE(contents(in(folder, "a")), QByteArray("old"));
      QCOMPARE(names(folder).size(), 2);
    }  // given up
    QCOMPARE(contents(in(folder, "a")), QByteArray("old"));
    QCOMPARE(names(folder), QStringList{"a"});
    AtomicFile file(in(folder, "a")), other(in(folder, "a"));
    file.write("new");
    file.write(" text");
    file.commit();
    QCOMPARE(contents(in(folder, "a")), QByteArray("new text"));
    other.write("last");
    other.commit();
    QCOMPARE(contents(in(folder, "a")), QByteArray("last"));
    QCOMPARE(names(folder), QStringList{"a"});
  }

  void aFullDiskLeavesTheOldFile() {
    const QTemporaryDir folder;
    put(in(folder, "a"), "old");
    const std::string large(100000, 'x');
    {
      const SmallDisk disk(4096);
      AtomicFile file(in(folder, "a"));
      EXPECT_THROWS(OutputError, file.write(large), "a: cannot be written (File too large)");
    }
    QCOMPARE(contents(in(folder, "a")), QByteArray("old"));
    QCOMPARE(names(folder), QStringList{"a"});
  }

  void failuresSayWhy() {
    const QTemporaryDir folder;
    EXPECT_THROWS(OutputError, AtomicFile(in(folder, "no/such/file")),
                  "cannot be created (No such file or directory); create the folder first");
    EXPECT_THROWS(OutputError, AtomicFile(folder.path().toStdString()), "is not a regular file");
    EXPECT_THROWS(OutputError, AtomicFile("/dev/null"), "is not a regular file");
    EXPECT_THROWS(OutputError, AtomicFile(folder.path().toStdString() + "/"), "no file name");
    EXPECT_THROWS(OutputError, AtomicFile(in(folder, std::string(300, 'n').c_str())),
                  "shorter name");
    QVERIFY(names(folder).isEmpty());
    const WithoutRootAccess restricted;
    if (!restricted.holds()) QSKIP("this process writes anywhere, as root");
    QVERIFY(chmod(folder.path().toLocal8Bit().constData(), 0500) == 0);
    EXPECT_THROWS(OutputError, AtomicFile(in(folder, "a")), "Permission denied");
    chmod(folder.path().toLocal8Bit().constData(), 0700);
  }

  void linksAndPermissionsStay() {
    const QTemporaryDir folder;
    put(in(folder, "real"), "old");
    QVERIFY(chmod(in(folder, "real").c_str(), 0640) == 0);
    QVERIFY(symlink("real", in(folder, "link").c_str()) == 0);
    put(in(folder, "link"), "new");
    QCOMPARE(contents(in(folder, "real")), QByteArray("new"));
    QVERIFY(QFileInfo(folder.filePath("link")).isSymLink());
    struct stat status = {};
    QVERIFY(stat(in(folder, "real").c_str(), &status) == 0);
    QCOMPARE(status.st_mode & 0777U, 0640U);
    // a new file has what the process's mask leaves, as any other program's
    const mode_t mask = umask(022);
    put(in(folder, "fresh"), "x");
    umask(mask);
    QVERIFY(stat(in(folder, "fresh").c_str(), &status) == 0);
    QCOMPARE(status.st_mode & 0777U, 0644U);
  }

  void relativePathsWork() {
    const QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QDir::setCurrent(folder.path());
    put("plain", "text");
    QDir::setCurrent(before);
    QCOMPARE(contents(in(folder, "plain")), QByteArray("text"));
  }
};

GANTRY_TEST(TestAtomicFile)
#include "test_atomic_file.moc"
