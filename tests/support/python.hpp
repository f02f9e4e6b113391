#pragma once

#include <QProcess>
#include <QStringList>

namespace gantry::test {

/// Returns a Python interpreter that can import `module`; empty if there is none.
inline QString python_with(const QString& module) {
  for (const char* name : {"python3", "/usr/bin/python3"}) {
    QProcess process;
    process.start(QString::fromLatin1(name), {QStringLiteral("-c"), "import " + module});
    if (process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit &&
        process.exitCode() == 0)
      return QString::fromLatin1(name);
  }
  return {};
}

}  // namespace gantry::test
