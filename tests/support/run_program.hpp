#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>

namespace gantry::test {

struct RunResult {
  int exit_code = -1;
  QByteArray output, errors;
};

/// Returns how a program ended and what it said; the exit code -1 where it did not end in time.
inline RunResult run_program(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(program, arguments);
  if (!process.waitForFinished(120000)) return {};
  return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

}  // namespace gantry::test
