// Each call with which a command changes files fails once, or the disk is full from this call on,
// or the process is killed before it: the files of a result are all old or all new, a failure is
// said in one line, and the next command leaves nothing behind. Eight calls of each command and
// kind of failure are tried, evenly spread; with GANTRY_EVERY_CALL every one is.
#include "tests/cli/bad_input.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QRegularExpression>

using namespace gantry::test;

namespace {

using Files = QMap<QString, QByteArray>;

struct Trial {
  const char* name;
  QString older, newer;  ///< commands that write the same files, with other contents
  /// Patterns of results. All files of one pattern have to be of one of the two commands; a header
  /// includes the data that it names.
  QStringList results;
  QString next;  ///< the command that follows a failure
};

Trial by(const char* name, const QString& command, const QString& older, const QString& newer,
         const QStringList& results) {
  return {name, command.arg(older), command.arg(newer), results, command.arg(newer)};
}

const QString simulate =
    "simulate --phantom %1 --geometry s.scan.json --out o.scan.json --truth t.mha";
const QString reconstruct =
    "reconstruct s.scan.json --grid 16,16 --voxel 3 --solver sirt --iterations %1 --out o.mha ";
const QString with_checkpoint = reconstruct + "--checkpoint o.checkpoint --checkpoint-every 1";

const QList<Trial> trials = {
    by("scan and truth", simulate, "discs", "shepp_logan", {"/o.scan.json$", "/t.mha$"}),
    by("volume and curves", reconstruct + "--log o.csv", "2", "3", {"/o.mha$", "/o.csv$"}),
    // A checkpoint holds times. What matters is that the run goes on from whatever is there.
    {"checkpoint",
     with_checkpoint.arg(2),
     with_checkpoint.arg(3),
     {},
     with_checkpoint.arg(4) + " --resume o.checkpoint"},
    by("MetaImage", "convert %1 o.mha", "v.mha", "w.mha", {"/o.mha$"}),
    by("MetaImage, two files", "convert %1 o.mhd", "v.mha", "w.mha", {"/o.mhd$"}),
    by("raw", "convert %1 o.raw", "v.mha", "w.mha", {"/o.mhd$"}),
    by("NRRD", "convert %1 o.nrrd", "v.mha", "w.mha", {"/o.nrrd$"}),
    by("NIfTI", "convert %1 o.nii.gz", "v.mha", "w.mha", {"/o.nii.gz$"}),
    by("NumPy", "convert %1 o.npy", "v.mha", "w.mha", {"/o.npy$"}),
    by("TIFF", "convert %1 o.tif", "v.mha", "w.mha", {"/o.tif$"}),
    by("run", "run %1 --out o", "e.json", "f.json", {"/o/SIRT-1.mha$", "/o/curves.csv$"}),
    by("script", "export s.scan.json --to rtk --grid %1,16 --out o", "16", "20",
       {"/o/s.f32$", "/o/s_rtk.py$", "/o/s_rtk.xml$"}),
    by("mapping", "mapping s.scan.json --projector siddon --grid %1,16 --out o.gmap", "16", "20",
       {"/o.gmap$"}),
    by("study", "study nonzeros --sizes %1 --out o", "64", "128",
       {"/o/footprints.csv$", "/o/footprints-curves.csv$"}),
    by("axis", "align %1 --out o.scan.json", "a.scan.json", "b.scan.json", {"/o.scan.json$"}),
#if GANTRY_HAS_DICOM
    by("DICOM", "convert %1 o", "v.mha", "w.mha", {"/o(/.*)?$"}),
#endif
};

/// The library that makes a call fail is loaded before the program. Returns an answer with the code
/// -1 where the process was killed.
Answer run_failing(const QString& command, const QString& folder, long number, const char* how,
                   const QString& count_file = {}) {
  const QList<std::pair<const char*, QByteArray>> environment = {
      {"LD_PRELOAD", GANTRY_FAILING_FILE_CALLS},
      {"FAILING_CALL", QByteArray::number(static_cast<qlonglong>(number))},
      {"FAILING_CALL_HOW", how},
      {"FAILING_CALL_COUNT", count_file.toLocal8Bit()}};
  for (const auto& [name, value] : environment)
    if (!value.isEmpty()) qputenv(name, value);
  const Answer answer = gantry_cli(command, folder);
  for (const auto& [name, value] : environment) qunsetenv(name);
  return answer;
}

/// Returns what two executions of one command have in common: curves hold times, images in DICOM
/// unique identifiers and times, which are as long each time.
QByteArray lasting(const QString& name, const QByteArray& bytes) {
  if (name.endsWith(".csv")) {
    QByteArray columns;
    for (const QByteArray& line : bytes.split('\n'))
      columns += line.left(line.indexOf(',', line.indexOf(',') + 1)) + '\n';
    return columns;
  }
  if (name.endsWith(".dcm")) return bytes.right(40);  // the voxels
  if (name.endsWith(".html")) return {};
  return bytes;
}

/// Removes the random part of the name of data beside a header.
QString without_mark(QString text) {
  static const QRegularExpression random("\\.gantry-[0-9a-f]{16}(?=\\.(f32|raw))");
  return text.remove(random);
}

/// Returns the files of one result: name and what two executions have in common.
Files files_of(const Files& all, const QString& pattern) {
  static const QRegularExpression unfinished("/\\.gantry-[0-9a-f]{16}\\.(tmp|old)");
  static const QRegularExpression data("(ElementDataFile = |\"file\": \")([^\"\n]+)");
  const QRegularExpression of_result(pattern);
  Files result;
  for (auto file = all.begin(); file != all.end(); ++file) {
    if (!of_result.match(file.key()).hasMatch() || unfinished.match(file.key()).hasMatch())
      continue;
    result[file.key()] = lasting(file.key(), *file);
    if (!file.key().endsWith(".mhd") && !file.key().endsWith(".scan.json")) continue;
    const QString header = QString::fromUtf8(*file), named = data.match(header).captured(2);
    const QString folder = file.key().left(file.key().lastIndexOf('/') + 1);
    result[file.key()] = without_mark(header).toUtf8() + all.value(folder + named, "absent");
  }
  return result;
}

/// Tells what a user could not live with after a failure; empty: nothing.
QString complaint(const Trial& trial, const Answer& answer, const Files& old_files,
                  const Files& new_files, const Files& found) {
  bool all_new = true;
  for (const QString& pattern : trial.results) {
    const Files files = files_of(found, pattern);
    const bool is_new = files == files_of(new_files, pattern);
    all_new = all_new && is_new;
    if (!is_new && files != files_of(old_files, pattern))
      return "neither old nor new: " + pattern + " in " + QStringList(found.keys()).join(' ');
  }
  if (answer.code == 0) return all_new ? QString() : "says that all is written";
  if (answer.code == -1) return {};
  if (answer.error_lines().isEmpty()) return "fails without a word";
  if (!answer.error_lines().last().startsWith("gantry-cli: ")) return "ends with other words";
  return answer.code == 1 ? QString() : QString("ends with %1").arg(answer.code);
}

/// A second volume, experiment and scan beside those of every desk.
void add_versions(const Desk& desk) {
  QByteArray volume = desk.get("v.mha");
  volume.replace(volume.size() - 96, 96, QByteArray(Desk::ramp(48)).right(96));
  desk.put("w.mha", volume);
  desk.put("f.json",
           QByteArray(desk.get("e.json")).replace("\"iterations\": 2", "\"iterations\": 3"));
  // Scans of a phantom over a whole turn, from which the axis can be found.
  for (const auto& [name, column] : {std::pair("a", "15.5"), std::pair("b", "16")}) {
    QByteArray geometry = desk.get("s.scan.json");
    geometry.replace("\"detector_columns\": 24", "\"detector_columns\": 32")
        .replace("11.5", column)
        .replace("\"step\": 30, \"count\": 12", "\"step\": 6, \"count\": 60");
    desk.put("turn.scan.json", geometry);
    const Answer made = gantry_cli(
        QString("simulate --phantom shepp_logan --geometry turn.scan.json --out %1.scan.json")
            .arg(name),
        desk.path());
    if (made.code != 0) qFatal("%s", made.text().constData());
  }
}

QStringList names_without_marks(const Files& files) {
  QStringList names;
  for (const QString& name : files.keys()) names << without_mark(name);
  return names;
}

}  // namespace

class TestCliFailingFiles : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { qputenv("OMP_NUM_THREADS", "1"); }

  void everyResultIsOldOrNew_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("how");
    for (int i = 0; i < trials.size(); ++i)
      for (const char* how : {"error", "full", "kill"})
        QTest::addRow("%s, %s", trials[i].name, how) << i << how;
  }
  void everyResultIsOldOrNew() {
    QFETCH(int, index);
    QFETCH(QString, how);
    const Trial& trial = trials[index];
    const Desk desk;
    add_versions(desk);
    const Files at_first = desk.contents();
    const QTemporaryDir apart;
    const QString count_file = apart.filePath("count");

    Answer answer = run_failing(trial.older, desk.path(), 0, "error");
    QVERIFY2(answer.code == 0, answer.text());
    const Files old_files = desk.contents();
    answer = run_failing(trial.newer, desk.path(), 0, "error", count_file);
    QVERIFY2(answer.code == 0, answer.text());
    const Files new_files = desk.contents();
    bool differ = trial.results.isEmpty();
    for (const QString& pattern : trial.results) {
      QVERIFY2(!files_of(new_files, pattern).isEmpty(), qPrintable(pattern + " is not written"));
      differ = differ || files_of(old_files, pattern) != files_of(new_files, pattern);
    }
    QVERIFY2(differ, "both commands write the same");
    const long count = bytes_of_file(count_file).toLong();
    QVERIFY2(count > 4, "the library was not loaded");

    const long samples =
        qEnvironmentVariableIsSet("GANTRY_EVERY_CALL") ? count : std::min(8L, count);
    QStringList bad;
    for (long i = 0; i < samples; ++i) {
      const long number = count - count * i / samples;
      restore(desk, at_first, old_files);
      answer = run_failing(trial.newer, desk.path(), number, how.toLatin1());
      QString wrong = complaint(trial, answer, old_files, new_files, desk.contents());
      const Answer next = gantry_cli(trial.next, desk.path());
      if (wrong.isEmpty() && next.code != 0) wrong = "the next command fails: " + next.text();
      const Files after = desk.contents();
      if (wrong.isEmpty() && names_without_marks(after) != names_without_marks(new_files))
        wrong = "is left: " + QStringList(after.keys()).join(' ');
      if (!wrong.isEmpty())
        bad << QString("call %1 of %2: %3 (%4)")
                   .arg(number)
                   .arg(count)
                   .arg(wrong, answer.errors.trimmed());
    }
    QVERIFY2(bad.isEmpty(),
             qPrintable(QString("%1 of %2: %3").arg(bad.size()).arg(samples).arg(bad.join('\n'))));
  }

 private:
  /// Puts the files of the older command back, and removes all others.
  static void restore(const Desk& desk, const Files& at_first, const Files& old_files) {
    Files found = desk.contents();
    QStringList names = found.keys();
    std::sort(names.begin(), names.end(), std::greater<>());  // the files of a folder before it
    for (const QString& name : names)
      if (!at_first.contains(name)) {
        if (found.value(name) == "folder")
          QDir().rmdir(name);
        else
          QFile::remove(name);
      }
    for (auto file = old_files.begin(); file != old_files.end(); ++file) {
      if (*file == "folder")
        QDir().mkpath(file.key());
      else
        write_file(file.key(), *file);
    }
  }
};

GANTRY_TEST(TestCliFailingFiles)
#include "test_cli_failing_files.moc"
