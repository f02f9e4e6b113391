#pragma once

#include <QScrollArea>

namespace gantry {

/// A panel of forms that scrolls vertically when its dock is too low, and is never narrower than
/// its contents. The wheel always scrolls the panel and never changes the value of the field under
/// the mouse.
class ScrolledPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit ScrolledPanel(QWidget* content, QWidget* parent = nullptr);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void fitHeight();
  void letFieldsShrink();

  int resizes_ = 0;  // of the contents, within each other
};

}  // namespace gantry
