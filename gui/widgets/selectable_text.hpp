#pragma once

#include "gui/widgets/eliding_label.hpp"

#include <QPoint>

namespace gantry {

/// A text whose parts can be selected with the mouse or the keyboard, and copied. A selection that
/// reaches over the end of a text that is cut has what is left out as well.
class SelectableText : public ElidingLabel {
  Q_OBJECT
 public:
  explicit SelectableText(QWidget* parent = nullptr);
  QString selectedText() const;
  void selectAll();
  void copy() const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Spot {
    std::size_t line = 0;
    qsizetype column = 0;
  };
  QRect lineRect(std::size_t line) const;
  Spot spotOf(int place) const;
  int xOf(const Line& line, qsizetype column) const;
  int placeAt(const QPoint& at) const;
  int placeAfter(const QKeyEvent& key) const;
  void moveTo(int place, bool keepsAnchor);

  int anchor_ = 0, caret_ = 0;  // places in text()
};

}  // namespace gantry
