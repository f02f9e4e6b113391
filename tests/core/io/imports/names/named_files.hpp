#pragma once

#include "core/io/imports/folders/frame_files.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gantry::test {

/// The folder of a test in which only the names of files count.
class NamedFiles {
 protected:
  void touch(const QString& name) const {
    QVERIFY(QDir(folder_->path()).mkpath(QFileInfo(name).path()));
    QFile file(folder_->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
  }
  /// Writes files whose names hold the numbers 0, 1 and so on: "scan_%1.tif".
  void touch_series(const QString& pattern, int count, int digits = 4) const {
    for (int i = 0; i < count; ++i) touch(pattern.arg(i, digits, 10, QLatin1Char('0')));
  }
  FrameFiles list() const { return list_frame_files(folder_->path().toStdString(), {".tif"}); }
  static std::vector<std::string> names(const std::vector<std::string>& paths) {
    std::vector<std::string> all;
    for (const std::string& path : paths)
      all.push_back(std::filesystem::path(path).filename().string());
    return all;
  }
  static bool has_note(const FrameFiles& files, const std::string& part) {
    return std::ranges::any_of(
        files.notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

}  // namespace gantry::test
