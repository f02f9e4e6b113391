#pragma once

#include <QLabel>

namespace gantry {

/// A label of one line that takes the available width and ends in an ellipsis where its text is
/// longer.
class ElidingLabel : public QLabel {
 public:
  explicit ElidingLabel(QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace gantry
