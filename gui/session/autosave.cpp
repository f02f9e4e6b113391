#include "gui/session/autosave.hpp"

#include "core/base/error.hpp"
#include "core/job/experiment_file.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/help/notes_panel.hpp"
#include "gui/main_window.hpp"
#include "gui/session/session_restorer.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/start/start_page.hpp"
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

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

constexpr int edit_delay_ms = 2000;
constexpr int rest = 20;  // a regular save follows after so many times the time that one takes
constexpr std::size_t most_closed = 5;  // sessions that are kept of windows that were closed
const QString subject = QStringLiteral("autosave"), question = QStringLiteral("restore"),
              closing = QStringLiteral("closing");

}  // namespace

Autosave::Autosave(MainWindow& window, const QString& base, double longest_s, double shortest_s)
    : QObject(&window),
      window_(window),
      collector_(window),
      folder_(AutosaveFolder::make(base)),
      longest_ms_(static_cast<int>(1000 * longest_s)),
      shortest_ms_(std::min(longest_ms_, static_cast<int>(1000 * shortest_s))) {
  std::size_t closed = 0;
  for (AutosaveFolder& folder : AutosaveFolder::abandoned_folders(base)) {
    const auto content = folder.content();
    if (content && content->is_closed && ++closed > most_closed)
      folder.remove();
    else
      left_.emplace_back(std::move(folder));
  }
  connect(&timer_, &QTimer::timeout, this, &Autosave::save);
  timer_.start(shortest_ms_);
  followEdits();
  // If the data could not be made, or the user then declined to replace the experiment, restoring
  // is offered again.
  connect(&window_.controller(), &RunController::preparingChanged, this, [this] {
    if (!window_.controller().isPreparing() && std::exchange(isRestoring_, false)) offerRestoring();
  });
  connect(&window_.banners(), &Banners::cancelled, this, [this](const QString& of) {
    if (of == closing) report(MainWindow::Kept::cancelled);
  });
}

/// The results of runs that compute are left to the regular saves: those of a large volume take
/// longer than an edit.
void Autosave::followEdits() {
  afterEdits_.setSingleShot(true);
  afterEdits_.setInterval(std::min(edit_delay_ms, timer_.interval()));
  connect(&afterEdits_, &QTimer::timeout, this,
          [this] { batch_ ? afterEdits_.start() : begin(std::exchange(next_, Reason::edited)); });
  const auto soon = [this] {
    if (!afterEdits_.isActive()) afterEdits_.start();
  };
  connect(this, &Autosave::restored, this, [this] { isAdopting_ = false; });
  connect(&window_.model(), &ExperimentModel::changed, this, soon);
  connect(&window_.notes(), &NotesPanel::edited, this, soon);
  connect(&window_.board().measurements(), &Measurements::changed, this, soon);
  connect(&window_, &MainWindow::layoutChanged, this, soon);
  connect(&window_.race(), &RaceBoard::finished, this, soon);
  // What sweeps and whole runs have computed may have taken minutes: it is saved, too.
  const auto results = [this, soon] {
    next_ = Reason::regular;
    soon();
  };
  connect(&window_.sweep(), &SweepBoard::finished, this, results);
  connect(&window_.controller(), &RunController::stateChanged, this, [this, results](int id) {
    if (window_.controller().status(id).state == RunState::finished) results();
  });
}

Autosave::~Autosave() {
  if (keep_) return;
  QThreadPool::globalInstance()->waitForDone();  // writes that are under way need the folder
  folder_.remove();
}

std::optional<SessionCollector::Known> Autosave::known(const SessionKey& key) const {
  if (const auto found = kept_.find(key); found != kept_.end())
    return SessionCollector::Known{found->first, found->second};
  if (key.role != SessionRole::run) return std::nullopt;
  const auto older = std::ranges::find_if(kept_, [&](const auto& item) {
    return item.first.role == SessionRole::run && item.first.run == key.run;
  });
  if (older == kept_.end()) return std::nullopt;
  return SessionCollector::Known{older->first, older->second};
}

bool Autosave::isSame(const SessionBatch& batch) const {
  const SessionHead& head = batch.head;
  std::vector<SessionPart> parts;
  for (const SessionBatch::Item& item : batch.items) parts.push_back(item.part);
  return head.experiment == last_.experiment && head.path == last_.path &&
         head.window == last_.window && head.reference_label == last_.reference_label &&
         head.is_closed == last_.is_closed && parts == last_.parts;
}

void Autosave::save() { begin(Reason::regular); }

/// Returns whether the window awaits results that it has had: those of a session that is being
/// restored, or of a run that goes on from an earlier iterate. A save would not contain them.
bool Autosave::isArriving() const {
  return isAdopting_ || std::ranges::any_of(window_.model().runIds(), [this](int id) {
           const RunStatus& run = window_.controller().status(id);
           return !run.history.empty() && run.state == RunState::idle;
         });
}

/// Returns whether a save would remove results of the last one.
bool Autosave::drops(const SessionBatch& batch) const {
  return std::ranges::any_of(last_.parts, [&batch](const SessionPart& part) {
    return std::ranges::none_of(batch.items, [&part](const SessionBatch::Item& item) {
      return item.part.file == part.file;
    });
  });
}

void Autosave::begin(Reason reason) {
  if (batch_) return;
  if (isArriving()) {
    if (reason == Reason::closing) return report(MainWindow::Kept::all);  // as they were left
    next_ = reason;
    return afterEdits_.start();
  }
  std::string experiment;
  try {
    experiment = format_experiment(window_.model().experiment(), folder_.path().toStdString());
  } catch (const Error& error) {
    showFailure(QString::fromUtf8(error.what()));
    return report(MainWindow::Kept::nothing);
  }
  const auto batch = collector_.collect(
      [this](const SessionKey& key) { return known(key); },
      [this](const std::shared_ptr<SessionBatch>& full) {
        if (batch_ == full) write(full);
      },
      reason == Reason::edited ? SessionCollector::Extent::known : SessionCollector::Extent::all);
  // What the files of the last save hold belongs to earlier starts of the runs.
  if (reason == Reason::edited && drops(*batch)) return begin(Reason::regular);
  batch->head.experiment = std::move(experiment);
  batch->head.is_closed = reason == Reason::closing;
  const bool is_new = batch->missing > 0 || std::ranges::any_of(batch->items, [](const auto& item) {
                        return item.is_new;
                      });
  const bool is_nothing = reason != Reason::closing && isNothing(*batch);
  if (is_nothing) {
    folder_.clear();
    last_ = {};
    kept_.clear();
  }
  if (is_nothing || (!is_new && isSame(*batch))) {
    batch->missing = 0;
    return report(MainWindow::Kept::all);
  }
  batch_ = batch;
  duration_.start();
  if (batch->missing == 0) write(batch);
}

/// Returns whether there are neither results, nor edits, nor notes, nor a race.
bool Autosave::isNothing(const SessionBatch& batch) const {
  const auto has_results = [this](int id) {
    return !window_.controller().status(id).history.empty();
  };
  return batch.missing == 0 && batch.items.empty() && window_.race().results().empty() &&
         std::ranges::none_of(window_.model().runIds(), has_results) &&
         window_.model().undoStack().isClean() && window_.notes().text().isEmpty();
}

void Autosave::write(const std::shared_ptr<SessionBatch>& batch) {
  batch->missing = 0;
  for (SessionBatch::Item& item : batch->items)
    if (item.is_new && item.part.file.empty())
      item.part.file = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString() +
                       (item.key.role == SessionRole::run ? ".checkpoint" : ".estimate");
  batch->listParts();
  in_background<bool>(
      this,
      [batch, folder = folder_.path()] {
        for (const SessionBatch::Item& item : batch->items)
          if (item.is_new)
            write_checkpoint(
                QDir(folder).filePath(QString::fromStdString(item.part.file)).toStdString(),
                item.checkpoint(), FileAccess::owner);
        write_autosave(folder, batch->head);
        return true;
      },
      [this, batch](bool) { written(batch); },
      [this, batch](const QString& message) {
        if (batch_ != batch) return;
        batch_.reset();
        showFailure(message);
        report(MainWindow::Kept::nothing);
        emit saved();
      });
}

void Autosave::written(const std::shared_ptr<SessionBatch>& batch) {
  if (batch_ != batch) return;
  batch_.reset();
  kept_.clear();
  for (const SessionBatch::Item& item : batch->items)
    kept_[item.key] = QString::fromStdString(item.part.file);
  last_ = batch->head;
  timer_.start(
      static_cast<int>(std::clamp<qint64>(rest * duration_.elapsed(), shortest_ms_, longest_ms_)));
  // An earlier save was under way when the window was to close.
  if (afterSaving_ && !last_.is_closed) return begin(Reason::closing);
  report(batch->is_complete ? MainWindow::Kept::all : MainWindow::Kept::nothing);
  emit saved();
}

/// Tells what waits for the end of a save, if anything does.
void Autosave::report(MainWindow::Kept kept) {
  if (const auto after = std::exchange(afterSaving_, {})) after(kept);
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

void Autosave::pauseRuns() {
  for (const int id : window_.model().runIds())
    if (window_.controller().status(id).isActive()) {
      window_.controller().pause(id);
      paused_.push_back(id);
    }
}

bool Autosave::saveNow(int milliseconds) {
  pauseRuns();
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

void Autosave::keepOnClose() {
  keepsOnClose_ = true;
  window_.setKeeper([this](const auto& then) { keepThen(then); });
}

/// Saves everything and tells whether that has worked. The user may cancel.
void Autosave::keepThen(const std::function<void(MainWindow::Kept)>& then) {
  if (window_.controller().data() == nullptr || window_.unsavedWork().isProgramsOwn())
    return then(MainWindow::Kept::nothing);
  window_.banners().show(closing, Banners::Kind::progress, tr("Saving the session…"));
  pauseRuns();
  afterSaving_ = [this, then](MainWindow::Kept kept) {
    window_.banners().clear(closing);
    keep_ = kept == MainWindow::Kept::all;
    // Where the window stays, because the user cancels or is asked and says no, the runs go on.
    if (!keep_) resumePaused();
    then(kept);
  };
  begin(Reason::closing);
}

// ---- What earlier windows have left

QString Autosave::nameOf(const SessionHead& session) const {
  const QString title = QJsonDocument::fromJson(QByteArray::fromStdString(session.experiment))
                            .object()[QStringLiteral("title")]
                            .toString();
  const QString path = QString::fromStdString(session.path);
  const QString name = path.isEmpty() ? title : QFileInfo(path).fileName();
  const auto runs = std::ranges::count(session.parts, SessionRole::run, &SessionPart::role);
  const auto when = QDateTime::fromString(QString::fromStdString(session.saved), Qt::ISODateWithMs);
  return (runs == 1 ? tr("%1 of %2, %3 run with results") : tr("%1 of %2, %3 runs with results"))
      .arg(name.isEmpty() ? tr("Untitled") : name,
           QLocale().toString(when.toLocalTime(), QLocale::ShortFormat))
      .arg(runs);
}

std::vector<Autosave::Earlier> Autosave::earlier() const {
  std::vector<Earlier> all;
  for (std::size_t i = 0; i < left_.size(); ++i)
    if (const auto content = left_[i] ? left_[i]->content() : std::nullopt)
      all.push_back({i, nameOf(*content), !content->is_closed, *content});
  return all;
}

void Autosave::offerOn(StartPage& page) {
  const auto offer = [this, &page] {
    std::vector<StartPage::Session> sessions;
    for (const Earlier& one : earlier())
      sessions.push_back(
          {one.name, session_picture(one.head), [this, i = one.index] { restore(i); }});
    page.setSessions(std::move(sessions));
  };
  connect(this, &Autosave::earlierChanged, &page, offer);
  offer();
}

void Autosave::offerRestoring() {
  emit earlierChanged();
  QStringList names;
  std::vector<Banners::Action> restores, discards;
  const QString restoring =
                    tr("Opens the experiment with its estimates and curves; runs can be continued"),
                discarding = tr("Deletes the saved experiment and its results");
  for (const Earlier& one : earlier()) {
    if (!one.was_killed) continue;
    names << one.name;
    restores.push_back({one.name, restoring, [this, i = one.index] { restore(i); }});
    discards.push_back({one.name, discarding, [this, i = one.index] { discard(i); }});
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
  in_background<std::shared_ptr<Session>>(
      this,
      [path = left_[index]->session(), &catalog = window_.catalog()] {
        return std::make_shared<Session>(read_session(path.toStdString(), catalog));
      },
      [this, index](const std::shared_ptr<Session>& session) {
        QStringList problems;
        for (const std::string& problem : session->problems)
          problems << QString::fromStdString(problem);
        if (!problems.isEmpty())
          window_.banners().show(
              subject, Banners::Kind::error,
              tr("A run cannot be restored: %1").arg(problems.join(QLatin1Char('\n'))));
        isRestoring_ = true;
        restore_session(window_, {session, QString::fromStdString(session->head.path), false,
                                  [this, index] { adopt(index); }, [this] { emit restored(); }});
      },
      [this](const QString& message) {
        window_.banners().show(subject, Banners::Kind::error,
                               tr("The experiment cannot be restored: %1").arg(message));
        offerRestoring();
      });
}

/// The folder of the earlier window becomes the folder of this window, so that the saved results
/// are on disk at all times.
void Autosave::adopt(std::size_t index) {
  isAdopting_ = true;
  folder_.remove();
  folder_ = std::move(*left_[index]);
  left_[index].reset();
  batch_.reset();
  kept_.clear();
  last_ = folder_.content().value_or(SessionHead{});
  offerRestoring();  // the remaining ones
}

}  // namespace gantry
