#include "gui/session/autosave_folder.hpp"

#include "core/base/error.hpp"
#include "core/io/files/atomic_file.hpp"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QSet>
#include <QUuid>

#include <algorithm>
#include <span>

namespace gantry {

namespace {

const QString listName = QStringLiteral("autosave.json"), lockName = QStringLiteral("lock");
const QString kind = QStringLiteral("gantry-autosave");
constexpr int version = 1;

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
  std::vector<std::pair<QDateTime, AutosaveFolder>> found;
  for (const QFileInfo& entry : QDir(base).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    auto held = lock(entry.filePath());
    if (held == nullptr) continue;
    AutosaveFolder folder(entry.filePath(), std::move(held));
    if (const auto content = folder.content())
      found.emplace_back(content->saved, std::move(folder));
    else
      folder.remove();
  }
  std::ranges::sort(found, std::greater{}, [](const auto& one) { return one.first; });
  std::vector<AutosaveFolder> folders;
  for (auto& [saved, folder] : found) folders.push_back(std::move(folder));
  return folders;
}

QString AutosaveFolder::file(const QString& name) const { return QDir(path_).filePath(name); }

std::optional<AutosaveContent> AutosaveFolder::content() const {
  QFile list(file(listName));
  if (!list.open(QIODevice::ReadOnly)) return std::nullopt;
  const QJsonObject json = QJsonDocument::fromJson(list.readAll()).object();
  if (json[QStringLiteral("format")].toString() != kind ||
      json[QStringLiteral("version")].toInt() != version)
    return std::nullopt;
  AutosaveContent content;
  content.saved =
      QDateTime::fromString(json[QStringLiteral("saved")].toString(), Qt::ISODateWithMs);
  content.path = json[QStringLiteral("path")].toString();
  content.experiment = json[QStringLiteral("experiment")].toString().toStdString();
  for (const QJsonValue& run : json[QStringLiteral("runs")].toArray())
    content.runs[run[QStringLiteral("place")].toInt()] = run[QStringLiteral("file")].toString();
  return content;
}

void AutosaveFolder::clear() {
  QDir folder(path_);
  QFile::remove(folder.filePath(listName));  // first: without the list, the folder counts as empty
  for (const QString& name : folder.entryList(QDir::Files | QDir::Hidden))
    if (name != lockName) folder.remove(name);
}

void AutosaveFolder::remove() {
  clear();
  lock_.reset();
  QDir().rmdir(path_);
}

void write_autosave(const QString& folder, const AutosaveContent& content) {
  QJsonArray runs;
  QSet<QString> named = {listName, lockName};
  for (const auto& [place, file] : content.runs) {
    runs.append(QJsonObject{{QStringLiteral("place"), place}, {QStringLiteral("file"), file}});
    named.insert(file);
  }
  const QJsonObject json = {
      {QStringLiteral("format"), kind},
      {QStringLiteral("version"), version},
      {QStringLiteral("saved"), content.saved.toString(Qt::ISODateWithMs)},
      {QStringLiteral("path"), content.path},
      {QStringLiteral("experiment"), QString::fromStdString(content.experiment)},
      {QStringLiteral("runs"), runs}};
  const QByteArray text = QJsonDocument(json).toJson();
  write_file_atomically(
      QDir(folder).filePath(listName).toStdString(),
      std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(text.size()))),
      FileAccess::owner);
  QDir dir(folder);
  for (const QString& name : dir.entryList(QDir::Files | QDir::Hidden))
    if (!named.contains(name)) dir.remove(name);
}

}  // namespace gantry
