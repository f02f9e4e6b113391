#pragma once

#include "core/job/checkpoint.hpp"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>
#include <vector>

class QLockFile;

namespace gantry {

/// What a window has saved: its experiment, and a checkpoint of each run that has computed.
struct AutosaveContent {
  QDateTime saved;
  QString path;                 ///< file of the experiment; empty: none
  std::string experiment;       ///< in the format of format_experiment
  std::map<int, QString> runs;  ///< by index in the experiment: file name of the checkpoint
};

/// A folder with what one window has saved. The window holds the lock of the folder as long as the
/// window lives; a folder without a lock was left by a killed window. Checkpoints are written
/// before the list that names them, so that the list names only complete files.
class AutosaveFolder {
 public:
  /// Makes a new folder below `base`. Throws OutputError.
  static AutosaveFolder make(const QString& base);
  /// Returns the folders below `base` that killed windows have left, the latest first. Removes
  /// those without content.
  static std::vector<AutosaveFolder> abandoned_folders(const QString& base);

  AutosaveFolder(AutosaveFolder&&) noexcept;
  AutosaveFolder& operator=(AutosaveFolder&&) noexcept;
  ~AutosaveFolder();

  const QString& path() const { return path_; }
  QString file(const QString& name) const;
  /// Returns what the folder holds; nothing if no save was completed.
  std::optional<AutosaveContent> content() const;
  /// Removes the files in the folder.
  void clear();
  /// Removes the folder; this object must not be used afterwards.
  void remove();

 private:
  AutosaveFolder(QString path, std::unique_ptr<QLockFile> lock);

  QString path_;
  std::unique_ptr<QLockFile> lock_;
};

/// Replaces the content of a folder, and removes checkpoints that the new content does not name.
/// May be called from any thread. Throws OutputError.
void write_autosave(const QString& folder, const AutosaveContent& content);

}  // namespace gantry
