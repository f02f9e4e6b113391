#pragma once

#include <QLabel>

namespace gantry {

/// A label of one line that takes the available width and ends in an ellipsis where its text is
/// longer.
class ElidingLabel : public QLabel {
 public:
  explicit ElidingLabel(QWidget* parent = nullptr);
  /// Draws secondary text.
  void setMuted(bool muted) { muted_ = muted; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool muted_ = false;
};

}  // namespace gantry
