#include "gui/data/correction_panel.hpp"

#include "gui/widgets/icons.hpp"
#include "gui/widgets/parameter_form.hpp"

#include <QCheckBox>
#include <QCoreApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gantry {

CorrectionPanel::CorrectionPanel(const Catalog& catalog, ExperimentModel& model, QWidget* parent)
    : QWidget(parent), catalog_(catalog), model_(model), column_(new QVBoxLayout) {
  setObjectName(QStringLiteral("corrections"));
  auto* title = new QLabel(tr("Corrections"), this);
  title->setToolTip(
      tr("Steps that correct the measured line integrals, applied from the top down"));
  column_->setSpacing(6);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(title);
  layout->addLayout(column_);
  layout->addWidget(makeAddButton());
  connect(&model_, &ExperimentModel::changed, this, &CorrectionPanel::showModel);
  showModel();
}

QToolButton* CorrectionPanel::makeAddButton() {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("correctionMenu"));
  menu->setToolTipsVisible(true);
  for (const AlgorithmInfo& info : catalog_.corrections.entries()) {
    QAction* action = menu->addAction(QString::fromStdString(info.label));
    action->setObjectName(QStringLiteral("correction_") + QString::fromStdString(info.key));
    action->setToolTip(QString::fromStdString(info.help()));
    connect(action, &QAction::triggered, this, [this, key = info.key, name = action->text()] {
      edit(tr("Add %1").arg(name), [&](Steps& steps) { steps.push_back({key, {}}); });
      showNewest();
    });
  }
  auto* add = new QToolButton(this);
  add->setObjectName(QStringLiteral("addCorrection"));
  add->setText(tr("Add a correction"));
  add->setIcon(lineIcon(QStringLiteral("add")));
  add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  add->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  add->setToolTip(tr("Adds a step after the others"));
  add->setPopupMode(QToolButton::InstantPopup);
  add->setMenu(menu);
  return add;
}

QToolButton* CorrectionPanel::addButton(QWidget* card, const QString& icon, const QString& name,
                                        const QString& help) {
  auto* button = new QToolButton(card);
  button->setObjectName(name);
  button->setIcon(lineIcon(icon));
  button->setIconSize({14, 14});
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::StrongFocus);
  button->setToolTip(help);
  button->setAccessibleName(help);
  return button;
}

CorrectionPanel::Card CorrectionPanel::makeCard(std::size_t index, const AlgorithmInfo& info) {
  const QString name = QString::fromStdString(info.label);
  auto* frame = new QFrame(this);
  frame->setObjectName(QStringLiteral("correctionCard"));
  frame->setFrameShape(QFrame::StyledPanel);
  frame->setAccessibleName(name);
  auto* on = new QCheckBox(name, frame);
  on->setObjectName(QStringLiteral("correctionOn"));
  on->setToolTip(QString::fromStdString(info.help()) + QLatin1Char('\n') +
                 tr("Without the tick, the step stays here with its numbers, but is not applied"));
  auto* form = new ParameterForm(frame);
  form->setOffersTrials(ParameterForm::Sliders::ofAll);
  const Card card{frame,
                  on,
                  form,
                  addButton(frame, QStringLiteral("up"), QStringLiteral("correctionEarlier"),
                            tr("Apply %1 earlier").arg(name)),
                  addButton(frame, QStringLiteral("down"), QStringLiteral("correctionLater"),
                            tr("Apply %1 later").arg(name)),
                  addButton(frame, QStringLiteral("close"), QStringLiteral("correctionRemove"),
                            tr("Remove %1").arg(name))};
  auto* head = new QHBoxLayout;
  head->setSpacing(0);
  head->addWidget(on, 1);
  for (QToolButton* button : {card.earlier, card.later, card.remove}) head->addWidget(button);
  auto* column = new QVBoxLayout(frame);
  column->setContentsMargins(8, 4, 4, 6);
  column->addLayout(head);
  column->addWidget(form);
  connect(on, &QCheckBox::clicked, this, [this, index, name](bool applies) {
    edit((applies ? tr("Switch on %1") : tr("Switch off %1")).arg(name),
         [&](Steps& steps) { steps[index].off = !applies; });
  });
  connect(card.earlier, &QToolButton::clicked, this, [this, index] { move(index, false); });
  connect(card.later, &QToolButton::clicked, this, [this, index] { move(index, true); });
  connect(card.remove, &QToolButton::clicked, this, [this, index, name] {
    edit(tr("Remove %1").arg(name), [index](Steps& steps) {
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(index));
    });
  });
  connect(form, &ParameterForm::sweepWanted, this, [this, index](const QString& key) {
    emit sweepWanted(QStringLiteral("correction:%1:%2").arg(index).arg(key));
  });
  connect(form, &ParameterForm::dragged, this,
          [this, index](const QString& key, const ParamValue& value) {
            model_.tryOut(
                [&](Experiment& e) { e.corrections[index].params.set(key.toStdString(), value); });
          });
  connect(form, &ParameterForm::edited, this,
          [this, index, name, params = info.params](const QString& key, const ParamValue& value) {
            const auto spec = std::ranges::find(params, key.toStdString(), &ParamSpec::key);
            const QString label = spec == params.end() ? key : QString::fromStdString(spec->label);
            edit(tr("Change %1 of %2").arg(label, name),
                 [&](Steps& steps) { steps[index].params.set(key.toStdString(), value); });
          });
  return card;
}

void CorrectionPanel::edit(const QString& what, const std::function<void(Steps&)>& change) {
  model_.edit(what, [&](Experiment& e) { change(e.corrections); });
}

/// Scrolls to the step that was added, whose numbers are below what could be seen.
void CorrectionPanel::showNewest() {
  if (cards_.empty()) return;
  // It has its place only afterwards, when all that is around it has been laid out anew.
  QTimer::singleShot(0, cards_.back().frame, [this, card = cards_.back().frame] {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    for (QWidget* around = parentWidget(); around != nullptr; around = around->parentWidget())
      if (auto* area = qobject_cast<QScrollArea*>(around)) area->ensureWidgetVisible(card);
  });
}

/// The focus stays on the button of the step that moved, or on its other one at the end of the
/// list, so that a key moves it on.
void CorrectionPanel::move(std::size_t index, bool later) {
  const std::size_t other = later ? index + 1 : index - 1;
  const Steps& now = model_.experiment().corrections;
  const QString name = QString::fromStdString(catalog_.corrections.at(now[index].key).label);
  edit((later ? tr("Apply %1 later") : tr("Apply %1 earlier")).arg(name),
       [&](Steps& steps) { std::swap(steps[index], steps[other]); });
  const Card& moved = cards_[other];
  QToolButton *same = later ? moved.later : moved.earlier,
              *opposite = later ? moved.earlier : moved.later;
  (same->isEnabled() ? same : opposite)->setFocus();
}

void CorrectionPanel::showModel() {
  const Experiment& e = model_.experiment();
  setVisible(e.source.kind == SourceKind::scan);
  const auto same_keys =
      std::ranges::equal(e.corrections, shown_, {}, &CorrectionSpec::key, &CorrectionSpec::key);
  if (!same_keys) rebuild(e.corrections);
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    const CorrectionSpec& step = e.corrections[i];
    cards_[i].on->setChecked(!step.off);
    cards_[i].form->setDisabled(step.off);
    cards_[i].form->show(catalog_.corrections.at(step.key).params, step.params);
  }
  if (std::exchange(shown_, e.corrections) != e.corrections) emit correctionsChanged();
}

void CorrectionPanel::rebuild(const Steps& steps) {
  for (const Card& card : cards_) {
    column_->removeWidget(card.frame);
    card.frame->hide();
    card.frame->deleteLater();  // its button may be what was pressed
  }
  cards_.clear();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    cards_.push_back(makeCard(i, catalog_.corrections.at(steps[i].key)));
    column_->addWidget(cards_.back().frame);
    cards_.back().earlier->setEnabled(i > 0);
    cards_.back().later->setEnabled(i + 1 < steps.size());
  }
}

}  // namespace gantry
