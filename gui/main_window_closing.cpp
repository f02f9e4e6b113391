// What the window asks before work is lost: when it closes, or when something else is opened.
#include "gui/data/file_actions.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/main_window.hpp"
#include "gui/runs/pending_bar.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"

#include <QCloseEvent>
#include <QSettings>

#include <utility>

namespace gantry {

/// Lets whatever would lose unsaved work ask UnsavedWork first.
void MainWindow::connectQuestions() {
  watchTrials();
  const Measurements& measured = board_->measurements();
  unsaved_->addDrawn(tr("Distances, angles, or names and places of regions are not saved."),
                     [&measured] { return measured.isModified(); });
  connect(&measured, &Measurements::changed, unsaved_, &UnsavedWork::changed);
  files_->setGuard([this](const QString& act, std::function<void()> later) {
    return unsaved_->mayLose(act, std::move(later));
  });
  controller_.setReplacementQuestion(
      [this](const std::function<void()>& later) { return unsaved_->mayStillLose(later); });
  controller_.setNewDataQuestion(
      [this](const std::function<void()>& later) { return unsaved_->mayLoseTrials(later); });
  controller_.setFormerDataQuestion(
      [this](const std::function<void()>& later) { return unsaved_->mayEndTrials(later); });
  pending_->setTrialsAtStake([this] { return unsaved_->trialsAtStake(); });
  connect(unsaved_, &UnsavedWork::changed, pending_, &PendingBar::refresh);
  controller_.setLossQuestion([this](int id, const QString& act, const std::function<void()>& go) {
    if (unsaved_->mayLoseRun(id, act, go)) go();
  });
}

/// Tells UnsavedWork of what was computed beside the runs.
void MainWindow::watchTrials() {
  using Mark = UnsavedWork::Mark;
  unsaved_->addTrial(
      {QStringLiteral("sweep"), [this] { return tr("the sweep of %1").arg(sweep_->sweptLabel()); },
       [this] {
         return Mark{sweep_->ticket(), sweep_->points().size()};
       },
       [this] { return sweep_->isBusy(); }, [this] { return sweep_->isKeptForUndo(); },
       [this] { return seconds_of(sweep_->points()); }});
  unsaved_->addTrial({QStringLiteral("race"), [] { return tr("the race of methods"); },
                      [this] {
                        return Mark{race_->ticket(), race_->done()};
                      },
                      [this] { return race_->isBusy(); }, [this] { return race_->isKeptForUndo(); },
                      [this] { return seconds_of(race_->results()); }});
  connect(sweep_, &SweepBoard::finished, unsaved_, &UnsavedWork::changed);
  connect(race_, &RaceBoard::finished, unsaved_, &UnsavedWork::changed);
  connect(&controller_, &RunController::dataChanged, unsaved_, &UnsavedWork::changed);
}

/// Closes the window at once, or, where results are saved first, when they are in their files.
void MainWindow::closeEvent(QCloseEvent* event) {
  if (!closing_ && keeper_ && files_->asksUser() && !std::exchange(hasKept_, true)) {
    event->ignore();
    const auto close_now = [this](Kept kept) {
      closing_ = kept == Kept::all;
      if (kept != Kept::cancelled) close();
      hasKept_ = false;
    };
    // Queued, because a window cannot be closed from within its own closeEvent().
    return keeper_([this, close_now](Kept kept) {
      QMetaObject::invokeMethod(
          this, [close_now, kept] { close_now(kept); }, Qt::QueuedConnection);
    });
  }
  const auto close_then = [this] {
    closing_ = true;
    close();
  };
  // mayLose() returns false also after a call of close_then, which sets closing_.
  if (!closing_ && !unsaved_->mayLose(tr("Close Gantry"), close_then) && !closing_)
    return event->ignore();
  QSettings settings;
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  settings.setValue(QStringLiteral("state"), arrangement());
  if (layout_ != WindowLayout::start)  // otherwise the arrangement is that of before
    settings.setValue(QStringLiteral("workspace"), static_cast<int>(layout_));
  QMainWindow::closeEvent(event);
}

}  // namespace gantry
