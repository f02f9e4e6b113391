#include "gui/panels/rail.hpp"

#include "gui/widgets/eliding_label.hpp"
#include "gui/widgets/icons.hpp"

#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gantry {

RailStep::RailStep(int number, const QString& key, const QString& title, const QString& icon,
                   QWidget* form, Summary summary, QWidget* parent)
    : QWidget(parent),
      number_(number),
      key_(key),
      title_(title),
      icon_(icon),
      summary_(std::move(summary)),
      heading_(new QToolButton(this)),
      state_(new ElidingLabel(this)),
      form_(form) {
  setObjectName(key);
  heading_->setObjectName(key + QStringLiteral("Step"));
  heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  heading_->setAutoRaise(true);
  heading_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  heading_->setAccessibleName(title);
  QFont bold = heading_->font();
  bold.setBold(true);
  heading_->setFont(bold);
  state_->setContentsMargins(26, 0, 6, 4);
  state_->setMuted(true);
  state_->setLines(3);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(heading_);
  layout->addWidget(state_);
  layout->addWidget(form_, 1);
  connect(heading_, &QToolButton::clicked, this, [this] { emit chosen(key_); });
  show();
}

bool RailStep::isOpen() const { return is_open_; }

void RailStep::setOpen(bool open) {
  is_open_ = open;
  show();
}

void RailStep::takeFocus() { heading_->setFocus(Qt::OtherFocusReason); }

void RailStep::setFolded(bool folded) {
  is_folded_ = folded;
  show();
}

void RailStep::show() {
  const bool has_form = is_open_ && !is_folded_;
  form_->setVisible(has_form);
  state_->setVisible(!is_open_ && !is_folded_);
  heading_->setText(QStringLiteral("%1  %2").arg(number_).arg(title_));
  heading_->setToolButtonStyle(is_folded_ ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  heading_->setIcon(lineIcon(is_folded_ ? icon_
                             : is_open_ ? QStringLiteral("down")
                                        : QStringLiteral("right")));
  constexpr int icon_px = 16, folded_icon_px = 24;
  heading_->setIconSize(is_folded_ ? QSize(folded_icon_px, folded_icon_px)
                                   : QSize(icon_px, icon_px));
  heading_->setToolTip(is_folded_ ? title_ : is_open_ ? QString() : tr("Opens this step"));
  setSizePolicy(QSizePolicy::Preferred, has_form ? QSizePolicy::Expanding : QSizePolicy::Fixed);
  refresh();
}

QString RailStep::summary() const { return state_->isHidden() ? QString() : state_->text(); }

void RailStep::refresh() {
  if (!state_->isVisibleTo(this) || !summary_) return;
  const QString text = summary_();
  state_->setText(text);
  state_->setToolTip(text);
}

Rail::Rail(QWidget* parent)
    : QWidget(parent), column_(new QVBoxLayout), fold_(new QToolButton(this)) {
  column_->setContentsMargins(0, 4, 0, 0);
  column_->setSpacing(2);
  fold_->setObjectName(QStringLiteral("foldRail"));
  fold_->setAutoRaise(true);
  connect(fold_, &QToolButton::clicked, this, [this] { setFolded(!is_folded_); });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(column_, 1);
  layout->addWidget(fold_, 0, Qt::AlignRight);
  // While a step opens, its form may need more for a moment, which the window would take from the
  // curves for good.
  setMinimumHeight(least_height_px);
  setFolded(false);
}

QSize Rail::minimumSizeHint() const {
  const QSize needed = QWidget::minimumSizeHint();
  return {is_folded_ ? folded_width_px : std::max(needed.width(), width_px), needed.height()};
}

void Rail::setFolded(bool folded) {
  is_folded_ = folded;
  for (RailStep* step : steps_) step->setFolded(folded);
  setMaximumWidth(folded ? folded_width_px : QWIDGETSIZE_MAX);
  layout()->setAlignment(column_, folded ? Qt::AlignTop : Qt::Alignment());
  updateGeometry();
  fold_->setIcon(lineIcon(folded ? QStringLiteral("unfold") : QStringLiteral("fold")));
  fold_->setToolTip(folded ? tr("Shows the steps") : tr("Folds the steps away"));
  fold_->setAccessibleName(fold_->toolTip());
}

void Rail::addStep(const QString& key, const QString& title, const QString& icon, QWidget* form,
                   RailStep::Summary summary) {
  auto* step = new RailStep(static_cast<int>(steps_.size()) + 1, key, title, icon, form,
                            std::move(summary), this);
  connect(step, &RailStep::chosen, this, &Rail::open);
  column_->addWidget(step);
  steps_.push_back(step);
}

void Rail::open(const QString& key) {
  // A form that is hidden with the focus in it would hand the focus to whatever comes next.
  const QWidget* focus = window()->focusWidget();
  if (focus != nullptr && isAncestorOf(focus) && step(key) != nullptr) step(key)->takeFocus();
  // The other steps close first: two open ones at a time would make the window grow.
  for (RailStep* step : steps_)
    if (step->key() != key) step->setOpen(false);
  for (RailStep* step : steps_) {
    if (step->key() == key) step->setOpen(true);
    column_->setStretchFactor(step, step->isOpen() ? 1 : 0);
  }
  if (is_folded_) setFolded(false);
}

QString Rail::openStep() const {
  for (const RailStep* step : steps_)
    if (step->isOpen()) return step->key();
  return {};
}

RailStep* Rail::step(const QString& key) const {
  const auto found = std::ranges::find(steps_, key, &RailStep::key);
  return found == steps_.end() ? nullptr : *found;
}

void Rail::refresh() {
  for (RailStep* step : steps_) step->refresh();
}

}  // namespace gantry
