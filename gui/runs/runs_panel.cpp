#include "gui/runs/runs_panel.hpp"

#include "core/catalog/projector_choice.hpp"
#include "gui/runs/run_card.hpp"
#include "gui/widgets/icons.hpp"

#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gantry {

RunsPanel::RunsPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                     QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      column_(new QVBoxLayout) {
  column_->setSpacing(6);
  auto* add = new QToolButton(this);
  add->setObjectName(QStringLiteral("addRun"));
  add->setText(tr("Add a run"));
  add->setIcon(lineIcon(QStringLiteral("add")));
  add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  add->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  add->setToolTip(tr("Adds a run to the comparison"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(column_);
  layout->addWidget(add);
  connect(add, &QToolButton::clicked, this, [this] { selectRun(model_.addRun(newRun())); });
  connect(&model_, &ExperimentModel::changed, this, &RunsPanel::rebuild);
  connect(&controller_, &RunController::stateChanged, this, &RunsPanel::showState);
  connect(&controller_, &RunController::iterationDone, this, &RunsPanel::showState);
  connect(&controller_, &RunController::historyChanged, this, &RunsPanel::showState);
  connect(&controller_, &RunController::computedChanged, this, &RunsPanel::rebuild);
  connect(&controller_, &RunController::referenceChanged, this, [this] {
    for (RunCard* card : cards_) card->showState();
  });
  rebuild();
}

/// Returns a run that the scan allows: not every projector knows every kind of scan.
RunSpec RunsPanel::newRun() const {
  RunSpec run;
  if (const auto now = controller_.data())
    run.projector = suitable_projector(catalog_, host_key, *now->geometry, run.projector);
  return run;
}

RunCard* RunsPanel::card(int id) const {
  const auto found = std::ranges::find(cards_, id, &RunCard::id);
  return found == cards_.end() ? nullptr : *found;
}

RunCard* RunsPanel::addCard(int id) {
  auto* card = new RunCard(id, catalog_, model_, controller_, this);
  connect(card, &RunCard::pressed, this, &RunsPanel::selectRun);
  connect(card, &RunCard::menuRequested, this, &RunsPanel::menuRequested);
  connect(card, &RunCard::shownChanged, this, &RunsPanel::shownChanged);
  return card;
}

void RunsPanel::selectRun(int id) {
  if (card(id) == nullptr) return;
  selected_ = id;
  for (RunCard* card : cards_) card->setSelected(card->id() == id);
  emit selectionChanged(id);
}

/// Existing cards are reused, so that the name that the user is typing is not lost.
void RunsPanel::rebuild() {
  const std::vector<int>& ids = model_.runIds();
  std::vector<RunCard*> cards;
  for (const int id : ids) {
    RunCard* existing = card(id);
    cards.push_back(existing != nullptr ? existing : addCard(id));
  }
  for (RunCard* card : cards_)
    if (std::ranges::find(cards, card) == cards.end()) {
      card->hide();
      card->deleteLater();
    }
  if (cards != cards_) {
    for (RunCard* card : cards_) column_->removeWidget(card);
    for (RunCard* card : cards) column_->addWidget(card);
    cards_ = std::move(cards);
  }
  for (RunCard* card : cards_) card->showRun();
  if (card(selected_) != nullptr) return selectRun(selected_);
  selected_ = -1;
  if (!ids.empty()) return selectRun(ids.front());
  emit selectionChanged(-1);
}

void RunsPanel::showState(int id) {
  if (RunCard* shown = card(id)) shown->showState();
}

}  // namespace gantry
