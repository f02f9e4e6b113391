#pragma once

#include <QObject>
#include <QPointer>

#include <functional>

class QKeyEvent;
class QWidget;

namespace gantry {

/// Sends keys that are pressed while the mouse is over a view to that view, whichever widget has
/// the focus, except keys of a text that is being typed. A field returns the focus to a view once a
/// choice has been made. The wheel changes a field only if the field has the focus.
class ViewKeys : public QObject {
  Q_OBJECT
 public:
  /// `home` returns the view that gets the focus; it may return null.
  ViewKeys(QWidget* window, std::function<QWidget*()> home);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  bool sendToView(QWidget* focus, QKeyEvent* event);
  void giveFocusBack(QWidget* field);

  QWidget* window_;
  std::function<QWidget*()> home_;
  bool isForwarding_ = false;
};

}  // namespace gantry
