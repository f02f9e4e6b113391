#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <cstring>
#include <string>
#include <vector>

namespace gantry::test {

/// Returns everything that a file holds; nothing where it cannot be read.
inline QByteArray bytes_of_file(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
inline QByteArray bytes_of_file(const std::string& path) {
  return bytes_of_file(QString::fromStdString(path));
}

/// Writes a file anew; ends the test program where that fails.
inline void write_file(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush())
    qFatal("cannot write the test file %s", qPrintable(path));
}
inline void write_file(const std::string& path, const QByteArray& bytes) {
  write_file(QString::fromStdString(path), bytes);
}

/// Returns float32 values as they lie in memory.
inline std::vector<float> floats_in(const QByteArray& bytes) {
  std::vector<float> values(static_cast<std::size_t>(bytes.size()) / sizeof(float));
  std::memcpy(values.data(), bytes.constData(), values.size() * sizeof(float));
  return values;
}

}  // namespace gantry::test
