#include "gui/widgets/wrapping_layout.hpp"

#include <QSpacerItem>
#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <limits>

namespace gantry {

namespace {

bool may_grow(const QLayoutItem& item) {
  return item.expandingDirections().testFlag(Qt::Horizontal) ||
         (item.widget() != nullptr &&
          item.widget()->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored);
}

/// Hidden widgets take no space; a gap is empty as well, but takes some.
bool takes_space(QLayoutItem& item) { return !item.isEmpty() || item.spacerItem() != nullptr; }

/// Returns the width that an item takes at least; the rest of its row goes to those that may grow.
int width_of(QLayoutItem& item) {
  return may_grow(item) ? item.minimumSize().width() : item.sizeHint().width();
}

}  // namespace

WrappingLayout::WrappingLayout(QWidget* parent) : QLayout(parent) {
  setContentsMargins(0, 0, 0, 0);
  setSpacing(6);
}

WrappingLayout::~WrappingLayout() { qDeleteAll(items_); }

void WrappingLayout::addStretch() {
  addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding, QSizePolicy::Minimum));
}

QLayoutItem* WrappingLayout::takeAt(int index) {
  return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

QList<WrappingLayout::Row> WrappingLayout::rowsFor(int width) const {
  QList<Row> rows;
  for (QLayoutItem* item : items_) {
    if (!takes_space(*item)) continue;
    const int wide = width_of(*item);
    if (rows.isEmpty() || rows.last().width + spacing() + wide > width) rows.append(Row{});
    Row& row = rows.last();
    row.width += (row.items.isEmpty() ? 0 : spacing()) + wide;
    row.height = std::max(row.height, item->sizeHint().height());
    row.items.append(item);
  }
  return rows;
}

int WrappingLayout::heightForWidth(int width) const {
  const QMargins around = contentsMargins();
  int height = 0;
  for (const Row& row : rowsFor(width - around.left() - around.right()))
    height += row.height + (height > 0 ? spacing() : 0);
  return height + around.top() + around.bottom();
}

QSize WrappingLayout::minimumSize() const {
  QSize least(0, 0);
  for (QLayoutItem* item : items_)
    if (takes_space(*item))
      least = least.expandedTo(
          {std::min(width_of(*item), item->sizeHint().width()), item->sizeHint().height()});
  return least.grownBy(contentsMargins());
}

QSize WrappingLayout::sizeHint() const {
  const QList<Row> rows = rowsFor(std::numeric_limits<int>::max() / 2);
  const QSize all = rows.isEmpty() ? QSize(0, 0) : QSize(rows.first().width, rows.first().height);
  return all.grownBy(contentsMargins());
}

void WrappingLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  const QRect inner = rect.marginsRemoved(contentsMargins());
  int y = inner.y();
  for (const Row& row : rowsFor(inner.width())) {
    auto growing = static_cast<int>(
        std::ranges::count_if(row.items, [](const QLayoutItem* item) { return may_grow(*item); }));
    int left = std::max(0, inner.width() - row.width), x = inner.x();
    for (QLayoutItem* item : row.items) {
      int wide = std::min(width_of(*item), inner.width());
      if (may_grow(*item)) {
        const int part = left / growing--;
        wide += part;
        left -= part;
      }
      const int high = std::min(item->sizeHint().height(), row.height);
      const QRect place(x, y + (row.height - high) / 2, wide, high);
      const auto direction =
          parentWidget() != nullptr ? parentWidget()->layoutDirection() : Qt::LeftToRight;
      item->setGeometry(QStyle::visualRect(direction, inner, place));
      x += wide + spacing();
    }
    y += row.height + spacing();
  }
}

}  // namespace gantry
