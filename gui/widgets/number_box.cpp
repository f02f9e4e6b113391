#include "gui/widgets/number_box.hpp"

#include "gui/widgets/banners.hpp"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gantry {

namespace {

constexpr double leastDifference = 1e-3;  // relative, by which rounding changes a number
constexpr int shownDigits = 12;
const QString refusals = QStringLiteral("typed number");

QString tr(const char* text) { return QCoreApplication::translate("NumberBox", text); }

/// Returns the number that a text stands for; nothing if it stands for none.
std::optional<double> number_in(QString text, const QAbstractSpinBox& box) {
  const QLocale locale = box.locale();
  const QString group = locale.groupSeparator(), point = locale.decimalPoint();
  const QRegularExpression grouped(
      QStringLiteral("^[+-]?\\d{1,3}(%1\\d{3})+(%2\\d*)?$")
          .arg(QRegularExpression::escape(group), QRegularExpression::escape(point)));
  if (box.isGroupSeparatorShown() && grouped.match(text).hasMatch()) text.remove(group);
  text.replace(point, QStringLiteral(".")).replace(QLatin1Char(','), QLatin1Char('.'));
  bool is_number = false;
  const double number = QLocale::c().toDouble(text, &is_number);
  if (!is_number || !std::isfinite(number)) return std::nullopt;
  return number;
}

double rounded(double number, int decimals) {
  return QString::number(number, 'f', decimals).toDouble();
}

/// Returns what a field is called: by itself, or by the label beside it.
QString name_of(const QWidget& field) {
  if (!field.accessibleName().isEmpty()) return field.accessibleName();
  for (const QLabel* label : field.window()->findChildren<QLabel*>()) {
    const QWidget* buddy = label->buddy();
    if (buddy != nullptr && (buddy == &field || buddy->isAncestorOf(&field)))
      return label->text().remove(QLatin1Char('&'));
  }
  return tr("This field");
}

/// Returns the banners of the window that a field belongs to, also where its dock floats; null in a
/// dialog, which has none.
Banners* banners_for(const QWidget& field) {
  const QWidget* window = field.window();
  while (window != nullptr) {
    if (auto* found = window->findChild<Banners*>()) return found;
    if (window->isModal() || window->parentWidget() == nullptr) return nullptr;
    window = window->parentWidget()->window();
  }
  return nullptr;
}

}  // namespace

/// Returns the text without prefix and suffix. While a suffix is being deleted, its rest stands
/// before the whole suffix, which the line edit adds again.
template <class Box>
QString TypedBox<Box>::written(const QString& text) const {
  QString core = text;
  const QString suffix = this->suffix();
  if (!this->prefix().isEmpty() && core.startsWith(this->prefix()))
    core.remove(0, this->prefix().size());
  if (!suffix.isEmpty() && core.endsWith(suffix)) core.chop(suffix.size());
  for (auto length = suffix.size() - 1; length > 1; --length)
    if (core.endsWith(suffix.left(length)) || core.endsWith(suffix.right(length))) {
      core.chop(length);
      break;
    }
  return core.trimmed();
}

/// Returns why a text is refused; empty if it is not.
template <class Box>
QString TypedBox<Box>::problem(const QString& text) const {
  if (!this->specialValueText().isEmpty() && text == this->specialValueText()) return {};
  const auto shown = [](double value) { return QString::number(value, 'g', shownDigits); };
  const Value least = least_.value_or(this->minimum());
  const QString range = tr("%1 to %2").arg(shown(least), shown(this->maximum()));
  const auto number = number_in(written(text), *this);
  if (!number) return tr("is no number; it takes %1").arg(range);
  if (!(*number >= least && *number <= this->maximum()))
    return tr("is out of range, which is %1").arg(range);
  if constexpr (std::is_same_v<Value, int>) {
    if (*number != std::floor(*number)) return tr("is no whole number; it takes %1").arg(range);
  } else {
    if (std::abs(rounded(*number, this->decimals()) - *number) >
        leastDifference * std::abs(*number))
      return tr("has more decimals than the %1 of this field, which takes %2")
          .arg(this->decimals())
          .arg(range);
  }
  return {};
}

/// Anything may stand in the field while it is typed: a key that does nothing would change what the
/// others mean, as 1e5 without its e.
template <class Box>
QValidator::State TypedBox<Box>::validate(QString& text, int& /*position*/) const {
  return problem(text).isEmpty() ? QValidator::Acceptable : QValidator::Intermediate;
}

template <class Box>
typename TypedBox<Box>::Value TypedBox<Box>::valueFromText(const QString& text) const {
  if (!this->specialValueText().isEmpty() && text == this->specialValueText())
    return this->minimum();
  if (written(text) == textFromValue(this->value())) return this->value();  // with all its digits
  const double number = number_in(written(text), *this).value_or(this->value());
  if constexpr (std::is_same_v<Value, int>)
    return static_cast<int>(number);
  else
    return rounded(number, this->decimals());
}

template <class Box>
QString TypedBox<Box>::textFromValue(Value value) const {
  QString text = Box::textFromValue(value);
  if constexpr (std::is_same_v<Value, double>) {
    const auto digits = std::ranges::count_if(text, [](QChar c) { return c.isDigit(); });
    const int cut = std::min(this->decimals(), static_cast<int>(digits) - mostDigits_);
    if (cut > 0) {
      text = Box::textFromValue(rounded(value, this->decimals() - cut));
      text.chop(cut == this->decimals() ? cut + 1 : cut);  // zeros, and the point without any
    }
  }
  const QString point = this->locale().decimalPoint();
  if (!dropsZeros_ || !text.contains(point)) return text;
  while (text.endsWith(QLatin1Char('0'))) text.chop(1);
  if (text.endsWith(point)) text.chop(point.size());
  return text;
}

/// Says why what was typed is refused, before the field shows its value again.
template <class Box>
void TypedBox<Box>::judge() {
  const QString text = this->lineEdit()->text(), why = problem(text);
  Banners* banners = banners_for(*this);
  if (why.isEmpty()) {
    if (banners != nullptr && this->lineEdit()->isModified()) banners->clear(refusals);
    return;
  }
  const Value kept = this->value();
  const bool is_special = !this->specialValueText().isEmpty() && kept == this->minimum();
  const QString line =
      tr("%1: “%2” %3. It stays at %4")
          .arg(name_of(*this), written(text), why,
               is_special ? this->specialValueText() : textFromValue(kept) + this->suffix());
  if (banners != nullptr)
    banners->show(refusals, Banners::Kind::note, line);
  else
    QToolTip::showText(this->mapToGlobal(this->rect().bottomLeft()), line, this);
}

template <class Box>
bool TypedBox<Box>::event(QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return Box::event(event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool is_undo = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
  const bool is_typing = written(this->lineEdit()->text()) != textFromValue(this->value()) &&
                         this->lineEdit()->text() != this->specialValueText();
  if (!is_undo || is_typing) return Box::event(event);
  event->ignore();
  return true;
}

template <class Box>
void TypedBox<Box>::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) judge();
  Box::keyPressEvent(event);
}

template <class Box>
void TypedBox<Box>::focusOutEvent(QFocusEvent* event) {
  judge();
  Box::focusOutEvent(event);
}

template class TypedBox<QDoubleSpinBox>;
template class TypedBox<QSpinBox>;

}  // namespace gantry
