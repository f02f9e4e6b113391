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

/// What a window was at: its experiment, and the checkpoint of each run that had computed.
struct AutosaveContent {
  QDateTime saved;
  QString path;                 ///< of the experiment's file; empty: it has none
  std::string experiment;       ///< as format_experiment writes it
  std::map<int, QString> runs;  ///< by place in the experiment: the checkpoint's file in the folder
};

/// A folder in which one window keeps what it is at. The window holds its lock as long as it lives:
/// a folder that is not locked was left by a window that was killed. Its list of contents is
/// replaced last, so that whatever happens it names whole files.
class AutosaveFolder {
 public:
  /// A new one below `base`. Throws OutputError.
  static AutosaveFolder make(const QString& base);
  /// Those below `base` that windows have left, the latest first. Empty ones are removed.
  static std::vector<AutosaveFolder> left_behind(const QString& base);

  AutosaveFolder(AutosaveFolder&&) noexcept;
  AutosaveFolder& operator=(AutosaveFolder&&) noexcept;
  ~AutosaveFolder();

  const QString& path() const { return path_; }
  QString file(const QString& name) const;
  /// What the folder holds; none where nothing whole was saved.
  std::optional<AutosaveContent> content() const;
  /// Removes what it holds.
  void clear();
  /// Removes the folder itself; nothing can be kept in it any more.
  void remove();

 private:
  AutosaveFolder(QString path, std::unique_ptr<QLockFile> lock);

  QString path_;
  std::unique_ptr<QLockFile> lock_;
};

/// Replaces what a folder holds: files that the content does not name are removed then. From any
/// thread. Throws OutputError.
void write_autosave(const QString& folder, const AutosaveContent& content);

}  // namespace gantry
