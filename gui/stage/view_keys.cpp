#include "gui/stage/view_keys.hpp"

#include "gui/views/slice_view.hpp"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTextEdit>

namespace gantry {

namespace {

SliceView* viewUnderMouse(const QWidget* window) {
  for (QWidget* w = QApplication::widgetAt(QCursor::pos()); w != nullptr; w = w->parentWidget())
    if (auto* view = qobject_cast<SliceView*>(w)) return w->window() == window ? view : nullptr;
  return nullptr;
}

bool isField(const QObject* object) {
  return qobject_cast<const QAbstractSpinBox*>(object) != nullptr ||
         qobject_cast<const QComboBox*>(object) != nullptr;
}

/// Returns whether a field would take the key as text. A number takes no letters but E, and no
/// arrow keys or space.
bool isTyping(const QWidget* focus, const QKeyEvent& event) {
  if (qobject_cast<const QAbstractSpinBox*>(focus) != nullptr) {
    switch (event.key()) {
      case Qt::Key_Up:
      case Qt::Key_Down:
      case Qt::Key_PageUp:
      case Qt::Key_PageDown:
      case Qt::Key_Space:
        return false;
      default:
        return event.key() < Qt::Key_A || event.key() > Qt::Key_Z || event.key() == Qt::Key_E;
    }
  }
  return qobject_cast<const QLineEdit*>(focus) != nullptr ||
         qobject_cast<const QTextEdit*>(focus) != nullptr || focus->inherits("QPlainTextEdit");
}

bool isForViews(const QKeyEvent& event) {
  if (event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) return false;
  switch (event.key()) {
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Escape:
    case Qt::Key_Menu:
      return false;
    default:
      return event.key() < Qt::Key_F1 || event.key() > Qt::Key_F35;
  }
}

}  // namespace

ViewKeys::ViewKeys(QWidget* window, std::function<QWidget*()> home)
    : QObject(window), window_(window), home_(std::move(home)) {
  qApp->installEventFilter(this);  // covers fields that are created later, too
}

bool ViewKeys::eventFilter(QObject* object, QEvent* event) {
  auto* widget = qobject_cast<QWidget*>(object);
  if (widget == nullptr || widget->window() != window_) return false;
  switch (event->type()) {
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
      return sendToView(widget, static_cast<QKeyEvent*>(event));
    case QEvent::FocusIn:
      if (qobject_cast<QComboBox*>(object) != nullptr &&
          static_cast<QFocusEvent*>(event)->reason() == Qt::PopupFocusReason)
        giveFocusBack(widget);
      return false;
    case QEvent::MouseButtonRelease:  // on the arrows of a spin box; its text is another widget
      if (qobject_cast<QAbstractSpinBox*>(object) != nullptr) giveFocusBack(widget);
      return false;
    case QEvent::Wheel:
      if (!isField(object) || widget->hasFocus()) return false;
      event->ignore();
      return true;
    default:
      return false;
  }
}

/// Returns whether the key has been handled.
bool ViewKeys::sendToView(QWidget* focus, QKeyEvent* event) {
  const bool ends_number = qobject_cast<QAbstractSpinBox*>(focus) != nullptr &&
                           event->type() == QEvent::KeyPress &&
                           (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter);
  if (ends_number) giveFocusBack(focus);
  if (isForwarding_ || QApplication::activePopupWidget() != nullptr || !isForViews(*event))
    return false;
  SliceView* view = viewUnderMouse(window_);
  if (view == nullptr || view == focus || isTyping(focus, *event)) return false;
  // The widget with the focus gets the key unless a shortcut takes it.
  view->setFocus(Qt::OtherFocusReason);
  if (event->type() == QEvent::ShortcutOverride) {
    event->ignore();
    return true;
  }
  event->accept();
  // Keys that the view ignores go to its parents; without this flag they would return here.
  isForwarding_ = true;
  QCoreApplication::sendEvent(view, event);
  isForwarding_ = false;
  return true;
}

void ViewKeys::giveFocusBack(QWidget* field) {
  QMetaObject::invokeMethod(
      this,
      [this, field = QPointer(field)] {
        QWidget* view = home_();
        if (field != nullptr && field->hasFocus() && view != nullptr)
          view->setFocus(Qt::OtherFocusReason);
      },
      Qt::QueuedConnection);
}

}  // namespace gantry
