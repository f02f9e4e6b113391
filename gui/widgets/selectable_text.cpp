#include "gui/widgets/selectable_text.hpp"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QTextBoundaryFinder>

#include <algorithm>

namespace gantry {

namespace {

/// Whether the text takes the key, which would be a shortcut of the window otherwise.
bool is_own(const QKeyEvent& key) {
  if (key.matches(QKeySequence::Copy) || key.matches(QKeySequence::SelectAll)) return true;
  switch (key.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
      return (key.modifiers() & (Qt::AltModifier | Qt::MetaModifier)) == 0;
    default:
      return false;
  }
}

}  // namespace

SelectableText::SelectableText(QWidget* parent) : ElidingLabel(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::IBeamCursor);
}

QString SelectableText::selectedText() const {
  const int first = std::min(anchor_, caret_);
  return text().mid(first, std::max(anchor_, caret_) - first);
}

void SelectableText::copy() const {
  if (anchor_ != caret_) QGuiApplication::clipboard()->setText(selectedText());
}

void SelectableText::selectAll() {
  anchor_ = 0;
  moveTo(static_cast<int>(text().size()), true);
}

void SelectableText::moveTo(int place, bool keepsAnchor) {
  caret_ = std::clamp(place, 0, static_cast<int>(text().size()));
  if (!keepsAnchor) anchor_ = caret_;
  update();
}

QRect SelectableText::lineRect(std::size_t line) const {
  const QRect all = contentsRect();
  const int height = fontMetrics().lineSpacing();
  const int lines = static_cast<int>(layOut(all.width()).size());
  const int top = all.top() + (all.height() - lines * height) / 2;
  return {all.left(), top + static_cast<int>(line) * height, all.width(), height};
}

int SelectableText::xOf(const Line& line, qsizetype column) const {
  return contentsRect().left() + fontMetrics().horizontalAdvance(line.shown.left(column));
}

SelectableText::Spot SelectableText::spotOf(int place) const {
  const std::vector<Line> lines = layOut(contentsRect().width());
  Spot spot;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0 && place < lines[i].places.front()) break;
    const auto& places = lines[i].places;
    const auto found = std::ranges::lower_bound(places, place);
    spot = {i, std::min(found - places.begin(), static_cast<std::ptrdiff_t>(places.size()) - 1)};
  }
  return spot;
}

int SelectableText::placeAt(const QPoint& at) const {
  const std::vector<Line> lines = layOut(contentsRect().width());
  if (lines.empty()) return 0;
  const int row = (at.y() - lineRect(0).top()) / fontMetrics().lineSpacing();
  if (at.y() < lineRect(0).top()) return 0;
  const Line& line =
      lines[static_cast<std::size_t>(std::clamp(row, 0, static_cast<int>(lines.size()) - 1))];
  qsizetype column = 0;
  // The nearer one of the two edges of a character.
  while (column < line.shown.size() && 2 * at.x() > xOf(line, column) + xOf(line, column + 1))
    ++column;
  return line.places[static_cast<std::size_t>(column)];
}

/// Returns where a key leads to from the caret.
int SelectableText::placeAfter(const QKeyEvent& key) const {
  const bool by_word = (key.modifiers() & Qt::ControlModifier) != 0;
  const Spot spot = spotOf(caret_);
  const QRect now = lineRect(spot.line);
  const std::vector<Line> lines = layOut(contentsRect().width());
  const int x = lines.empty() ? 0 : xOf(lines[spot.line], spot.column);
  QTextBoundaryFinder words(QTextBoundaryFinder::Word, text());
  words.setPosition(caret_);
  switch (key.key()) {
    case Qt::Key_Left:
      return by_word ? static_cast<int>(words.toPreviousBoundary()) : caret_ - 1;
    case Qt::Key_Right:
      return !by_word ? caret_ + 1 : std::max(caret_, static_cast<int>(words.toNextBoundary()));
    case Qt::Key_Up:
      return spot.line == 0 ? 0 : placeAt({x, now.center().y() - now.height()});
    case Qt::Key_Down:
      return spot.line + 1 >= lines.size() ? static_cast<int>(text().size())
                                           : placeAt({x, now.center().y() + now.height()});
    case Qt::Key_Home:
      return by_word || lines.empty() ? 0 : lines[spot.line].places.front();
    default:
      return by_word || lines.empty() ? static_cast<int>(text().size())
                                      : lines[spot.line].places.back();
  }
}

void SelectableText::paintEvent(QPaintEvent* event) {
  const bool shows_caret = hasFocus();
  if (anchor_ == caret_ && !shows_caret) return ElidingLabel::paintEvent(event);
  QPainter painter(this);
  const std::vector<Line> lines = layOut(contentsRect().width());
  const auto draw = [&](std::size_t i, QPalette::ColorRole role) {
    painter.setPen(palette().color(role));
    painter.drawText(lineRect(i), Qt::AlignLeft | Qt::AlignVCenter, lines[i].shown);
  };
  const Spot first = spotOf(std::min(anchor_, caret_)), last = spotOf(std::max(anchor_, caret_));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    draw(i, foregroundRole());
    if (anchor_ == caret_ || i < first.line || i > last.line) continue;
    QRect selected = lineRect(i);
    selected.setLeft(xOf(lines[i], i == first.line ? first.column : 0));
    selected.setRight(xOf(lines[i], i == last.line ? last.column : lines[i].shown.size()) - 1);
    painter.fillRect(selected, palette().color(QPalette::Highlight));
    painter.setClipRect(selected);
    draw(i, QPalette::HighlightedText);
    painter.setClipping(false);
  }
  if (!shows_caret || lines.empty()) return;
  const Spot spot = spotOf(caret_);
  QRect caret = lineRect(spot.line);
  caret.setLeft(xOf(lines[spot.line], spot.column));
  caret.setWidth(2);
  painter.fillRect(caret, palette().color(foregroundRole()));
}

bool SelectableText::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && is_own(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return ElidingLabel::event(event);
}

void SelectableText::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  if (event->matches(QKeySequence::SelectAll)) return selectAll();
  if (!is_own(*event)) return ElidingLabel::keyPressEvent(event);
  moveTo(placeAfter(*event), (event->modifiers() & Qt::ShiftModifier) != 0);
}

void SelectableText::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return ElidingLabel::mousePressEvent(event);
  moveTo(placeAt(event->pos()), (event->modifiers() & Qt::ShiftModifier) != 0);
}

void SelectableText::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0) moveTo(placeAt(event->pos()), true);
}

/// As in other programs of X11, what is selected is also what the middle button pastes.
void SelectableText::mouseReleaseEvent(QMouseEvent* /*event*/) {
  QClipboard* clipboard = QGuiApplication::clipboard();
  if (anchor_ != caret_ && clipboard->supportsSelection())
    clipboard->setText(selectedText(), QClipboard::Selection);
}

void SelectableText::mouseDoubleClickEvent(QMouseEvent* event) {
  const int place = placeAt(event->pos());
  QTextBoundaryFinder words(QTextBoundaryFinder::Word, text());
  words.setPosition(place);
  const auto end = words.toNextBoundary();
  const auto begin = words.toPreviousBoundary();
  anchor_ = begin < 0 ? place : static_cast<int>(begin);
  moveTo(end < 0 ? place : static_cast<int>(end), true);
}

void SelectableText::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  QAction* copies = menu.addAction(tr("Copy"), this, &SelectableText::copy);
  copies->setShortcut(QKeySequence::Copy);
  copies->setEnabled(anchor_ != caret_);
  menu.addAction(tr("Select all"), this, &SelectableText::selectAll)
      ->setShortcut(QKeySequence::SelectAll);
  menu.exec(event->globalPos());
}

void SelectableText::focusInEvent(QFocusEvent* event) {
  update();
  ElidingLabel::focusInEvent(event);
}

void SelectableText::focusOutEvent(QFocusEvent* event) {
  // A menu gives the focus back.
  if (event->reason() != Qt::PopupFocusReason) anchor_ = caret_;
  update();
  ElidingLabel::focusOutEvent(event);
}

}  // namespace gantry
