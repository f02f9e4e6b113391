#include "gui/session/autosave.hpp"

#include "core/base/error.hpp"
#include "core/job/experiment_file.hpp"
#include "core/worker/progress_bytes.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/main_window.hpp"
#include "gui/widgets/background.hpp"
#include "gui/widgets/banners.hpp"

#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QThreadPool>
#include <QUuid>

#include <utility>

namespace gantry {

namespace {

/// Limit of the memory, and of the disk space, that all estimates and states of methods take. If a
/// run exceeds the limit, the state of its method is left out; if the run still exceeds it, the
/// estimate as well.
constexpr std::size_t most_bytes = std::size_t{2} << 30;
const QString subject = QStringLiteral("autosave"), question = QStringLiteral("restore");

}  // namespace

struct Autosave::Batch {
  AutosaveContent content;
  std::map<int, Kept> kept;
  std::map<QString, Checkpoint> checkpoints;  // by file name
  std::size_t bytes = 0;                      // size of all checkpoints
  int missing = 0;  // number of runs that the worker has not delivered yet
};

Autosave::Autosave(MainWindow& window, const QString& base, double seconds)
    : QObject(&window), window_(window), folder_(AutosaveFolder::make(base)) {
  for (AutosaveFolder& folder : AutosaveFolder::abandoned_folders(base))
    left_.emplace_back(std::move(folder));
  connect(&timer_, &QTimer::timeout, this, &Autosave::save);
  timer_.start(static_cast<int>(1000 * seconds));
  // If the data could not be made, or the user then declined to replace the experiment, restoring
  // is offered again.
  connect(&window_.controller(), &RunController::preparingChanged, this, [this] {
    if (!window_.controller().isPreparing() && std::exchange(isRestoring_, false)) offerRestoring();
  });
}

Autosave::~Autosave() {
  if (keep_) return;
  QThreadPool::globalInstance()->waitForDone();  // writes that are under way need the folder
  folder_.remove();
}

bool Autosave::isWorthKeeping(int id) const {
  const RunStatus& status = window_.controller().status(id);
  if (status.history.empty() || !status.hasEstimate()) return false;
  return status.data->grid.voxels() * sizeof(float) <= most_bytes;
}

bool Autosave::isKept(int id) const {
  const RunStatus& status = window_.controller().status(id);
  const auto found = kept_.find(id);
  return found != kept_.end() && found->second.epoch == status.epoch &&
         found->second.iterations == status.history.size();
}

void Autosave::save() {
  if (batch_) return;
  const ExperimentModel& model = window_.model();
  auto batch = std::make_shared<Batch>();
  try {
    batch->content.experiment = format_experiment(model.experiment(), "/");
  } catch (const Error& error) {
    return showFailure(QString::fromUtf8(error.what()));
  }
  batch->content.path = model.path();
  std::vector<std::pair<int, int>> changed;  // run id, index in the experiment
  for (std::size_t i = 0; i < model.runIds().size(); ++i) {
    const int id = model.runIds()[i], place = static_cast<int>(i);
    if (!isWorthKeeping(id)) continue;
    if (!isKept(id)) changed.emplace_back(id, place);
    if (const auto old = kept_.find(id); old != kept_.end()) {
      // The earlier file is listed until the new one has been written.
      batch->kept[id] = old->second;
      batch->content.runs[place] = old->second.file;
    }
  }
  const bool is_nothing =
      changed.empty() && batch->content.runs.empty() && window_.model().undoStack().isClean();
  const bool is_same = batch->content.experiment == last_.experiment &&
                       batch->content.path == last_.path && batch->content.runs == last_.runs;
  if (is_nothing) {
    folder_.clear();
    last_ = {};
    kept_.clear();
  }
  if (is_nothing || (changed.empty() && is_same)) return;
  batch_ = batch;
  batch->missing = static_cast<int>(changed.size());
  for (const auto& [id, place] : changed)
    window_.controller().requestProgress(
        id, [this, batch, id = id, place = place](
                const std::shared_ptr<const RunProgress>& progress, const std::string& backend) {
          // This save was written without the run.
          if (batch_ != batch || batch->missing <= 0) return;
          add(*batch, id, place, progress, backend);
          if (--batch->missing == 0) write(batch);
        });
  if (changed.empty()) write(batch);
}

void Autosave::add(Batch& batch, int id, int place,
                   const std::shared_ptr<const RunProgress>& progress,
                   const std::string& backend) const {
  const RunStatus& status = window_.controller().status(id);
  if (progress == nullptr || progress->solver.arrays.empty() || status.history.empty()) return;
  Checkpoint checkpoint{status.started, backend, *progress, status.history};
  if (batch.bytes + bytes_of(*progress) > most_bytes) {
    checkpoint.progress.solver = {{progress->solver.arrays[0]}, {}};
    checkpoint.progress.has_begun = false;
    checkpoint.progress.part = {};
  }
  if (batch.bytes + bytes_of(checkpoint.progress) > most_bytes) return;
  batch.bytes += bytes_of(checkpoint.progress);
  const QString file =
      QStringLiteral("%1.checkpoint").arg(QUuid::createUuid().toString(QUuid::WithoutBraces));
  batch.kept[id] = {status.epoch, status.history.size(), file};
  batch.content.runs[place] = file;
  batch.checkpoints.emplace(file, std::move(checkpoint));
}

void Autosave::write(const std::shared_ptr<Batch>& batch) {
  batch->missing = 0;
  batch->content.saved = QDateTime::currentDateTimeUtc();
  in_background<bool>(
      this,
      [batch, folder = folder_.path()] {
        for (const auto& [file, checkpoint] : batch->checkpoints)
          write_checkpoint(QDir(folder).filePath(file).toStdString(), checkpoint,
                           FileAccess::owner);
        batch->checkpoints.clear();
        write_autosave(folder, batch->content);
        return true;
      },
      [this, batch](bool) { written(batch); },
      [this, batch](const QString& message) {
        if (batch_ != batch) return;
        batch_.reset();
        showFailure(message);
        emit saved();
      });
}

void Autosave::written(const std::shared_ptr<Batch>& batch) {
  if (batch_ != batch) return;
  batch_.reset();
  kept_ = batch->kept;
  last_ = batch->content;
  emit saved();
}

void Autosave::showFailure(const QString& message) {
  window_.banners().show(subject, Banners::Kind::error,
                         tr("The automatic save failed: %1").arg(message));
}

// ---- Before the program ends

void Autosave::waitForBatch(int milliseconds) {
  if (!batch_) return;
  QEventLoop loop;
  connect(this, &Autosave::saved, &loop, &QEventLoop::quit);
  QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
  loop.exec(QEventLoop::ExcludeUserInputEvents);
}

bool Autosave::saveNow(int milliseconds) {
  for (const int id : window_.model().runIds())
    if (window_.controller().status(id).isActive()) {
      window_.controller().pause(id);
      paused_.push_back(id);
    }
  waitForBatch(milliseconds);  // of an earlier save
  if (!batch_) save();
  waitForBatch(milliseconds);
  if (batch_ && batch_->missing > 0) {  // a step takes too long: its run keeps its earlier save
    write(batch_);
    waitForBatch(milliseconds);
    return false;
  }
  return !batch_;
}

void Autosave::resumePaused() {
  for (const int id : std::exchange(paused_, {})) window_.controller().resume(id);
}

// ---- Restoring what killed windows have saved

/// Returns a description such as "head.json of 03/04/2026 10:22, 2 runs with results".
QString Autosave::nameOf(const AutosaveContent& content) const {
  const QString title = QJsonDocument::fromJson(QByteArray::fromStdString(content.experiment))
                            .object()[QStringLiteral("title")]
                            .toString();
  const QString name = content.path.isEmpty() ? title : QFileInfo(content.path).fileName();
  return tr("%1 of %2, %n run(s) with results", nullptr, static_cast<int>(content.runs.size()))
      .arg(name.isEmpty() ? tr("Untitled") : name,
           QLocale().toString(content.saved.toLocalTime(), QLocale::ShortFormat));
}

void Autosave::offerRestoring() {
  QStringList names;
  std::vector<Banners::Action> restores, discards;
  const QString restoring =
                    tr("Opens the experiment with its estimates and curves; runs can be continued"),
                discarding = tr("Deletes the saved experiment and its results");
  for (std::size_t i = 0; i < left_.size(); ++i) {
    const auto content = left_[i] ? left_[i]->content() : std::nullopt;
    if (!content) continue;
    names << nameOf(*content);
    restores.push_back({names.back(), restoring, [this, i] { restore(i); }});
    discards.push_back({names.back(), discarding, [this, i] { discard(i); }});
  }
  if (names.isEmpty()) return window_.banners().clear(question);
  const auto one_of = [&](const QString& text, const std::vector<Banners::Action>& choices) {
    return choices.size() == 1 ? Banners::Action{text, choices[0].tip, choices[0].act}
                               : Banners::Action{text, choices[0].tip, {}, choices};
  };
  window_.banners().ask(question,
                        tr("Gantry ended unexpectedly. These experiments can be restored: %1.")
                            .arg(names.join(QStringLiteral("; "))),
                        {one_of(tr("Restore"), restores), one_of(tr("Discard…"), discards)});
}

void Autosave::discard(std::size_t index) {
  const auto content = left_[index]->content();
  const QString lost =
      tr("%1 cannot be restored any more.").arg(content ? nameOf(*content) : QString());
  if (window_.unsavedWork().mayDiscard(tr("Discard the automatic save"), lost)) {
    left_[index]->remove();
    left_[index].reset();
  }
  offerRestoring();  // the remaining ones
}

void Autosave::restore(std::size_t index) {
  if (!window_.unsavedWork().mayLose(tr("Restore"), [this, index] { restore(index); }))
    return offerRestoring();
  window_.banners().clear(question);
  struct Left {
    Experiment experiment;
    std::map<int, Checkpoint> runs;
    QStringList problems;
  };
  const AutosaveFolder& folder = *left_[index];
  const auto failed = [this, index](const QString& message) {
    window_.banners().show(subject, Banners::Kind::error,
                           tr("The experiment cannot be restored: %1").arg(message));
    offerRestoring();
  };
  const auto content = folder.content();
  if (!content) return failed(tr("the list of saved files (autosave.json) is missing"));
  in_background<Left>(
      this,
      [content, path = folder.path(), &catalog = window_.catalog()] {
        Left left{parse_experiment(content->experiment, path.toStdString(), "/", catalog), {}, {}};
        for (const auto& [place, file] : content->runs) try {
            left.runs.emplace(place,
                              read_checkpoint(QDir(path).filePath(file).toStdString(), catalog));
          } catch (const InputError& error) {
            // The experiment and the other runs are restored nevertheless.
            left.problems << QString::fromUtf8(error.what());
          }
        return left;
      },
      [this, index](Left left) {
        if (!left.problems.isEmpty())
          window_.banners().show(
              subject, Banners::Kind::error,
              tr("A run cannot be restored: %1").arg(left.problems.join(QLatin1Char('\n'))));
        adopt(index, left.experiment,
              std::make_shared<const std::map<int, Checkpoint>>(std::move(left.runs)));
      },
      failed);
}

/// Loads the data of the experiment and then replaces the open experiment. The folder of the killed
/// window becomes the folder of this window, so that the saved results are on disk at all times.
void Autosave::adopt(std::size_t index, const Experiment& experiment,
                     const std::shared_ptr<const std::map<int, Checkpoint>>& runs) {
  isRestoring_ = true;
  window_.controller().prepareOther(experiment, [this, index, runs](const Experiment& opened) {
    folder_.remove();
    const auto content = left_[index]->content();
    folder_ = std::move(*left_[index]);
    left_[index].reset();
    batch_.reset();
    kept_.clear();
    last_ = content.value_or(AutosaveContent{});
    window_.model().reset(opened, last_.path);
    window_.model().markUnsaved();
    offerRestoring();  // the remaining ones
    // The runs are restored after all slots of the signals about the new data have run.
    QTimer::singleShot(0, this, [this, runs] {
      const std::vector<int>& ids = window_.model().runIds();
      for (const auto& [place, checkpoint] : *runs)
        if (static_cast<std::size_t>(place) < ids.size())
          window_.controller().restore(ids[static_cast<std::size_t>(place)], checkpoint.run,
                                       checkpoint.history,
                                       std::make_shared<RunProgress>(checkpoint.progress));
      emit restored();
    });
  });
}

}  // namespace gantry
