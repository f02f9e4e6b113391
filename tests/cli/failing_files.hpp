#pragma once

#include "tests/cli/bad_input.hpp"

#include <QRegularExpression>

#include <algorithm>

namespace gantry::test {

/// Every file of a desk by its name, with what it holds.
using Files = QMap<QString, QByteArray>;

/// Two commands that write the same files, and what a failure of the later one may leave. Each call
/// with which the later command changes files fails, by the library
/// tests/support/preloaded/failing_file_calls.cpp.
struct FailingTrial {
  const char* name;
  QString older, newer;  ///< commands that write the same files, with other contents
  /// Patterns of results. All files of one pattern have to be of one of the two commands; a header
  /// includes the data that it names.
  QStringList results;
  QString next;                  ///< the command that follows a failure
  QString program = GANTRY_CLI;  ///< the program that is given the commands
};

inline FailingTrial failing_trial(const char* name, const QString& command, const QString& older,
                                  const QString& newer, const QStringList& results) {
  return {name, command.arg(older), command.arg(newer), results, command.arg(newer)};
}

/// Returns what two executions of one command have in common: curves hold times, images in DICOM
/// unique identifiers and times, which are as long each time, videos a random number in each page.
inline QByteArray lasting(const QString& name, const QByteArray& bytes) {
  if (name.endsWith(".csv")) {
    QByteArray columns;
    for (const QByteArray& line : bytes.split('\n'))
      columns += line.left(line.indexOf(',', line.indexOf(',') + 1)) + '\n';
    return columns;
  }
  if (name.endsWith(".dcm") || name.endsWith(".ogv")) return bytes.right(40);  // the picture
  if (name.endsWith(".html")) return {};
  if (name.endsWith(".pdf")) {  // holds its date, and numbers made of it
    static const QRegularExpression dates(
        "D:\\d{14}[^)]*|\\d{4}-\\d\\d-\\d\\dT[^<]*|uuid:[0-9a-f-]+|<[0-9a-fA-F]{32,}>");
    return QString::fromLatin1(bytes).remove(dates).toLatin1();
  }
  return bytes;
}

/// Removes the random part of the name of data beside a header.
inline QString without_mark(QString text) {
  static const QRegularExpression random("\\.gantry-[0-9a-f]{16}(?=\\.(f32|raw))");
  return text.remove(random);
}

inline QStringList names_without_marks(const Files& files) {
  QStringList names;
  for (const QString& name : files.keys()) names << without_mark(name);
  return names;
}

/// Returns the files of one result: name and what two executions have in common.
inline Files files_of(const Files& all, const QString& pattern) {
  static const QRegularExpression unfinished("/\\.gantry-[0-9a-f]{16}\\.(tmp|old)");
  static const QRegularExpression data("(ElementDataFile = |\"file\": ?\")([^\"\n]+)");
  static const QRegularExpression header_names("\\.(mhd|scan\\.json|gantry)$");
  const QRegularExpression of_result(pattern);
  Files result;
  for (auto file = all.begin(); file != all.end(); ++file) {
    if (!of_result.match(file.key()).hasMatch() || unfinished.match(file.key()).hasMatch())
      continue;
    result[file.key()] = lasting(file.key(), *file);
    if (!header_names.match(file.key()).hasMatch()) continue;
    const QString header = QString::fromUtf8(*file), named = data.match(header).captured(2);
    const QString folder = file.key().left(file.key().lastIndexOf('/') + 1);
    result[file.key()] = without_mark(header).toUtf8() +
                         (named.isEmpty() ? QByteArray() : all.value(folder + named, "absent"));
  }
  return result;
}

/// Runs a trial on a desk.
class FailingCommands {
 public:
  FailingCommands(const FailingTrial& trial, const Desk& desk)
      : trial_(trial), desk_(desk), at_first_(desk.contents()) {}

  /// Executes both commands as they are. Returns why the trial shows nothing; empty: it does.
  QString prepare() {
    const QString count_file = apart_.filePath("count");
    Answer answer = run(trial_.older, 0, "error");
    if (answer.code != 0) return answer.text();
    old_files_ = desk_.contents();
    answer = run(trial_.newer, 0, "error", count_file);
    if (answer.code != 0) return answer.text();
    new_files_ = desk_.contents();
    bool differ = trial_.results.isEmpty();
    for (const QString& pattern : trial_.results) {
      if (files_of(new_files_, pattern).isEmpty()) return pattern + " is not written";
      differ = differ || files_of(old_files_, pattern) != files_of(new_files_, pattern);
    }
    if (!differ) return "both commands write the same";
    calls_ = bytes_of_file(count_file).toLong();
    return calls_ > 4 ? QString() : "the library was not loaded";
  }

  /// Lets eight calls, evenly spread, fail one after the other; with GANTRY_EVERY_CALL every one.
  /// Returns a line for each that left what a user could not live with.
  QStringList complaints(const char* how) {
    const long samples =
        qEnvironmentVariableIsSet("GANTRY_EVERY_CALL") ? calls_ : std::min(8L, calls_);
    QStringList bad;
    for (long i = 0; i < samples; ++i) {
      const long number = calls_ - calls_ * i / samples;
      restore();
      const Answer answer = run(trial_.newer, number, how);
      QString wrong = complaint(answer, desk_.contents());
      const Answer next = run_program(trial_.program, words(trial_.next), desk_.path());
      if (wrong.isEmpty() && next.code != 0) wrong = "the next command fails: " + next.text();
      const Files after = desk_.contents();
      if (wrong.isEmpty() && names_without_marks(after) != names_without_marks(new_files_))
        wrong = "is left: " + QStringList(after.keys()).join(' ');
      if (!wrong.isEmpty())
        bad << QString("call %1 of %2: %3 (%4)")
                   .arg(number)
                   .arg(calls_)
                   .arg(wrong, answer.errors.trimmed());
    }
    return bad;
  }

 private:
  static QStringList words(const QString& command) {
    return command.split(' ', Qt::SkipEmptyParts);
  }

  /// The library that makes a call fail is loaded before the program. Returns an answer with the
  /// code -1 where the process was killed.
  Answer run(const QString& command, long number, const char* how,
             const QString& count_file = {}) const {
    const QList<std::pair<const char*, QByteArray>> environment = {
        {"LD_PRELOAD", GANTRY_FAILING_FILE_CALLS},
        {"FAILING_CALL", QByteArray::number(static_cast<qlonglong>(number))},
        {"FAILING_CALL_HOW", how},
        {"FAILING_CALL_COUNT", count_file.toLocal8Bit()}};
    for (const auto& [name, value] : environment)
      if (!value.isEmpty()) qputenv(name, value);
    const Answer answer = run_program(trial_.program, words(command), desk_.path());
    for (const auto& [name, value] : environment) qunsetenv(name);
    return answer;
  }

  /// Tells what a user could not live with after a failure; empty: nothing.
  QString complaint(const Answer& answer, const Files& found) const {
    bool all_new = true;
    for (const QString& pattern : trial_.results) {
      const Files files = files_of(found, pattern);
      const bool is_new = files == files_of(new_files_, pattern);
      all_new = all_new && is_new;
      if (!is_new && files != files_of(old_files_, pattern))
        return "neither old nor new: " + pattern + " in " + QStringList(found.keys()).join(' ');
    }
    if (answer.code == 0) return all_new ? QString() : "says that all is written";
    if (answer.code == -1) return {};
    if (answer.error_lines().isEmpty()) return "fails without a word";
    if (!answer.error_lines().last().startsWith(QFileInfo(trial_.program).fileName() + ": "))
      return "ends with other words";
    return answer.code == 1 ? QString() : QString("ends with %1").arg(answer.code);
  }

  /// Puts the files of the older command back, and removes all others.
  void restore() const {
    const Files found = desk_.contents();
    QStringList names = found.keys();
    std::sort(names.begin(), names.end(), std::greater<>());  // the files of a folder before it
    for (const QString& name : names)
      if (!at_first_.contains(name)) {
        if (found.value(name) == "folder")
          QDir().rmdir(name);
        else
          QFile::remove(name);
      }
    for (auto file = old_files_.begin(); file != old_files_.end(); ++file) {
      if (*file == "folder")
        QDir().mkpath(file.key());
      else
        write_file(file.key(), *file);
    }
  }

  const FailingTrial& trial_;
  const Desk& desk_;
  const QTemporaryDir apart_;
  Files at_first_, old_files_, new_files_;
  long calls_ = 0;
};

/// Rows of a data-driven test: each trial under each kind of failure.
inline void add_failing_rows(const QList<FailingTrial>& trials) {
  QTest::addColumn<int>("index");
  QTest::addColumn<QString>("how");
  for (int i = 0; i < trials.size(); ++i)
    for (const char* how : {"error", "full", "kill"})
      QTest::addRow("%s, %s", trials[i].name, how) << i << how;
}

}  // namespace gantry::test

/// Every result of a trial is old or new, whichever call fails.
#define EXPECT_OLD_OR_NEW(trial, desk, how)                                              \
  do {                                                                                   \
    gantry::test::FailingCommands commands_((trial), (desk));                            \
    const QString problem_ = commands_.prepare();                                        \
    QVERIFY2(problem_.isEmpty(), qPrintable(problem_));                                  \
    const QStringList bad_ = commands_.complaints((how));                                \
    QVERIFY2(bad_.isEmpty(),                                                             \
             qPrintable(QString("%1 calls: %2").arg(bad_.size()).arg(bad_.join('\n')))); \
  } while (false)
