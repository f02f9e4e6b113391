#include "gui/widgets/knob.hpp"

#include "gui/widgets/icons.hpp"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int positions = 400, page = 40, least_width = 32;
constexpr int buttons_px = 32;  // of a number box, with its frame
constexpr int least_box_width = 64;

}  // namespace

Knob::Knob(QAbstractSpinBox* box, const QString& name, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), box_(box) {
  setRange(0, positions);
  setPageStep(page);
  setMinimumWidth(least_width);
  setAccessibleName(tr("%1, slider").arg(name));
  setToolTip(tr("%1: drag, or use the arrow keys; a reduced reconstruction follows. The value is "
                "set when you let go, and runs that have computed start again; undo brings back "
                "what they had")
                 .arg(name));
  connect(this, &QSlider::valueChanged, this, &Knob::move);
  if (auto* real = qobject_cast<QDoubleSpinBox*>(box_))
    connect(real, &QDoubleSpinBox::valueChanged, this, &Knob::follow);
  else if (auto* whole = qobject_cast<QSpinBox*>(box_))
    connect(whole, &QSpinBox::valueChanged, this, &Knob::follow);
}

void Knob::setValues(const std::optional<ValueRange>& range) {
  setVisible(range.has_value());
  if (!range || is_under_way_) return;
  range_ = range->with(boxValue());
  if (isBesideBox_) fitBox();
  follow();
}

/// Makes the field no wider than the numbers of the slider need, which would leave it no room.
void Knob::fitBox() {
  const auto* real = qobject_cast<const QDoubleSpinBox*>(box_);
  const QString widest = real != nullptr ? real->textFromValue(range_.high) + real->suffix()
                                         : QString::number(std::lround(range_.high)) +
                                               qobject_cast<const QSpinBox*>(box_)->suffix();
  box_->setFixedWidth(
      std::max(box_->fontMetrics().horizontalAdvance(widest) + buttons_px, least_box_width));
}

/// Leaves the field the whole width of its row.
void Knob::leaveBox() {
  isBesideBox_ = false;
  box_->setMinimumWidth(0);
  box_->setMaximumWidth(QWIDGETSIZE_MAX);
}

void Knob::follow() {
  if (is_under_way_) return;
  range_ = range_.with(boxValue());
  const QSignalBlocker quiet(this);
  setValue(static_cast<int>(std::lround(range_.part_of(boxValue()) * maximum())));
}

void Knob::move() {
  if (!is_under_way_) before_ = boxValue();
  is_under_way_ = true;
  setBoxValue(number());
  emit dragged(boxValue());  // as the field rounds it, which is what is set on release
}

/// Sets the field back to what it was and then to the new value, so that the field reports one
/// change.
void Knob::commit() {
  if (!is_under_way_) return;
  const double value = number();
  setBoxValue(before_);
  is_under_way_ = false;
  if (auto* real = qobject_cast<QDoubleSpinBox*>(box_)) real->setValue(value);
  if (auto* whole = qobject_cast<QSpinBox*>(box_)) whole->setValue(static_cast<int>(value));
  follow();
}

double Knob::boxValue() const {
  if (const auto* real = qobject_cast<const QDoubleSpinBox*>(box_)) return real->value();
  return qobject_cast<const QSpinBox*>(box_)->value();
}

void Knob::setBoxValue(double value) {
  const QSignalBlocker quiet(box_);
  if (auto* real = qobject_cast<QDoubleSpinBox*>(box_)) real->setValue(value);
  if (auto* whole = qobject_cast<QSpinBox*>(box_)) whole->setValue(static_cast<int>(value));
}

void Knob::mouseReleaseEvent(QMouseEvent* event) {
  QSlider::mouseReleaseEvent(event);
  commit();
}

void Knob::keyReleaseEvent(QKeyEvent* event) {
  QSlider::keyReleaseEvent(event);
  if (!event->isAutoRepeat()) commit();
}

void Knob::focusOutEvent(QFocusEvent* event) {
  QSlider::focusOutEvent(event);
  commit();
}

/// The wheel scrolls the panel: it must not change what it passes over.
void Knob::wheelEvent(QWheelEvent* event) { event->ignore(); }

QToolButton* makeSweepButton(const QString& name, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(lineIcon(QStringLiteral("sweep")));
  button->setIconSize({12, 12});
  button->setAutoRaise(true);
  button->setAccessibleName(Knob::tr("Sweep %1").arg(name));
  button->setToolTip(
      Knob::tr("Sweep this parameter: the selected run is repeated with several values of it"));
  return button;
}

QWidget* knobRow(Knob* knob, QAbstractSpinBox* box, const QList<QWidget*>& more, QWidget* parent) {
  auto* row = new QWidget(parent);
  auto* parts = new QHBoxLayout(row);
  parts->setContentsMargins(0, 0, 0, 0);
  parts->setSpacing(4);
  if (knob != nullptr) parts->addWidget(knob, 1);
  parts->addWidget(box, knob != nullptr ? 0 : 1);
  for (QWidget* widget : more) parts->addWidget(widget);
  return row;
}

QWidget* knobBelow(Knob* knob, QAbstractSpinBox* box, const QList<QWidget*>& more,
                   QWidget* parent) {
  auto* field = new QWidget(parent);
  auto* rows = new QVBoxLayout(field);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(2);
  knob->leaveBox();
  rows->addWidget(knobRow(nullptr, box, more, field));
  rows->addWidget(knob);
  return field;
}

}  // namespace gantry
