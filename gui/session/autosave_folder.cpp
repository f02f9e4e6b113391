#include "gui/session/autosave_folder.hpp"

#include "core/base/error.hpp"

#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QSet>
#include <QUuid>

#include <algorithm>

namespace gantry {

namespace {

const QString sessionName = QStringLiteral("session.gantry"), lockName = QStringLiteral("lock");

/// Locks a folder for this process. Returns null if another window holds the lock.
std::unique_ptr<QLockFile> lock(const QString& folder) {
  auto file = std::make_unique<QLockFile>(QDir(folder).filePath(lockName));
  file->setStaleLockTime(0);  // the lock of a living process never expires
  return file->tryLock() ? std::move(file) : nullptr;
}

}  // namespace

AutosaveFolder::AutosaveFolder(QString path, std::unique_ptr<QLockFile> lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}
AutosaveFolder::AutosaveFolder(AutosaveFolder&&) noexcept = default;
AutosaveFolder& AutosaveFolder::operator=(AutosaveFolder&&) noexcept = default;
AutosaveFolder::~AutosaveFolder() = default;

AutosaveFolder AutosaveFolder::make(const QString& base) {
  const QString path = QDir(base).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces));
  auto held = QDir().mkpath(path) ? lock(path) : nullptr;
  if (held == nullptr)
    throw OutputError("the folder for automatic saving cannot be made", path.toStdString(),
                      "make its parent folder writable, or save by hand");
  return {path, std::move(held)};
}

std::vector<AutosaveFolder> AutosaveFolder::abandoned_folders(const QString& base) {
  std::vector<std::pair<std::string, AutosaveFolder>> found;  // by time
  for (const QFileInfo& entry : QDir(base).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    auto held = lock(entry.filePath());
    if (held == nullptr) continue;
    AutosaveFolder folder(entry.filePath(), std::move(held));
    if (const auto content = folder.content())
      found.emplace_back(content->saved, std::move(folder));
    else if (!QFileInfo::exists(folder.session()))  // one of a newer version stays
      folder.remove();
  }
  std::ranges::sort(found, std::greater{}, [](const auto& one) { return one.first; });
  std::vector<AutosaveFolder> folders;
  for (auto& [saved, folder] : found) folders.push_back(std::move(folder));
  return folders;
}

QString AutosaveFolder::file(const QString& name) const { return QDir(path_).filePath(name); }

QString AutosaveFolder::session() const { return file(sessionName); }

std::optional<SessionHead> AutosaveFolder::content() const {
  try {
    return read_session_head(session().toStdString());
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void AutosaveFolder::clear() {
  QDir folder(path_);
  QFile::remove(folder.filePath(sessionName));  // first: the folder then counts as empty
  for (const QString& name : folder.entryList(QDir::Files | QDir::Hidden))
    if (name != lockName) folder.remove(name);
}

void AutosaveFolder::remove() {
  clear();
  lock_.reset();
  QDir().rmdir(path_);
}

void write_autosave(const QString& folder, const SessionHead& session) {
  const QDir dir(folder);
  write_session(dir.filePath(sessionName).toStdString(), session, {}, FileAccess::owner);
  QSet<QString> named = {sessionName, lockName};
  for (const SessionPart& part : session.parts) named.insert(QString::fromStdString(part.file));
  for (const QString& name : dir.entryList(QDir::Files | QDir::Hidden))
    if (!named.contains(name)) QFile::remove(dir.filePath(name));
}

}  // namespace gantry
