#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>

#include <optional>
#include <type_traits>

namespace gantry {

/// A field of a number that reads every usual way to write one: with an exponent, and with a comma
/// for the point, unless the field itself groups digits by commas. What is no number, is out of
/// range, or is finer than the field's decimals is refused: the field shows its value again, and
/// one line of the window's banners says what the field takes. Box is QDoubleSpinBox or QSpinBox.
template <class Box>
class TypedBox : public Box {
 public:
  using Value = std::conditional_t<std::is_base_of_v<QSpinBox, Box>, int, double>;
  /// A number counts when it has been typed to its end: the 9 of 999 is no number that was meant.
  explicit TypedBox(QWidget* parent = nullptr) : Box(parent) { this->setKeyboardTracking(false); }

  /// Shows numbers without zeros at their end.
  void setDropsZeros(bool drops) { dropsZeros_ = drops; }
  /// Shows no more digits than these, unless they stand before the point; typed ones count all.
  void setMostDigits(int most) { mostDigits_ = most; }
  /// Sets the numbers that the field takes, below which its minimum stands for the special text.
  void setRangeOrSpecial(Value least, Value most) {
    least_ = least;
    this->setRange(least - 1, most);
  }

  QValidator::State validate(QString& text, int& position) const override;
  void fixup(QString& /*text*/) const override {}  // the refused text gives way to the value
  Value valueFromText(const QString& text) const override;
  QString textFromValue(Value value) const override;

 protected:
  /// Leaves undo and redo to the window, unless a number is being typed.
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  QString written(const QString& text) const;
  QString problem(const QString& text) const;
  void judge();

  bool dropsZeros_ = false;
  int mostDigits_ = 1000;
  std::optional<Value> least_;  ///< of the numbers, where the minimum is none of them
};

using NumberBox = TypedBox<QDoubleSpinBox>;
using WholeBox = TypedBox<QSpinBox>;

}  // namespace gantry
