#pragma once

#include <QLabel>

namespace gantry {

/// One line that takes the room there is, and ends in an ellipsis where that is too little.
class ElidingLabel : public QLabel {
 public:
  explicit ElidingLabel(QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace gantry
