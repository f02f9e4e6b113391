#include "gui/widgets/scrolled_panel.hpp"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QLayout>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>

namespace gantry {

constexpr int buttons_px = 30;  // of a field, with its frame

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
  // Contents that are lower where they are narrower need no scroll bar with it, and need it
  // without: the area would resize them for ever, each time within the last.
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
    const int width = fontMetrics().horizontalAdvance(usual) + buttons_px;
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
/// texts of several lines would be cut. Another height may show or hide the scroll bar, and thereby
/// change the width. Some contents are lower where they are narrower, so that neither of the two
/// widths has a height that leads to itself: then the greater height stays.
void ScrolledPanel::fitHeight() {
  const QLayout* layout = widget()->layout();
  if (isFitting_ || layout == nullptr || !layout->hasHeightForWidth()) return;
  const QScopedValueRollback guard(isFitting_, true);
  constexpr int most_tries = 4;
  int greatest = 0;
  for (int i = 0; i < most_tries; ++i) {
    const int width = widget()->width(), height = layout->totalHeightForWidth(width);
    greatest = std::max(greatest, height);
    if (height != widget()->minimumHeight()) widget()->setMinimumHeight(height);
    if (widget()->width() == width) return;
  }
  widget()->setMinimumHeight(greatest);
}

}  // namespace gantry
