#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

namespace gantry::test {

/// What a program said and how it ended; `code` is -1 when it crashed or did not end.
struct Answer {
  int code = -1;
  QString output, errors;

  QStringList error_lines() const { return errors.split('\n', Qt::SkipEmptyParts); }
  /// Returns exit status, output and errors, as a message of a failed check.
  QByteArray text() const {
    return QStringLiteral("exit %1\n%2%3").arg(code).arg(output, errors).toLocal8Bit();
  }
};

inline Answer run_program(const QString& program, const QStringList& arguments,
                          const QString& folder) {
  QProcess process;
  process.setWorkingDirectory(folder);
  process.start(program, arguments);
  const bool ended = process.waitForFinished(180000);
  if (!ended) process.kill();
  Answer answer;
  if (ended && process.exitStatus() == QProcess::NormalExit) answer.code = process.exitCode();
  answer.output = QString::fromUtf8(process.readAllStandardOutput());
  answer.errors = QString::fromUtf8(process.readAllStandardError());
  return answer;
}

/// Runs gantry-cli in a folder; "a b c" stands for three arguments.
inline Answer gantry_cli(const QStringList& arguments, const QString& folder) {
  return run_program(QStringLiteral(GANTRY_CLI), arguments, folder);
}
inline Answer gantry_cli(const QString& arguments, const QString& folder) {
  return gantry_cli(arguments.split(' ', Qt::SkipEmptyParts), folder);
}

}  // namespace gantry::test

/// The program succeeded without a word of complaint.
#define EXPECT_DONE(answer)                                         \
  do {                                                              \
    const gantry::test::Answer answer_ = (answer);                  \
    QVERIFY2(answer_.code == 0, answer_.text().constData());        \
    QVERIFY2(answer_.errors.isEmpty(), answer_.text().constData()); \
  } while (false)
