#pragma once

#include <QLabel>
#include <QResizeEvent>

namespace gantry {

/// A text of several lines that asks for the height that it takes at its present width. In a
/// QFormLayout a text whose height follows from a width that is yet to be found would be cut: where
/// it has become longer, the layout may give it the height for the width of the whole row, and
/// leaves it at that until something else is laid out.
class WrappedLabel : public QLabel {
 public:
  explicit WrappedLabel(QWidget* parent) : QLabel(parent) { setWordWrap(true); }

  bool hasHeightForWidth() const override { return false; }
  QSize sizeHint() const override { return {QLabel::sizeHint().width(), neededHeight()}; }
  QSize minimumSizeHint() const override {
    return {QLabel::minimumSizeHint().width(), neededHeight()};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) updateGeometry();
  }

 private:
  int neededHeight() const { return heightForWidth(width()); }
};

}  // namespace gantry
