#include "gui/panels/unsaved_work.hpp"

#include "gui/panels/file_actions.hpp"

#include <QDir>
#include <QFileInfo>

namespace gantry {

namespace {

/// "head-results" beside head.json, or "head-results-2" where that is taken.
QString new_folder_beside(const QString& experiment) {
  const QFileInfo file(experiment);
  const QString first = file.dir().filePath(file.completeBaseName() + QStringLiteral("-results"));
  QString folder = first;
  for (int n = 2; QFileInfo::exists(folder); ++n) folder = first + QStringLiteral("-%1").arg(n);
  return folder;
}

}  // namespace

UnsavedWork::UnsavedWork(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                         FileActions& files, QObject* parent)
    : QObject(parent), catalog_(catalog), model_(model), controller_(controller), files_(files) {
  connect(&files_, &FileActions::volumeSaved, this, &UnsavedWork::volumeSaved);
  connect(&files_, &FileActions::failed, this, &UnsavedWork::giveUp);
}

void UnsavedWork::excuseRuns() {
  excused_.clear();
  // Their first start, which may still wait for the data, is the next.
  for (const int id : model_.runIds()) excused_[id] = 1;
}

bool UnsavedWork::edits() const { return !model_.undoStack().isClean(); }

UnsavedWork::Mark UnsavedWork::markOf(int id) const {
  const RunStatus& status = controller_.status(id);
  return {status.epoch, status.history.size()};
}

std::vector<int> UnsavedWork::results() const {
  std::vector<int> ids;
  for (const int id : model_.runIds()) {
    const Mark mark = markOf(id);
    if (mark.iterations == 0 || !controller_.status(id).hasEstimate()) continue;
    const auto known = saved_.find(id);
    const auto excused = excused_.find(id);
    const bool is_saved = known != saved_.end() && known->second == mark;
    if (!is_saved && (excused == excused_.end() || excused->second != mark.epoch))
      ids.push_back(id);
  }
  return ids;
}

QString UnsavedWork::description() const {
  QStringList lines;
  if (edits()) lines << tr("The experiment has changes that are not saved.");
  QStringList names;
  for (const int id : results())
    names << QString::fromStdString(run_label(*model_.run(id), catalog_));
  if (!names.isEmpty())
    lines << tr("These results are not saved: %1.").arg(names.join(QStringLiteral("; ")));
  return lines.join(QLatin1Char('\n'));
}

void UnsavedWork::save() {
  const std::vector<int> ids = results();
  if (edits() || model_.path().isEmpty()) files_.saveAction()->trigger();
  if (edits() || model_.path().isEmpty()) return;  // nobody named a file, or it failed
  if (ids.empty()) return emit saved();
  const QString folder = new_folder_beside(model_.path());
  if (!QDir().mkpath(folder))
    return emit files_.failed(tr("Save results"), tr("%1: the folder cannot be made").arg(folder));
  pending_ = {ids.begin(), ids.end()};
  int index = 0;
  for (const int id : ids)
    files_.saveVolume(id, QDir(folder).filePath(volume_file_name(
                              index++, QString::fromStdString(model_.run(id)->solver))));
}

void UnsavedWork::volumeSaved(int id) {
  saved_[id] = markOf(id);
  if (pending_.erase(id) > 0 && pending_.empty()) emit saved();
}

}  // namespace gantry
