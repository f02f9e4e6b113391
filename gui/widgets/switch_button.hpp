#pragma once

#include <QStyleOptionToolButton>
#include <QToolButton>

namespace gantry {

/// A button that stays pressed. While it is, it has the colours of a selection, which dark palettes
/// show as well as light ones; styles themselves only darken such a button a little.
class SwitchButton : public QToolButton {
 public:
  explicit SwitchButton(const QString& text, QWidget* parent = nullptr) : QToolButton(parent) {
    setText(text);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
  }

 protected:
  void initStyleOption(QStyleOptionToolButton* option) const override {
    QToolButton::initStyleOption(option);
    if (!isChecked()) return;
    const QBrush ground = option->palette.brush(QPalette::Highlight),
                 text = option->palette.brush(QPalette::HighlightedText);
    option->palette.setBrush(QPalette::Button, ground);
    option->palette.setBrush(QPalette::Window, ground);
    option->palette.setBrush(QPalette::ButtonText, text);
    option->palette.setBrush(QPalette::WindowText, text);
  }
};

}  // namespace gantry
