#include "gui/runs/status_line.hpp"

#include "gui/runs/run_card.hpp"
#include "gui/widgets/eliding_label.hpp"

#include <QLabel>
#include <QRegularExpression>
#include <QStatusBar>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace gantry {

constexpr int edge_px = 6;

QString duration_text(double seconds) {
  if (seconds < 0.9995)
    return StatusLine::tr("%1 ms").arg(1000 * seconds, 0, 'f', seconds < 0.00995 ? 1 : 0);
  if (seconds < 99.5) return StatusLine::tr("%1 s").arg(seconds, 0, 'f', seconds < 9.95 ? 1 : 0);
  if (seconds < 5400) return StatusLine::tr("%1 min").arg(seconds / 60, 0, 'f', 0);
  return StatusLine::tr("%1 h").arg(seconds / 3600, 0, 'f', 1);
}

StatusLine::StatusLine(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
                       RunController& controller, QStatusBar* bar)
    : QObject(bar),
      catalog_(catalog),
      backends_(backends),
      model_(model),
      controller_(controller),
      bar_(bar),
      runs_(new ElidingLabel(bar)),
      memory_(new QLabel(bar)),
      readout_(new QLabel(bar)) {
  runs_->setObjectName(QStringLiteral("statusRuns"));
  readout_->setObjectName(QStringLiteral("statusReadout"));
  // Without the handle of the window, as in full screen, the last one stands at the edge.
  readout_->setContentsMargins(12, 0, 0, 0);
  memory_->setContentsMargins(12, 0, edge_px, 0);
  runs_->setContentsMargins(edge_px, 0, 0, 0);
  readout_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  memory_->setObjectName(QStringLiteral("statusDevice"));
  bar->addWidget(runs_, 3);
  bar->addPermanentWidget(readout_);
  bar->addPermanentWidget(memory_);
  connect(&controller_, &RunController::updatesEmitted, this, &StatusLine::refresh);
  connect(&controller_, &RunController::stateChanged, this, &StatusLine::refresh);
  connect(&model_, &ExperimentModel::changed, this, [this] {
    refresh();
    refreshMemory();
  });
  connect(&controller_, &RunController::dataChanged, this, &StatusLine::refreshMemory);
  connect(&controller_.estimates(), &RunEstimates::changed, this, &StatusLine::refreshMemory);
  refresh();
  refreshMemory();
}

namespace {

/// Returns the state of a run; for a finished run with a message the part of the message before its
/// explanation, as in "stopped at the noise level".
QString endText(const RunStatus& status) {
  const bool has_ended = status.state == RunState::finished && !status.message.isEmpty();
  static const QRegularExpression explanation(QStringLiteral("[:;]"));
  return has_ended ? status.message.section(explanation, 0, 0) : stateText(status);
}

}  // namespace

QString StatusLine::progressOf(int id) const {
  const RunSpec& spec = *model_.run(id);
  const RunStatus& status = controller_.status(id);
  const QString name = QString::fromStdString(controller_.label(id));
  if (!status.wasStarted()) return QStringLiteral("%1: %2").arg(name, stateText(status));
  int done = 0, planned = spec.iterations;
  if (const auto snapshot = status.snapshot) {
    done = snapshot->iterations;
    planned = std::max(done, snapshot->planned_iterations);
  }
  QString text = QStringLiteral("%1 %2/%3").arg(name).arg(done).arg(planned);
  const double each = status.secondsPerIteration();
  if (each > 0) text += tr(", %1 an iteration").arg(duration_text(each));
  if (!status.isActive()) return text + QStringLiteral(", ") + endText(status);
  if (each <= 0) return text;
  // The worker computes the active runs alternately, one iteration each.
  double turn = 0;
  for (const int other : model_.runIds())
    if (controller_.status(other).isActive())
      turn += controller_.status(other).secondsPerIteration();
  const double part = status.snapshot != nullptr ? status.snapshot->part_of_iteration : 0;
  return text + tr(", %1 left").arg(duration_text(turn * (planned - done - part)));
}

void StatusLine::refresh() {
  QStringList parts;
  // The selected run comes first, because a narrow window cuts off the end.
  for (const int id : model_.runIds())
    id == selected_ ? parts.prepend(progressOf(id)) : parts.append(progressOf(id));
  runs_->setText(parts.join(QStringLiteral("   |   ")));
  runs_->setToolTip(parts.join(QLatin1Char('\n')));
}

/// Returns the device of a run and the memory that all runs on it need: "NVIDIA H200 (auto: the run
/// fits on it): needs 1.2 GB of 140 GB free".
QString StatusLine::deviceOf(const RunSpec& run, const MemoryEstimate& plan,
                             std::size_t all_bytes) const {
  constexpr qsizetype most_letters = 48;
  QString why = QString::fromStdString(plan.because);
  if (why.size() > most_letters) why = why.left(most_letters - 1) + QStringLiteral("…");
  QString device = QString::fromStdString(plan.device);
  if (run.backend == "auto" && !why.isEmpty()) device += tr(" (auto: %1)").arg(why);
  return tr("%1: needs %2 of %3 free")
      .arg(device, QString::fromStdString(format_bytes(all_bytes)),
           QString::fromStdString(format_bytes(plan.free_bytes)));
}

/// Shows the device of the selected run; the tool tip lists the devices of all runs.
void StatusLine::refreshMemory() {
  std::map<std::string, std::size_t> needed;
  std::map<int, MemoryEstimate> plans;
  for (const int id : model_.runIds()) {
    if (controller_.data() == nullptr) break;
    const RunEstimates::Answer* answer = controller_.memoryOf(*model_.run(id));
    if (answer == nullptr) return;  // the previous text stays until all estimates are known
    // A run that cannot be made needs no memory; its form shows the reason.
    if (!answer->memory) continue;
    plans[id] = *answer->memory;
    needed[plans[id].device] += plans[id].needed_bytes;
  }
  const auto deviceText = [&](int id) {
    return deviceOf(*model_.run(id), plans.at(id), needed.at(plans.at(id).device));
  };
  QStringList tip = {
      tr("Device of the selected run, memory that all runs on it need, and free memory")};
  for (const auto& [id, plan] : plans)
    tip << QStringLiteral("%1: %2").arg(
        QString::fromStdString(run_label(*model_.run(id), catalog_)), deviceText(id));
  memory_->setToolTip(tip.join(QLatin1Char('\n')));
  if (plans.contains(selected_)) return memory_->setText(deviceText(selected_));
  if (!plans.empty()) return memory_->setText(deviceText(plans.begin()->first));
  const Backend& device = backends_.resolve("auto");
  memory_->setText(tr("%1: %2 free")
                       .arg(QString::fromStdString(device.name()),
                            QString::fromStdString(format_bytes(device.free_bytes()))));
}

void StatusLine::setSelectedRun(int id) {
  if (std::exchange(selected_, id) == id) return;
  refresh();
  refreshMemory();
}

void StatusLine::setReadout(const QString& text) { readout_->setText(text); }

/// Shows a message for a while. Of a long path the middle is left out: the status bar would cut its
/// end, without a sign.
void StatusLine::showMessage(const QString& text) {
  constexpr int margins = 16, time_ms = 5000;
  const int room = bar_->width() - readout_->width() - memory_->width() - margins;
  bar_->showMessage(bar_->fontMetrics().elidedText(text, Qt::ElideMiddle, room), time_ms);
  bar_->setToolTip(text);
}

}  // namespace gantry
