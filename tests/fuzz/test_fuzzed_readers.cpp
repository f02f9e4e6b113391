// The readers under few changes of the fuzzer's seeds, the same in each run, and, with
// GANTRY_FUZZ_SECONDS, for so many seconds in all under others, which GANTRY_FUZZ_SEED repeats. The
// fuzzer itself (tests/fuzz/run) goes on from what leads to new code.
#include "core/base/error.hpp"
#include "tests/fuzz/changed_bytes.hpp"
#include "tests/fuzz/fuzzed_readers.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QDeadlineTimer>
#include <QDir>
#include <QTemporaryFile>
#include <QtTest>

#include <functional>
#include <new>
#include <random>
#include <stdexcept>
#include <unistd.h>

using namespace gantry::test;

namespace {

const QString sources = QStringLiteral(GANTRY_SOURCE_DIR "/tests/fuzz");
constexpr int changes = 100;  // of each seed

std::vector<std::uint8_t> bytes_of(const QString& path) {
  const QByteArray bytes = bytes_of_file(path);
  return {bytes.begin(), bytes.end()};
}

/// Keeps what is written to standard error during its life from there.
class KeptErrors {
 public:
  KeptErrors() : usual_(dup(STDERR_FILENO)) {
    if (!file_.open() || usual_ < 0 || dup2(file_.handle(), STDERR_FILENO) < 0)
      qFatal("standard error cannot be kept");
  }
  ~KeptErrors() {
    dup2(usual_, STDERR_FILENO);
    close(usual_);
  }
  KeptErrors(const KeptErrors&) = delete;
  KeptErrors& operator=(const KeptErrors&) = delete;
  QByteArray text() { return bytes_of_file(file_.fileName()); }

 private:
  QTemporaryFile file_;
  int usual_;
};

}  // namespace

class TestFuzzedReaders : public QObject {
  Q_OBJECT
  static void add_readers() {
    QTest::addColumn<QString>("key");
    for (const FuzzedReader& reader : fuzzed_readers())
      QTest::newRow(reader.key.c_str()) << QString::fromStdString(reader.key);
  }
  static double fuzz_seconds() { return qEnvironmentVariable("GANTRY_FUZZ_SECONDS").toDouble(); }
  static QFileInfoList files_in(const QString& folder, const QString& key) {
    return QDir(sources + "/" + folder + "/" + key).entryInfoList(QDir::Files, QDir::Name);
  }

 private slots:
  /// What the readers refuse at once would show nothing when it is changed.
  void seedsAreRead_data() { add_readers(); }
  void seedsAreRead() {
    QFETCH(QString, key);
    const FuzzedReader& reader = *find_fuzzed_reader(key.toStdString());
    const QFileInfoList seeds = files_in("corpus", key);
    QVERIFY2(!seeds.isEmpty(), "no seed");
    for (const QFileInfo& seed : seeds) {
      FuzzedFile file(reader, sources.toStdString());
      const std::string fault = file.fault_with(bytes_of(seed.filePath()));
      QVERIFY2(fault.empty(), qPrintable(seed.fileName() + ": " + fault.c_str()));
      QVERIFY2(file.refusal().empty(), qPrintable(seed.fileName() + ": " + file.refusal().c_str()));
      QVERIFY(bytes_of(seed.filePath()).size() <= static_cast<std::size_t>(reader.most_bytes));
    }
  }

  void changedSeedsAreReadOrRefused_data() { add_readers(); }
  void changedSeedsAreReadOrRefused() {
    QFETCH(QString, key);
    KeptErrors written;
    FuzzedFile file(*find_fuzzed_reader(key.toStdString()), sources.toStdString());
    std::mt19937 random;
    for (const QFileInfo& seed : files_in("corpus", key)) {
      const std::vector<std::uint8_t> bytes = bytes_of(seed.filePath());
      for (int i = 0; i < changes; ++i) {
        const std::string fault = file.fault_with(changed_bytes(bytes, random));
        QVERIFY2(fault.empty(), qPrintable(QStringLiteral("change %1 of ").arg(i) +
                                           seed.fileName() + ": " + fault.c_str()));
      }
    }
    // The program says what is wrong, in one line; libraries say nothing.
    QVERIFY2(written.text().isEmpty(), written.text().constData());
  }

  void moreChangedSeedsAreReadOrRefused_data() {
    if (!(fuzz_seconds() > 0)) QSKIP("only with GANTRY_FUZZ_SECONDS");
    add_readers();
  }
  void moreChangedSeedsAreReadOrRefused() {
    QFETCH(QString, key);
    bool is_given = false;
    auto seed = qEnvironmentVariable("GANTRY_FUZZ_SEED").toUInt(&is_given);
    if (!is_given) seed = std::random_device()();
    qInfo("GANTRY_FUZZ_SEED=%u", seed);  // a crash, too, can be repeated
    std::mt19937 random(seed);
    const FuzzedReader& reader = *find_fuzzed_reader(key.toStdString());
    FuzzedFile file(
        reader, sources.toStdString(),
        reader.needs_decoder ? LibrariesRun::in_the_decoder : LibrariesRun::in_the_test);
    const QFileInfoList seeds = files_in("corpus", key);
    const QDeadlineTimer end(static_cast<qint64>(1000 * fuzz_seconds()) /
                             static_cast<qint64>(fuzzed_readers().size()));
    for (long change = 0; !end.hasExpired(); ++change) {
      const auto& of =
          seeds[static_cast<qsizetype>(random() % static_cast<unsigned>(seeds.size()))];
      const std::string fault = file.fault_with(changed_bytes(bytes_of(of.filePath()), random));
      QVERIFY2(fault.empty(), qPrintable(QStringLiteral("GANTRY_FUZZ_SEED=%1, change %2 of %3: %4")
                                             .arg(seed)
                                             .arg(change)
                                             .arg(of.fileName(), fault.c_str())));
    }
  }

  /// What the fuzzer found once is kept: found/READER.
  void whatWasFoundIsReadOrRefused_data() { add_readers(); }
  void whatWasFoundIsReadOrRefused() {
    QFETCH(QString, key);
    FuzzedFile file(*find_fuzzed_reader(key.toStdString()), sources.toStdString());
    for (const QFileInfo& found : files_in("found", key)) {
      const std::string fault = file.fault_with(bytes_of(found.filePath()));
      QVERIFY2(fault.empty(), qPrintable(found.fileName() + ": " + fault.c_str()));
    }
  }

  /// A reader that throws something else is found out.
  void faultsAreNoticed() {
    const auto fault_of = [](const std::function<void()>& act) {
      const FuzzedReader reader = {"none", "f", 10, [&](const std::string&, auto) { act(); }};
      return FuzzedFile(reader, sources.toStdString()).fault_with({});
    };
    QCOMPARE(fault_of([] {}), std::string());
    QCOMPARE(fault_of([] { throw gantry::InputError("bad", "f"); }), std::string());
    QVERIFY(!fault_of([] { throw std::out_of_range("at"); }).empty());
    QVERIFY(!fault_of([] { throw std::bad_alloc(); }).empty());
    QVERIFY(!fault_of([] { throw gantry::ShapeError("bad"); }).empty());
    QVERIFY(!fault_of([] { throw 1; }).empty());
  }
};

GANTRY_TEST(TestFuzzedReaders)
#include "test_fuzzed_readers.moc"
