#pragma once

#include <QDir>
#include <QProcess>
#include <QStandardPaths>

namespace gantry::test {

inline bool has_dciodvfy() {
  return !QStandardPaths::findExecutable(QStringLiteral("dciodvfy")).isEmpty();
}

/// Returns what dciodvfy says about the first CT image of a folder in which it finds an error;
/// nothing where it finds none in any of them.
inline QByteArray dciodvfy_errors(const QString& folder) {
  const QDir dir(folder);
  for (const QString& name : dir.entryList(QDir::Files)) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral("dciodvfy"), {QStringLiteral("-new"), dir.filePath(name)});
    process.waitForFinished(120000);
    const QByteArray said = process.readAll();
    if (said.contains("Error") || !said.contains("CTImage"))  // or it did not understand the file
      return name.toUtf8() + ": " + said;
  }
  return {};
}

}  // namespace gantry::test
