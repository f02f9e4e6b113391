#pragma once

#include "core/job/session_file.hpp"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QLockFile;

namespace gantry {

/// A folder with what one window has saved: a session, whose checkpoints lie in files of their own,
/// so that only what has changed is written again. The window holds the lock of the folder as long
/// as the window lives; a folder without a lock was left by a window that was killed, or kept by
/// one that was closed. Checkpoints are written before the session that names them, so that the
/// session names only complete files.
class AutosaveFolder {
 public:
  /// Makes a new folder below `base`. Throws OutputError.
  static AutosaveFolder make(const QString& base);
  /// Returns the folders below `base` that windows have left, the latest first. Removes those
  /// without a session.
  static std::vector<AutosaveFolder> abandoned_folders(const QString& base);

  AutosaveFolder(AutosaveFolder&&) noexcept;
  AutosaveFolder& operator=(AutosaveFolder&&) noexcept;
  ~AutosaveFolder();

  const QString& path() const { return path_; }
  QString file(const QString& name) const;
  /// Returns the head of the session; nothing if no save was completed, or it cannot be read.
  std::optional<SessionHead> content() const;
  /// Returns the path of the session.
  QString session() const;
  /// Removes the files in the folder.
  void clear();
  /// Removes the folder; this object must not be used afterwards.
  void remove();

 private:
  AutosaveFolder(QString path, std::unique_ptr<QLockFile> lock);

  QString path_;
  std::unique_ptr<QLockFile> lock_;
};

/// Replaces the session of a folder, and removes checkpoints that the new session does not name.
/// May be called from any thread. Throws OutputError.
void write_autosave(const QString& folder, const SessionHead& session);

}  // namespace gantry
