#include "gui/session/session_files.hpp"

#include "core/job/experiment_file.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/main_window.hpp"
#include "gui/session/session_restorer.hpp"
#include "gui/session/window_picture.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/widgets/background.hpp"

#include <QFileInfo>

namespace gantry {

SessionFiles::SessionFiles(MainWindow& window)
    : QObject(&window), window_(window), collector_(window) {
  connect(&window_.model(), &ExperimentModel::aboutToBeReplaced, this, [this] {
    ++experiment_;
    if (batch_ == nullptr) return;
    batch_->missing = 0;  // its runs are gone
    batch_.reset();
    emit window_.files().busy({});
  });
  window_.files().setSessions([this](const QString& path) { save(path); },
                              [this](const QString& path) { open(path); });
  new FilePictures(window_);
}

void SessionFiles::fail(const QString& act, const QString& path, const QString& message,
                        bool isOpening) {
  emit window_.files().busy({});
  emit window_.files().failed(act.arg(QFileInfo(path).fileName()), message, isOpening);
}

void SessionFiles::save(const QString& path) {
  emit window_.files().busy(tr("Saving the session…"));
  if (batch_ != nullptr) batch_->missing = 0;  // an earlier request, replaced by this one
  batch_ = nullptr;
  const auto batch = collector_.collect(
      {}, [this, path](const std::shared_ptr<SessionBatch>& full) { write(path, full); });
  if (batch->missing > 0) batch_ = batch;
}

void SessionFiles::write(const QString& path, const std::shared_ptr<SessionBatch>& batch) {
  batch_.reset();
  in_background<bool>(
      this,
      [batch, path] {
        const QString folder = QFileInfo(path).absolutePath();
        batch->head.experiment = format_experiment(batch->experiment, folder.toStdString());
        batch->head.path.clear();
        batch->head.is_modified = false;
        batch->listParts();
        write_session(
            path.toStdString(), batch->head,
            [&](std::size_t part) { return batch->items.at(part).checkpoint(); }, batch->access);
        return true;
      },
      [this, path, batch, experiment = experiment_](bool) {
        emit window_.files().busy({});
        if (experiment == experiment_) written(path, *batch);
      },
      [this, path](const QString& message) { fail(tr("Save %1"), path, message, false); });
}

void SessionFiles::written(const QString& path, const SessionBatch& batch) {
  window_.unsavedWork().markSaved(batch.marks);
  if (batch.is_complete) window_.unsavedWork().markTrialsSaved(batch.trials);
  window_.board().measurements().markSaved(batch.measured);
  window_.model().markSaved(path, batch.experiment);
  emit window_.files().done(tr("Saved %1").arg(path));
  emit window_.files().remark(
      batch.is_complete ? QString()
                        : tr("%1: the results are larger than a session holds. Some runs were left "
                             "out, or start anew when they are continued; save their volumes.")
                              .arg(QFileInfo(path).fileName()));
  window_.files().remember(path);
  emit saved(path);
  window_.unsavedWork().sessionSaved();
}

void SessionFiles::open(const QString& path) {
  const auto go = [this, path] {
    emit window_.files().busy(tr("Reading the session…"));
    in_background<std::shared_ptr<Session>>(
        this,
        [path, &catalog = window_.catalog()] {
          return std::make_shared<Session>(read_session(path.toStdString(), catalog));
        },
        [this, path](const std::shared_ptr<Session>& session) {
          emit window_.files().busy({});
          restore_session(window_,
                          {session, path, true, [this, path] { window_.files().remember(path); },
                           [this] { emit opened(); }});
        },
        [this, path](const QString& message) { fail(tr("Open %1"), path, message, true); });
  };
  if (window_.unsavedWork().mayLose(tr("Open %1").arg(QFileInfo(path).fileName()), go)) go();
}

}  // namespace gantry
