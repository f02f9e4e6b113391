#include "gui/runs/pending_bar.hpp"

#include "core/job/run_description.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace gantry {

namespace {

constexpr int darkBelow = 128;  // lightness of a window
constexpr QRgb amberOnDark = 0xff5c4300, amberOnLight = 0xffffd98a;

}  // namespace

PendingBar::PendingBar(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                       QWidget* parent)
    : QFrame(parent),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      text_(new QLabel(this)) {
  setObjectName(QStringLiteral("pendingBar"));
  setAutoFillBackground(true);
  text_->setObjectName(QStringLiteral("pendingText"));
  text_->setWordWrap(true);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 4, 8, 4);
  row->addWidget(text_, 1);
  continue_ = addButton(tr("Continue from here"), QStringLiteral("continueHere"),
                        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return));
  restart_ = addButton(tr("Apply and restart"), QStringLiteral("applyRestart"),
                       QKeySequence(Qt::CTRL | Qt::Key_Return));
  connect(restart_, &QPushButton::clicked, this, [this] { startAgain(pending()); });
  connect(continue_, &QPushButton::clicked, this, [this] {
    for (const int id : pending())
      if (canContinue(id)) goOn(id);
  });
  connect(&model_, &ExperimentModel::changed, this, &PendingBar::refresh);
  connect(&model_, &ExperimentModel::trialSet, this, [this](const std::vector<int>& concerned) {
    std::vector<int> runs = pending();
    std::erase_if(runs,
                  [&](int id) { return std::ranges::find(concerned, id) == concerned.end(); });
    for (const int id : runs) controller_.startAfterEdit(id);
  });
  connect(&controller_, &RunController::stateChanged, this, &PendingBar::refresh);
  connect(&controller_, &RunController::dataChanged, this, &PendingBar::refresh);
  connect(&controller_, &RunController::preparingChanged, this, &PendingBar::refresh);
  connect(&controller_, &RunController::computedChanged, this, &PendingBar::refresh);
  tint();
  refresh();
}

QPushButton* PendingBar::addButton(const QString& text, const QString& name,
                                   const QKeySequence& key) {
  auto* button = new QPushButton(text, this);
  button->setObjectName(name);
  button->setShortcut(key);
  layout()->addWidget(button);
  return button;
}

std::vector<int> PendingBar::pending() const {
  std::vector<int> runs;
  for (const int id : model_.runIds())
    if (controller_.status(id).wasStarted() && !controller_.isCurrent(id)) runs.push_back(id);
  return runs;
}

bool PendingBar::canContinue(int id) const {
  const RunStatus& run = controller_.status(id);
  return run.data == controller_.data() && controller_.dataAreCurrent() && run.hasEstimate() &&
         !catalog_.solvers.at(model_.run(id)->solver).traits.is_direct;
}

/// A run that has made all its iterations makes as many again with the changed settings.
void PendingBar::goOn(int id) {
  const std::vector<HistoryEntry>& history = controller_.status(id).history;
  const int done = history.empty() ? 0 : history.back().report.iteration;
  if (done >= model_.run(id)->iterations)
    model_.editRun(id, tr("More iterations"), [done](RunSpec& run) { run.iterations += done; });
  controller_.continueFromHere(id);
}

void PendingBar::startAgain(const std::vector<int>& runs) {
  for (const int id : runs) controller_.start(id);
}

/// Returns "λ 0.7": what differs from the settings with which the run was computed.
QString PendingBar::changeOf(int id) const {
  RunSpec now = *model_.run(id);
  const RunSpec& then = controller_.status(id).started;
  now.stages = then.stages;
  now.stages.push_back({then, 0, 0});
  return QString::fromStdString(stage_label(now, now.stages.size(), catalog_));
}

QString PendingBar::textOf(const std::vector<int>& runs) const {
  QStringList names;
  for (const int id : runs) names << QString::fromStdString(controller_.label(id));
  const QString all = names.join(QStringLiteral("; "));
  if (!controller_.dataAreCurrent()) {
    const QString changed = tr("Data or scan changed, shown as before: %1").arg(all);
    const QString ending = trialsAtStake_();
    return ending.isEmpty() ? changed : tr("%1. A restart ends %2").arg(changed, ending);
  }
  if (controller_.status(runs.front()).data != controller_.data())
    return tr("Computed from earlier data: %1").arg(all);
  return runs.size() == 1 ? tr("Changed, not computed yet: %1: %2").arg(all, changeOf(runs.front()))
                          : tr("Changed, not computed yet: %1").arg(all);
}

void PendingBar::refresh() {
  const std::vector<int> runs = pending();
  setVisible(!runs.empty());
  if (runs.empty()) return;
  text_->setText(textOf(runs));
  const auto tip = [](QPushButton* button, const QString& text) {
    button->setToolTip(
        QStringLiteral("%1 (%2)").arg(text, button->shortcut().toString(QKeySequence::NativeText)));
  };
  const bool waits = controller_.isPreparing();
  restart_->setEnabled(!waits);
  tip(restart_, waits ? tr("The data are being prepared")
                      : tr("Computes from zero with the changed settings; undo brings back what "
                           "the runs had computed"));
  const bool some = std::ranges::any_of(runs, [this](int id) { return canContinue(id); });
  continue_->setEnabled(some);
  tip(continue_,
      some ? tr("Keeps the present estimate and goes on with the changed settings, as a new stage")
      : controller_.dataAreCurrent()
          ? tr("There is no estimate of these data and of an iterative method to continue from")
          : tr("The data have changed: only a restart uses them"));
}

/// The amber of both keeps the text of the palette readable.
void PendingBar::tint() {
  QPalette colours = palette();
  const bool dark = colours.color(QPalette::WindowText).lightness() >= darkBelow;
  colours.setColor(QPalette::Window, QColor::fromRgb(dark ? amberOnDark : amberOnLight));
  if (colours != palette()) setPalette(colours);
}

void PendingBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) tint();
  QFrame::changeEvent(event);
}

}  // namespace gantry
