#include "gui/runs/plan_panel.hpp"

#include "core/base/error.hpp"
#include "gui/widgets/count_text.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace gantry {

PlanPanel::PlanPanel(ExperimentModel& model, RunController& controller, QWidget* parent)
    : QWidget(parent),
      model_(model),
      controller_(controller),
      device_(new QLabel(this)),
      memory_(new QTreeWidget(this)),
      time_(new QLabel(this)) {
  device_->setObjectName(QStringLiteral("planDevice"));
  time_->setObjectName(QStringLiteral("planTime"));
  memory_->setObjectName(QStringLiteral("planMemory"));
  memory_->setAccessibleName(tr("Memory of the selected run"));
  memory_->setHeaderLabels({tr("Memory for"), tr("Number"), tr("Size")});
  memory_->setRootIsDecorated(false);
  memory_->setUniformRowHeights(true);
  memory_->header()->setStretchLastSection(false);
  memory_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  memory_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  for (QLabel* label : {device_, time_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  layout->addWidget(device_);
  layout->addWidget(memory_, 1);
  layout->addWidget(time_);
  connect(&model_, &ExperimentModel::changed, this, &PlanPanel::refresh);
  connect(&controller_, &RunController::dataChanged, this, &PlanPanel::refresh);
  connect(&controller_, &RunController::updatesEmitted, this, &PlanPanel::refresh);
  connect(&controller_.estimates(), &RunEstimates::changed, this, &PlanPanel::refresh);
}

void PlanPanel::setRun(int id) {
  run_ = id;
  refresh();
}

void PlanPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void PlanPanel::refresh() {
  if (!isVisible()) return;
  const RunSpec* run = model_.run(run_);
  time_->setText(run != nullptr ? seconds() : QString());
  if (run == nullptr || controller_.data() == nullptr) {
    memory_->clear();
    return device_->setText(run == nullptr ? tr("Select a run.") : tr("There are no data yet."));
  }
  const RunEstimates::Answer* answer = controller_.memoryOf(*run);
  if (answer != nullptr && answer->memory) return showMemory(*answer->memory);
  memory_->clear();
  device_->setText(answer == nullptr ? tr("The memory is being estimated…") : answer->problem);
}

void PlanPanel::showMemory(const MemoryEstimate& memory) {
  QStringList lines{QString::fromStdString(memory.device)};
  for (const std::string& more : {memory.because, memory.note})
    if (!more.empty() && !lines.contains(QString::fromStdString(more)))
      lines << QString::fromStdString(more);
  device_->setText(lines.join(QLatin1Char('\n')));
  memory_->clear();
  const auto add = [this](const QString& name, const QString& count, std::size_t bytes) {
    auto* item =
        new QTreeWidgetItem(memory_, {name, count, QString::fromStdString(format_bytes(bytes))});
    for (const int column : {1, 2}) item->setTextAlignment(column, Qt::AlignRight);
    item->setToolTip(0, name);
    return item;
  };
  for (const MemoryPart& part : memory.parts)
    add(QString::fromStdString(part.name), part.count > 0 ? QString::number(part.count) : QString(),
        part.bytes);
  QTreeWidgetItem* total = add(tr("Needed"), {}, memory.needed_bytes);
  QFont bold = memory_->font();
  bold.setBold(true);
  for (const int column : {0, 2}) total->setFont(column, bold);
  add(tr("Free"), {}, memory.free_bytes);
}

/// Returns what the run has taken, and what it will take if its iterations go on as fast.
QString PlanPanel::seconds() const {
  const RunStatus& status = controller_.status(run_);
  const double each = status.secondsPerIteration();
  const int planned = controller_.plannedIterations(run_);
  if (status.history.empty() || each <= 0)
    return tr("%1; the time is known once the first is done").arg(iterations_text(planned));
  const auto& last = status.history.back().report;
  return tr("%1 of %2 in %3 s, %4 s each; all of them: about %5 s")
      .arg(last.iteration)
      .arg(iterations_text(planned))
      .arg(last.seconds, 0, 'g', 3)
      .arg(each, 0, 'g', 3)
      .arg(last.seconds + each * (planned - last.iteration), 0, 'g', 3);
}

}  // namespace gantry
