#include "gui/runs/runs_panel.hpp"

#include "gui/widgets/palette.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace gantry {

namespace {

constexpr int idRole = Qt::UserRole;
enum Column { nameColumn, iterationColumn, stateColumn };

}  // namespace

QString stateText(const RunStatus& status) {
  switch (status.state) {
    case RunState::idle:
      return status.wasStarted() ? RunsPanel::tr("starting") : RunsPanel::tr("not started");
    case RunState::running:
      return RunsPanel::tr("running");
    case RunState::paused:
      return RunsPanel::tr("paused");
    case RunState::finished:
      return RunsPanel::tr("finished");
    case RunState::stopped:
      return RunsPanel::tr("stopped, kept");
    case RunState::failed:
      return RunsPanel::tr("failed");
  }
  return {};
}

RunsPanel::RunsPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                     QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      list_(new QTreeWidget(this)) {
  list_->setObjectName(QStringLiteral("runList"));
  list_->setHeaderLabels({tr("Run"), tr("Iteration"), tr("State")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list_->header()->setSectionResizeMode(nameColumn, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(iterationColumn, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(stateColumn, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(false);
  list_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  list_->setMinimumHeight(90);
  list_->setMaximumHeight(200);
  add_ = addButton(tr("Add"), tr("Adds a run to the comparison"));
  duplicate_ = addButton(tr("Duplicate"),
                         tr("Adds a copy of the selected run, to change one thing and compare"));
  remove_ = addButton(
      tr("Remove"),
      tr("Removes the selected run; undo brings it back, with its results while they are kept"));
  pin_ = addButton(tr("Pin"), tr("Makes the present estimate of the selected run the reference for "
                                 "metrics and differences"));
  pin_->setCheckable(true);
  auto* buttons = new QHBoxLayout;
  for (QToolButton* button : {add_, duplicate_, remove_, pin_}) buttons->addWidget(button);
  buttons->addStretch(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(list_);
  layout->addLayout(buttons);
  connect(add_, &QToolButton::clicked, this, [this] { selectRun(model_.addRun({})); });
  connect(duplicate_, &QToolButton::clicked, this,
          [this] { selectRun(model_.duplicateRun(selectedRun())); });
  connect(remove_, &QToolButton::clicked, this, [this] { controller_.removeRun(selectedRun()); });
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(list_, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
    if (const QTreeWidgetItem* item = list_->itemAt(at))
      emit menuRequested(item->data(nameColumn, idRole).toInt(),
                         list_->viewport()->mapToGlobal(at));
  });
  connect(pin_, &QToolButton::clicked, this,
          [this](bool on) { controller_.pinReference(on ? selectedRun() : -1); });
  connect(list_, &QTreeWidget::currentItemChanged, this, [this] {
    enableButtons();
    emit selectionChanged(selectedRun());
  });
  connect(list_, &QTreeWidget::itemChanged, this, &RunsPanel::renamed);
  connect(&model_, &ExperimentModel::changed, this, &RunsPanel::rebuild);
  connect(&controller_, &RunController::stateChanged, this, &RunsPanel::showState);
  connect(&controller_, &RunController::iterationDone, this, &RunsPanel::showState);
  connect(&controller_, &RunController::computedChanged, this, &RunsPanel::rebuild);
  rebuild();
}

QToolButton* RunsPanel::addButton(const QString& text, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setText(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  return button;
}

int RunsPanel::selectedRun() const {
  const QTreeWidgetItem* item = list_->currentItem();
  return item == nullptr ? -1 : item->data(nameColumn, idRole).toInt();
}

void RunsPanel::selectRun(int id) {
  if (QTreeWidgetItem* item = itemOf(id)) list_->setCurrentItem(item);
}

QTreeWidgetItem* RunsPanel::itemOf(int id) const {
  for (int i = 0; i < list_->topLevelItemCount(); ++i)
    if (list_->topLevelItem(i)->data(nameColumn, idRole).toInt() == id)
      return list_->topLevelItem(i);
  return nullptr;
}

void RunsPanel::rebuild() {
  const int selected = selectedRun();
  {
    const QSignalBlocker quiet(list_);
    // Existing rows are reused, so that the name that the user is typing is not lost.
    while (list_->topLevelItemCount() > static_cast<int>(model_.runIds().size()))
      delete list_->takeTopLevelItem(list_->topLevelItemCount() - 1);
    for (std::size_t i = 0; i < model_.runIds().size(); ++i) {
      if (static_cast<int>(i) >= list_->topLevelItemCount())
        list_->addTopLevelItem(new QTreeWidgetItem);
      QTreeWidgetItem* item = list_->topLevelItem(static_cast<int>(i));
      const RunSpec& run = model_.experiment().runs[i];
      item->setData(nameColumn, idRole, model_.runIds()[i]);
      item->setIcon(nameColumn, runIcon(run.colour));
      // The name describes the settings that made the shown result, not those of the form: a
      // changed setting appears in the name after the next iteration.
      item->setText(nameColumn, QString::fromStdString(
                                    run_label(controller_.computed(model_.runIds()[i]), catalog_)));
      item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
  }
  for (const int id : model_.runIds()) showState(id);
  if (itemOf(selected) != nullptr)
    selectRun(selected);
  else if (list_->topLevelItemCount() > 0)
    list_->setCurrentItem(list_->topLevelItem(0));
  enableButtons();
  emit selectionChanged(selectedRun());
}

void RunsPanel::showState(int id) {
  QTreeWidgetItem* item = itemOf(id);
  const RunSpec* spec = model_.run(id);
  if (item == nullptr || spec == nullptr) return;
  const QSignalBlocker quiet(list_);
  const RunStatus& status = controller_.status(id);
  const std::size_t done =
      status.history.empty() ? 0 : static_cast<std::size_t>(status.history.back().report.iteration);
  item->setText(iterationColumn, status.wasStarted()
                                     ? QStringLiteral("%1/%2").arg(done).arg(std::max<std::size_t>(
                                           done, static_cast<std::size_t>(spec->iterations)))
                                     : QString());
  const bool stale = status.wasStarted() && !controller_.isCurrent(id);
  item->setText(stateColumn, stale && !status.isActive() ? tr("changed") : stateText(status));
  item->setToolTip(stateColumn,
                   stale ? tr("Settings or data have changed since it ran") : status.message);
  enableButtons();
}

void RunsPanel::renamed(QTreeWidgetItem* item, int column) {
  if (column != nameColumn) return;
  const int id = item->data(nameColumn, idRole).toInt();
  const RunSpec* run = model_.run(id);
  if (run == nullptr) return;
  RunSpec unnamed = *run, computed = controller_.computed(id);
  unnamed.name.clear();
  computed.name.clear();
  const std::string text = item->text(nameColumn).trimmed().toStdString();
  // A text equal to the automatic name is not stored as a name.
  model_.editRun(id, tr("Rename run"), [&](RunSpec& r) {
    const bool is_given =
        text != run_label(unnamed, catalog_) && text != run_label(computed, catalog_);
    r.name = is_given ? text : std::string{};
  });
}

void RunsPanel::enableButtons() {
  const int id = selectedRun();
  const bool any = id >= 0;
  duplicate_->setEnabled(any);
  remove_->setEnabled(any);
  const bool started = any && controller_.status(id).wasStarted();
  const auto reference = controller_.reference();
  const bool pinned = controller_.referenceIsPinned();
  pin_->setEnabled(started || pinned);
  pin_->setChecked(pinned);
  pin_->setToolTip(pinned ? tr("%1 is pinned as reference; press to go back to the truth")
                                .arg(QString::fromStdString(reference->label))
                   : started ? tr("Makes the present estimate of the selected run the reference "
                                  "for metrics and differences")
                             : tr("Select a run that has been started"));
}

}  // namespace gantry
