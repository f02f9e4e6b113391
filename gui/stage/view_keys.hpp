#pragma once

#include <QObject>
#include <QPointer>

#include <functional>

class QKeyEvent;
class QWidget;

namespace gantry {

/// Keys over a view belong to the view, whatever has the focus: a combo box or spin box that was
/// used keeps neither the arrows nor the letters. Text that is being typed is left alone. Fields
/// give the focus back to a view once a choice has been made, and the wheel changes none that has
/// no focus.
class ViewKeys : public QObject {
  Q_OBJECT
 public:
  /// `home` tells the view that gets the focus back; it may be null.
  ViewKeys(QWidget* window, std::function<QWidget*()> home);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  bool sendToView(QWidget* focus, QKeyEvent* event);
  void giveFocusBack(QWidget* field);

  QWidget* window_;
  std::function<QWidget*()> home_;
  bool isPassing_ = false;
};

}  // namespace gantry
