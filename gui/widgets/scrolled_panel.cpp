#include "gui/widgets/scrolled_panel.hpp"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QLayout>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QWheelEvent>

namespace gantry {

constexpr int field_buttons_px = 30;  // of a field, with its frame

ScrolledPanel::ScrolledPanel(QWidget* content, QWidget* parent) : QScrollArea(parent) {
  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  letFieldsShrink();
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  content->installEventFilter(this);
  qApp->installEventFilter(this);  // covers fields that are created later, too
}

bool ScrolledPanel::eventFilter(QObject* object, QEvent* event) {
  // Some contents are lower where they are narrower: with a scroll bar they need none, and without
  // one they do. The area would resize them for ever, each time within the last.
  constexpr int deepest = 6;
  const bool is_resized = event->type() == QEvent::Resize && object == widget();
  if (is_resized && resizes_ >= deepest) return false;
  const QScopedValueRollback depth(resizes_, resizes_ + (is_resized ? 1 : 0));
  if (event->type() == QEvent::LayoutRequest && object == widget()) {
    letFieldsShrink();
    setMinimumWidth(widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());
  }
  if (is_resized || (event->type() == QEvent::LayoutRequest && object == widget())) fitHeight();
  if (event->type() == QEvent::Wheel) {
    const auto* field = qobject_cast<QWidget*>(object);
    const bool changes_a_value = qobject_cast<QAbstractSpinBox*>(object) != nullptr ||
                                 qobject_cast<QComboBox*>(object) != nullptr;
    if (changes_a_value && widget()->isAncestorOf(field)) {
      event->ignore();  // passes the event to the parent and thus to this area
      return true;
    }
  }
  return QScrollArea::eventFilter(object, event);
}

/// Lets fields be narrower than the longest number of their range, or the longest of their choices:
/// by themselves they would make the panel as wide as that.
void ScrolledPanel::letFieldsShrink() {
  bool has_changed = false;
  const auto limit = [&](QWidget* field, const QString& usual) {
    const int width = fontMetrics().horizontalAdvance(usual) + field_buttons_px;
    if (field->minimumWidth() > 0 || field->minimumSizeHint().width() <= width) return;
    field->setMinimumWidth(width);
    has_changed = true;
  };
  for (auto* box : widget()->findChildren<QAbstractSpinBox*>())
    limit(box, QStringLiteral("000.000"));
  for (auto* box : widget()->findChildren<QComboBox*>()) limit(box, QStringLiteral("Distance-"));
  if (!has_changed) return;
  // The layouts around widgets that are not shown yet would keep the former widths.
  for (QWidget* part : widget()->findChildren<QWidget*>())
    if (part->layout() != nullptr) part->updateGeometry();
  widget()->updateGeometry();
}

/// Makes the contents as high as their texts need at this width, which the area itself does not do:
/// texts of several lines would be cut.
void ScrolledPanel::fitHeight() {
  const QLayout* layout = widget()->layout();
  if (layout == nullptr || !layout->hasHeightForWidth()) return;
  const int height = layout->totalHeightForWidth(widget()->width());
  if (height != widget()->minimumHeight()) widget()->setMinimumHeight(height);
}

}  // namespace gantry
