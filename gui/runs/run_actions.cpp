#include "gui/runs/run_actions.hpp"

#include "gui/views/key_list.hpp"
#include "gui/widgets/icons.hpp"

#include <algorithm>

namespace gantry {

namespace {

bool can_resume(const RunController& controller, int id) {
  const RunStatus& status = controller.status(id);
  const bool at_rest = status.state == RunState::paused || status.state == RunState::stopped;
  return at_rest && controller.isCurrent(id);
}

}  // namespace

bool can_run(const RunController& controller, int id) {
  const RunStatus& status = controller.status(id);
  if (status.isActive()) return false;
  return !(status.state == RunState::finished && controller.isCurrent(id));
}

void start_or_resume(RunController& controller, int id) {
  can_resume(controller, id) ? controller.resume(id) : controller.start(id);
}

RunActions::RunActions(ExperimentModel& model, RunController& controller, QObject* parent)
    : QObject(parent), model_(model), controller_(controller) {
  run_ = add(tr("Run"), tr("Starts runs, or resumes paused runs"), keys_of("run.start").value(0));
  pause_ = add(tr("Pause"), tr("Pauses at once; nothing is lost"), {});
  toggle_ = add(tr("Pause or run"), tr("Pauses what runs, or runs what is paused"),
                keys_of("run.toggle").value(0));
  stepIteration_ = add(tr("Step"), tr("One iteration, then pause"), keys_of("run.step").value(0));
  stepSubset_ = add(tr("Subset"),
                    tr("One subset of the views (SART: one view), then pause. A run with changed "
                       "settings continues with the new settings"),
                    keys_of("run.substep").value(0));
  stop_ = add(tr("Stop and keep"),
              tr("Ends the run; its estimate stays and can be saved, compared and continued"), {});
  discard_ = add(tr("Discard results"), {}, {});
  discard_->setObjectName(QStringLiteral("discardResults"));
  extend_ = add(tr("+%1 iterations").arg(extendBy),
                tr("Continues for %1 more iterations").arg(extendBy), {});
  run_->setIcon(lineIcon(QStringLiteral("play")));
  pause_->setIcon(lineIcon(QStringLiteral("pause")));
  stepIteration_->setIcon(lineIcon(QStringLiteral("step")));
  stepSubset_->setIcon(lineIcon(QStringLiteral("substep")));
  stop_->setIcon(lineIcon(QStringLiteral("stop")));
  extend_->setIcon(lineIcon(QStringLiteral("extend")));

  connect(run_, &QAction::triggered, this, &RunActions::startOrResume);
  connect(pause_, &QAction::triggered, this, [this] {
    for (const int id : targetsWhere(&RunStatus::isActive)) controller_.pause(id);
  });
  connect(toggle_, &QAction::triggered, this, [this] {
    const auto active = targetsWhere(&RunStatus::isActive);
    if (active.empty()) return startOrResume();
    for (const int id : active) controller_.pause(id);
  });
  connect(stepIteration_, &QAction::triggered, this, [this] {
    for (const int id : model_.runIds()) controller_.stepIteration(id);
  });
  connect(stepSubset_, &QAction::triggered, this, [this] {
    for (const int id : model_.runIds()) controller_.stepSubset(id);
  });
  connect(stop_, &QAction::triggered, this, [this] {
    for (const int id : model_.runIds()) controller_.stopAndKeep(id);
  });
  connect(discard_, &QAction::triggered, this, [this] { controller_.discard(selected_); });
  connect(extend_, &QAction::triggered, this, [this] {
    for (const int id : model_.runIds())
      if (controller_.canExtend(id)) controller_.extend(id, extendBy);
  });
  connect(&controller_, &RunController::stateChanged, this, qOverload<>(&RunActions::enable));
  connect(&controller_, &RunController::preparingChanged, this, qOverload<>(&RunActions::enable));
  connect(&model_, &ExperimentModel::changed, this, qOverload<>(&RunActions::enable));
  enable();
}

QAction* RunActions::add(const QString& text, const QString& tip, const QKeySequence& key) {
  auto* action = new QAction(text, this);
  action->setToolTip(tip);
  action->setShortcut(key);
  return action;
}

void RunActions::setSelectedRun(int id) {
  selected_ = id;
  enable();
}

std::vector<int> RunActions::targetsWhere(const Test& test) const {
  std::vector<int> found;
  for (const int id : model_.runIds())
    if (test(controller_.status(id))) found.push_back(id);
  return found;
}

std::vector<int> RunActions::startsAnew() const {
  std::vector<int> anew;
  for (const int id : model_.runIds()) {
    if (controller_.status(id).isActive() || can_resume(controller_, id)) return {};
    if (can_run(controller_, id)) anew.push_back(id);
  }
  return anew;
}

void RunActions::setRefusal(const QString& why) {
  if (why == refusal_) return;
  refusal_ = why;
  enable();
}

void RunActions::startOrResume() {
  for (const int id : model_.runIds())
    if (can_run(controller_, id)) start_or_resume(controller_, id);
}

void RunActions::enable(QAction* action, bool on, const QString& tip, const QString& why) {
  action->setEnabled(on);
  const QString key =
      action->shortcut().isEmpty()
          ? QString()
          : QStringLiteral(" (%1)").arg(action->shortcut().toString(QKeySequence::NativeText));
  action->setToolTip((on ? tip : why) + key);
}

void RunActions::enable() {
  const auto ids = model_.runIds();
  const QString none = tr("There is no run: add one");
  const auto because = [&](const QString& reason) { return ids.empty() ? none : reason; };
  const bool active = !targetsWhere(&RunStatus::isActive).empty();
  const bool runnable =
      std::ranges::any_of(ids, [this](int id) { return can_run(controller_, id); });
  const bool extendable =
      std::ranges::any_of(ids, [this](int id) { return controller_.canExtend(id); });
  const bool preparing = controller_.isPreparing();
  const QString wait = tr("The data are being prepared");
  const bool has_room = refusal_.isEmpty();
  enable(
      run_, runnable && !preparing && has_room, tr("Starts runs, or resumes paused runs"),
      preparing ? wait
      : !has_room
          ? refusal_
          : because(active       ? tr("Already running")
                    : extendable ? tr("Finished: press + to go on, or change a setting and restart")
                                 : tr("Finished: change a setting and restart")));
  enable(pause_, active, tr("Pauses at once; nothing is lost"), because(tr("Nothing is running")));
  enable(toggle_, (active || (runnable && has_room)) && !preparing,
         tr("Pauses what runs, or runs what is paused"),
         preparing   ? wait
         : !has_room ? refusal_
                     : because(tr("Nothing to run or pause")));
  const QString no_step = preparing ? wait : !has_room ? refusal_ : none;
  const bool can_step = !ids.empty() && !preparing && has_room;
  enable(
      stepIteration_, can_step,
      tr("One iteration, then pause. A run with changed settings continues with the new settings"),
      no_step);
  enable(stepSubset_, can_step, tr("One subset of the views (SART: one view), then pause"),
         no_step);
  const bool stoppable = !targetsWhere([](const RunStatus& s) {
                            return s.state == RunState::running || s.state == RunState::paused;
                          }).empty();
  enable(stop_, stoppable,
         tr("Ends the run; its estimate stays and can be saved, compared and continued"),
         because(tr("Nothing is running or paused")));
  const bool one = model_.run(selected_) != nullptr;
  enable(discard_, one && controller_.status(selected_).wasStarted(),
         tr("Ends the selected run and removes its results; undo restores them"),
         one ? tr("The selected run has not been started") : tr("Select a run"));
  enable(extend_, extendable, tr("Continues for %1 more iterations").arg(extendBy),
         because(tr("Available once a run of an iterative method is paused, stopped or finished")));
  emit enabledAnew();
}

}  // namespace gantry
