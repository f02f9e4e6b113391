#pragma once

#include <QScrollArea>

namespace gantry {

/// A panel of forms that scrolls when its dock is too low for it, and is never narrower than its
/// contents. The wheel scrolls it wherever the mouse is: it never changes the value of a field on
/// the way.
class ScrolledPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit ScrolledPanel(QWidget* content, QWidget* parent = nullptr);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
};

}  // namespace gantry
