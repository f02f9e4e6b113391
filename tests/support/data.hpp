#pragma once

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace gantry::test {

/// Returns the path of a file with measured data, in the folder GANTRY_DATA, else in ../shared/data
/// beside the source tree.
inline std::string data_path(const std::string& relative) {
  const char* folder = std::getenv("GANTRY_DATA");
  const std::filesystem::path root =
      folder != nullptr
          ? std::filesystem::path(folder)
          : std::filesystem::path(GANTRY_SOURCE_DIR).parent_path() / "shared" / "data";
  return (root / relative).string();
}

inline bool has_data(const std::string& relative) {
  return std::filesystem::exists(data_path(relative));
}

/// Returns the JSON object in a file of the data folder; empty if there is none.
inline QJsonObject read_json(const std::string& relative) {
  QFile file(QString::fromStdString(data_path(relative)));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QJsonDocument::fromJson(file.readAll()).object();
}

}  // namespace gantry::test

/// Skips a test, or a row of it, if its measured data are absent.
#define NEED_DATA(relative)                                                                    \
  do {                                                                                         \
    if (!gantry::test::has_data(relative))                                                     \
      QSKIP(qPrintable(                                                                        \
          QStringLiteral("%1 is absent").arg(QString::fromStdString(std::string(relative))))); \
  } while (false)
