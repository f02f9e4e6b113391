// A writer that is killed before any of its calls: readers find the old or the new, never a mixture
// and never nothing, and the next writer removes what was left.
#include "core/io/files/atomic_file.hpp"
#include "core/io/files/atomic_folder.hpp"
#include "core/io/files/atomic_pair.hpp"
#include "core/io/files/temporary_files.hpp"
#include "core/io/scans/geometry_json.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/raw_volume.hpp"
#include "tests/core/io/files/killed_writer.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scan_folder.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace gantry;
using namespace gantry::test;

namespace {

/// What the file system of a test cannot do; it can again at the test's end.
class Lacking {
 public:
  explicit Lacking(FileCalls calls) { file_calls = calls; }
  ~Lacking() { file_calls = {}; }
};

constexpr long many_calls = 1000;

void write_version(const ScanFolder& folder, int version) {
  const QByteArray json = QJsonDocument(small_scan()).toJson();
  const ScanGeometry geometry(parse_geometry(json.toStdString(), "small"));
  write_scan(folder.path("a.scan.json"), geometry, std::vector<float>(24, float(version)),
             "version " + std::to_string(version));
}

/// The version that header and data agree upon; 0 for a mixture.
int version_of(const ScanFolder& folder) {
  const LoadedScan scan = read_scan(folder.path("a.scan.json"));
  const auto version = static_cast<int>(scan.line_integrals.front());
  const bool alike = scan.line_integrals == std::vector<float>(24, float(version)) &&
                     scan.description == "version " + std::to_string(version);
  return alike ? version : 0;
}

void write_volume_version(const ScanFolder& folder, int version) {
  // the grid says the version too
  const VolumeGrid grid = VolumeGrid::centered(2, 2, 2, {double(version), 1, 1});
  write_raw_volume(folder.path("v.raw"), grid, std::vector<float>(8, float(version)));
}

int volume_version_of(const ScanFolder& folder) {
  const LoadedVolume volume = read_raw_volume(folder.path("v.raw"));
  const auto version = static_cast<int>(volume.mu.front());
  return volume.mu == std::vector<float>(8, float(version)) && volume.grid.spacing_mm.x == version
             ? version
             : 0;
}

void write_folder_version(const ScanFolder& folder, int version) {
  AtomicFolder output(folder.path("d"));
  const std::string text = std::to_string(version);
  for (const std::string& name : {"both." + text, std::string("shared")})
    output.write_file(name, std::as_bytes(std::span(text)));
  output.commit();
}

void write_file_version(const ScanFolder& folder, int version) {
  const std::string text = std::to_string(version);
  write_file_atomically(folder.path("e.csv"), std::as_bytes(std::span(text)));
}

/// The version that names and texts agree upon; 0 for a mixture, -1 where there is no folder.
int folder_version_of(const ScanFolder& folder) {
  const QDir d(QString::fromStdString(folder.path("d")));
  if (!d.exists()) return -1;
  QFile shared(d.filePath("shared"));
  if (!shared.open(QIODevice::ReadOnly)) return 0;
  const QByteArray version = shared.readAll();
  const QStringList names = d.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  return names == QStringList{"both." + version, "shared"} ? version.toInt() : 0;
}

qsizetype open_descriptors() {
  return QDir("/proc/self/fd").entryList(QDir::AllEntries | QDir::System).size();
}

/// Whether the file or folder that was created last is still noted as an unfinished one.
bool last_created_is_noted() { return is_temporary_of_this_program(file_calls.created); }

using Write = std::function<void(const ScanFolder&, int)>;
using Version = std::function<int(const ScanFolder&)>;

/// Kills the writer of version 2 over version 1 at each of its calls; `names` are all that a
/// finished writer leaves. Says what is wrong, or nothing.
QString problem_of(const Write& write, const Version& version, const QStringList& names) {
  int olds = 0, news = 0;
  for (long n = 0; n < many_calls; ++n) {
    const ScanFolder folder;
    write(folder, 1);
    const bool killed = is_killed_at(n, [&] { write(folder, 2); });
    const int found = version(folder);
    if (!killed)
      return found == 2 && folder.names() == names && olds > 0 && news > 0
                 ? QString()
                 : QStringLiteral("version %1, %2, old %3, new %4 times")
                       .arg(found)
                       .arg(folder.names().join(' '))
                       .arg(olds)
                       .arg(news);
    if (found != 1 && found != 2) return QStringLiteral("a mixture after %1 calls").arg(n);
    if (found == 1 && news > 0) return QStringLiteral("old again after %1 calls").arg(n);
    ++(found == 1 ? olds : news);
    write(folder, 3);
    if (version(folder) != 3 || folder.names() != names)
      return QStringLiteral("left after %1 calls: %2").arg(n).arg(folder.names().join(' '));
  }
  return QStringLiteral("the writer does not end");
}

#define NO_PROBLEM(expression)                          \
  do {                                                  \
    const QString problem_ = (expression);              \
    QVERIFY2(problem_.isEmpty(), qPrintable(problem_)); \
  } while (false)

}  // namespace

class TestKilledWriter : public QObject {
  Q_OBJECT
 private slots:
  void scansAreOldOrNew() {
    NO_PROBLEM(problem_of(write_version, version_of, {"a.f32", "a.scan.json"}));
  }

  void volumesAreOldOrNew() {
    NO_PROBLEM(problem_of(write_volume_version, volume_version_of, {"v.mhd", "v.raw"}));
  }

  void foldersAreOldOrNew() {
    NO_PROBLEM(problem_of(write_folder_version, folder_version_of, {"d"}));
  }

  void aFirstScanIsThereOrNot() {
    for (long n = 0, killed = 1; killed != 0; ++n) {
      QVERIFY(n < many_calls);
      const ScanFolder folder;
      killed = is_killed_at(n, [&] { write_version(folder, 2); }) ? 1 : 0;
      if (QFile::exists(QString::fromStdString(folder.path("a.scan.json"))))
        QCOMPARE(version_of(folder), 2);
      else
        QVERIFY(killed != 0);
      write_version(folder, 3);
      QCOMPARE(folder.names(), (QStringList{"a.f32", "a.scan.json"}));
    }
  }

  /// Where names cannot be exchanged the old folder may be hidden until the next writer.
  void foldersComeBackWithoutExchange() {
    const Lacking exchange({.exchange = false});
    const Version after_the_next_writer = [](const ScanFolder& folder) {
      const AtomicFolder given_up(folder.path("other"));
      return folder_version_of(folder);
    };
    int olds = 0, news = 0;
    for (long n = 0;; ++n) {
      QVERIFY(n < many_calls);
      const ScanFolder folder;
      write_folder_version(folder, 1);
      const bool killed = is_killed_at(n, [&] { write_folder_version(folder, 2); });
      const int found = after_the_next_writer(folder);
      QVERIFY2(found == 1 || found == 2, qPrintable(QString::number(n)));
      ++(found == 1 ? olds : news);
      QCOMPARE(folder.names(), QStringList{"d"});
      if (!killed) break;
    }
    QVERIFY(olds > 0 && news > 0);
  }

  void dataKeepTheUniqueNameWithoutLinks() {
    const Lacking links({.links = false});
    for (long n = 0;; ++n) {
      QVERIFY(n < many_calls);
      const ScanFolder folder;
      write_version(folder, 1);
      const bool killed = is_killed_at(n, [&] { write_version(folder, 2); });
      const int found = version_of(folder);
      QVERIFY2(killed ? found == 1 || found == 2 : found == 2, qPrintable(QString::number(n)));
      write_version(folder, 3);
      QCOMPARE(version_of(folder), 3);
      QCOMPARE(folder.names().size(), 2);
      if (!killed) break;
    }
  }

  void targetsThatCannotBeAreSaid() {
    const ScanFolder folder;
    write_folder_version(folder, 1);
    EXPECT_THROWS(OutputError, AtomicPair(folder.path("a.mhd"), folder.path("d")),
                  "d: is not a regular file");
    QVERIFY(symlink("loop", folder.path("loop").c_str()) == 0);
    EXPECT_THROWS(OutputError, AtomicFolder(folder.path("loop/d")),
                  "loop/d: the folder cannot be reached");
    QCOMPARE(folder_version_of(folder), 1);
  }

  /// The data cannot get the plain name: they keep the unique one, and nothing else is left.
  void dataKeepTheUniqueNameWhereTheyCannotBeRenamed() {
    const Lacking nothing({});
    const ScanFolder folder;
    write_version(folder, 1);
    QVERIFY(chmod(folder.path("a.f32").c_str(), 0640) == 0);
    file_calls.failing = {"rename", 1, EIO};
    write_version(folder, 2);
    QVERIFY(file_calls.failing.name.empty());
    QCOMPARE(version_of(folder), 2);
    QCOMPARE(folder.names().size(), 3);
    QVERIFY(folder.names().filter(".tmp").isEmpty());
    write_version(folder, 3);
    QCOMPARE(version_of(folder), 3);
    QCOMPARE(folder.names(), (QStringList{"a.f32", "a.scan.json"}));
    struct stat status = {};
    QVERIFY(stat(folder.path("a.f32").c_str(), &status) == 0);
    QCOMPARE(status.st_mode & 0777U, 0640U);  // as of the data before
  }

  /// The old folder has been renamed, and then the new one cannot be: the old one comes back.
  void anOldFolderComesBackWhereTheNewOneCannotBeRenamed() {
    const Lacking exchange({.exchange = false});
    for (const long failing : {1L, 2L}) {  // 0 is the renaming where there is no old folder
      const ScanFolder folder;
      write_folder_version(folder, 1);
      file_calls.failing = {"rename", failing, EIO};
      EXPECT_THROWS(OutputError, write_folder_version(folder, 2),
                    "the folder that is there cannot be replaced (Input/output error)");
      QVERIFY(file_calls.failing.name.empty());
      QCOMPARE(folder_version_of(folder), 1);
      QCOMPARE(folder.names(), QStringList{"d"});
    }
  }

  /// After a power cut a new name must not stand for bytes that had not reached the disk: a file is
  /// synced before it is renamed, a folder after each change of its names that others build upon.
  void whatIsRenamedIsOnTheDisk() {
    const ScanFolder folder;
    const std::string name = std::filesystem::path(folder.path("e.csv")).parent_path().filename();
    const auto calls_of = [](const auto& write) {
      std::vector<std::string> log;
      file_calls.log = &log;
      write();
      file_calls.log = nullptr;
      QStringList calls;
      for (const std::string& call : log) calls << QString::fromStdString(call);
      return calls;
    };
    const QString sync_folder = QString::fromStdString("sync " + name);
    const QStringList plain_calls = {"lock .MARK.tmp", "write .MARK.tmp", "sync .MARK.tmp",
                                     "rename .MARK.tmp e.csv", sync_folder};
    QCOMPARE(calls_of([&] { write_file_version(folder, 1); }), plain_calls);

    write_version(folder, 1);
    const QStringList pair_calls = {
        "lock .MARK.tmp",
        "lock a.MARK.f32",
        "write a.MARK.f32",
        "sync a.MARK.f32",
        "write .MARK.tmp",
        "lock .MARK.tmp",  // the second header, for the plain name
        "write .MARK.tmp",
        sync_folder,  // the data have their name before the header names them
        "sync .MARK.tmp",
        "rename .MARK.tmp a.scan.json",
        sync_folder,
        "link a.MARK.f32 .MARK.tmp",
        "rename .MARK.tmp a.f32",
        sync_folder,  // the plain name is that of the new data before the header says it
        "sync .MARK.tmp",
        "rename .MARK.tmp a.scan.json",
        sync_folder,
        "remove a.MARK.f32"};
    QCOMPARE(calls_of([&] { write_version(folder, 2); }), pair_calls);

    write_folder_version(folder, 1);
    QStringList calls = calls_of([&] { write_folder_version(folder, 2); });
    const QStringList first_calls = {"lock .MARK.tmp",    "write both.2", "sync both.2",
                                     "write shared",      "sync shared",  "sync .MARK.tmp",
                                     "rename .MARK.tmp d"};
    QCOMPARE(calls.first(9), first_calls + QStringList({"exchange .MARK.tmp d", sync_folder}));
    const Lacking exchange({.exchange = false});
    calls = calls_of([&] { write_folder_version(folder, 2); });
    // The lock keeps others from giving the old folder its name back between the two steps.
    QCOMPARE(calls.first(11), first_calls + QStringList({"lock d", "rename d .d.MARK.old",
                                                         "rename .MARK.tmp d", sync_folder}));
  }

  /// A name is taken already, or somebody locks the new file first: another name does. What another
  /// sweeper was about to remove is left to it, or to the next writer.
  void anotherNameIsTakenInstead() {
    const std::pair<Write, QStringList> writers[] = {{write_file_version, {"e.csv"}},
                                                     {write_version, {"a.f32", "a.scan.json"}},
                                                     {write_folder_version, {"d"}}};
    for (const auto& [write, names] : writers)
      for (const FailingCall& failing : {FailingCall{"open new", 0, EEXIST},
                                         {"open new", 1, EEXIST},
                                         {"flock", 0, EWOULDBLOCK},
                                         {"flock", 1, EWOULDBLOCK},
                                         {"open folder", 0, ENOENT}}) {
        if (names.front() == "d" && failing.name == "open new") continue;  // these are its files
        const ScanFolder folder;
        write(folder, 1);
        const qsizetype descriptors = open_descriptors();
        {
          const Lacking nothing({.failing = failing});
          write(folder, 2);
        }
        QCOMPARE(open_descriptors(), descriptors);
        // The name that another holds stays; a pair sweeps it at its end.
        const bool is_left =
            names.size() == 1 && failing.before == 0 &&
            failing.name ==
                (failing.error == ENOENT && names.front() == "d" ? "open folder" : "flock");
        QCOMPARE(folder.names().size(), names.size() + (is_left ? 1 : 0));
        write(folder, 3);
        QCOMPARE(folder.names(), names);
      }
  }

  /// A program that is interrupted removes what it noted: what has become a result is not noted.
  void whatIsFinishedOrGivenUpIsNotNoted() {
    const Lacking nothing({});
    const ScanFolder folder;
    const qsizetype descriptors = open_descriptors();
    for (const bool finished : {true, false}) {
      AtomicFile file(folder.path("a"));
      QVERIFY(last_created_is_noted());
      if (finished) file.commit();
      QCOMPARE(last_created_is_noted(), !finished);
    }
    QVERIFY(!last_created_is_noted());
    for (const int version : {1, 2}) {
      std::optional<AtomicFolder> output(folder.path("d"));
      QVERIFY(last_created_is_noted());
      if (version == 2) output->commit();
      output.reset();
      QVERIFY(!last_created_is_noted());
    }
    write_version(folder, 1);
    QVERIFY(!last_created_is_noted());
    EXPECT_THROWS(OutputError, AtomicFile(folder.path("no/file")), "create the folder first");
    QVERIFY(!last_created_is_noted());
    for (const char* call : {"mkdir", "open folder"}) {
      file_calls.failing = {call, 0, EACCES};
      EXPECT_THROWS(OutputError, AtomicFolder(folder.path("d")), "the folder cannot be created");
      QVERIFY(!last_created_is_noted());
    }
    QCOMPARE(folder.names(), (QStringList{"a", "a.f32", "a.scan.json", "d"}));
    QCOMPARE(open_descriptors(), descriptors);
  }

  /// Each call that fails ends in the sentence for it, with the old result in place and nothing
  /// beside it.
  void callsThatFailAreSaid_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("call");
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("error");
    QTest::addColumn<QString>("words");
    const auto add = [](const char* kind, const char* call, int before, int error, const char* w) {
      QTest::addRow("%s, %s %d, %d", kind, call, before, error)
          << kind << call << before << error << w;
    };
    add("file", "open new", 0, EACCES, "e.csv: cannot be created (Permission denied)");
    add("file", "fchmod", 0, EPERM, "e.csv: cannot be created (Operation not permitted)");
    add("file", "write", 0, EIO, "e.csv: cannot be written (Input/output error)");
    add("file", "write", 0, EINTR, "");
    add("file", "fsync", 0, EIO, "e.csv: cannot be written (Input/output error)");
    add("file", "fsync", 0, EINVAL, "");
    add("file", "fsync", 0, ENOTSUP, "");
    add("file", "flock", 0, ENOLCK, "");
    add("file", "rename", 0, EIO, "e.csv: cannot be replaced (Input/output error)");
    add("pair", "open new", 1, EACCES, "a.f32: cannot be created (Permission denied)");
    add("pair", "write", 0, ENOSPC, "a.f32: cannot be written (No space left on device)");
    add("pair", "fsync", 0, EIO, "a.f32: cannot be written (Input/output error)");
    add("folder", "open new", 0, EACCES, "both.2: cannot be written (Permission denied)");
    add("folder", "write", 0, ENOSPC, "both.2: cannot be written (No space left on device)");
    add("folder", "fsync", 1, EIO, "shared: cannot be written (Input/output error)");
    add("folder", "close", 0, EIO, "both.2: cannot be written (Input/output error)");
    add("folder", "rename", 0, EACCES, "d: the folder cannot be put in place (Permission denied)");
    add("folder", "renameat2", 0, EACCES,
        "the folder that is there cannot be replaced (Permission");
    for (const int error : {EINVAL, ENOSYS, ENOTSUP}) add("folder", "renameat2", 0, error, "");
  }
  void callsThatFailAreSaid() {
    QFETCH(QString, kind);
    QFETCH(QString, call);
    QFETCH(int, before);
    QFETCH(int, error);
    QFETCH(QString, words);
    const Write write = kind == "file"   ? Write(write_file_version)
                        : kind == "pair" ? Write(write_version)
                                         : Write(write_folder_version);
    const ScanFolder folder;
    write(folder, 1);
    const QStringList names = folder.names();
    const qsizetype descriptors = open_descriptors();
    const Lacking nothing({.failing = {call.toStdString(), before, error}});
    if (words.isEmpty())
      write(folder, 2);
    else
      EXPECT_THROWS(OutputError, write(folder, 2), words.toStdString());
    QVERIFY(file_calls.failing.name.empty());
    QVERIFY(!last_created_is_noted());
    QCOMPARE(open_descriptors(), descriptors);
    QCOMPARE(folder.names(), names);
    const int version = words.isEmpty() ? 2 : 1;
    if (kind == "file")
      QCOMPARE(bytes_of_file(folder.path("e.csv")), QByteArray::number(version));
    else
      QCOMPARE(kind == "pair" ? version_of(folder) : folder_version_of(folder), version);
  }

  /// Data that a header still names stay, also where the header was renamed.
  void namedDataAreNotSwept() {
    const ScanFolder folder;
    {
      const Lacking links({.links = false});
      write_version(folder, 1);
    }
    QVERIFY(QFile::rename(QString::fromStdString(folder.path("a.scan.json")),
                          QString::fromStdString(folder.path("kept.scan.json"))));
    write_version(folder, 2);
    QCOMPARE(read_scan(folder.path("kept.scan.json")).line_integrals, std::vector<float>(24, 1));
  }

  /// The data of a killed writer go with the next write of anything in the folder where a header of
  /// their name tells of others; but not those that some header names, whatever it is called, and
  /// not those whose header may have been moved.
  void anyWriterSweepsDataThatNoHeaderNames() {
    const ScanFolder folder;
    for (const char* digit : {"0", "1", "2"})
      folder.put(QString("b.gantry-000000000000000%1.f32").arg(digit), "data");
    folder.put("c.gantry-0000000000000003.raw", "data");
    folder.put("U.gantry-0000000000000006.RAW", "data");
    folder.put("U.MHD", "ElementDataFile = U.RAW\n");
    folder.put("f.gantry-0000000000000005.f32", "data");
    folder.put("renamed.MHD", "ElementDataFile = c.gantry-0000000000000003.raw\n");
    folder.put("b.scan.json", R"({"data": {"file": "b.gantry-0000000000000001.f32"}})");
    folder.put("moved.json", R"({"data": {"file": "b.gantry-0000000000000002.f32"}})");
    const QString alive = "b.gantry-0000000000000004.f32";
    folder.put(alive, "data");
    const int writer = open(folder.path(alive).c_str(), O_RDONLY);
    QCOMPARE(flock(writer, LOCK_EX), 0);
    QStringList kept = folder.names();
    kept.removeOne("b.gantry-0000000000000000.f32");
    kept.removeOne("U.gantry-0000000000000006.RAW");
    const auto write = [&] {
      AtomicFile file(folder.path("e.csv"));
      file.commit();
    };
    write();
    kept << "e.csv";
    kept.sort();
    QStringList found = folder.names();
    found.sort();
    QCOMPARE(found, kept);
    close(writer);
    write();
    QVERIFY(!folder.names().contains(alive));
  }

  void onlyAbandonedFilesOfWritersAreSwept() {
    const ScanFolder folder;
    const QStringList others = {".gantry-0123456789abcdeg.tmp", ".gantry-0123.tmp",
                                "a.20261122.f32", "gantry-0123456789abcdef.tmp",
                                "a.gantry-0123456789abcdef.csv"};
    for (const QString& name : others) folder.put(name, "somebody's");
    folder.put(".gantry-0123456789abcdef.tmp", "left");
    folder.put("a.gantry-0123456789abcdef.f32", "left");
    AtomicFile alive(folder.path("b"));
    alive.write("text");
    write_version(folder, 1);
    alive.commit();
    QStringList kept = others, found = folder.names();
    kept << "a.f32"
         << "a.scan.json"
         << "b";
    kept.sort();
    found.sort();
    QCOMPARE(found, kept);
  }
};

GANTRY_TEST(TestKilledWriter)
#include "test_killed_writer.moc"
