#include "gui/panels/reading_order.hpp"

#include <QMainWindow>
#include <QScrollArea>

#include <algorithm>
#include <tuple>

namespace gantry {

namespace {

using Parts = std::vector<QWidget*>;

constexpr int overlap_px = 3;  // that rows or columns may have

/// Returns the parts in groups between which no part lies: rows from the top, or columns from the
/// left.
std::vector<Parts> groups_of(Parts parts, bool rows) {
  const auto low = [rows](const QWidget* part) { return rows ? part->y() : part->x(); };
  const auto high = [&](const QWidget* part) {
    return low(part) + (rows ? part->height() : part->width());
  };
  std::ranges::stable_sort(parts, {}, low);
  std::vector<Parts> groups;
  int reached = 0;
  for (QWidget* part : parts) {
    const bool begins = groups.empty() || low(part) >= reached - overlap_px;
    if (begins) groups.emplace_back();
    groups.back().push_back(part);
    reached = begins ? high(part) : std::max(reached, high(part));
  }
  return groups;
}

/// Returns the children of one parent as they are read.
Parts sorted(Parts parts) {
  if (parts.size() < 2) return parts;
  for (const bool rows : {true, false}) {
    const std::vector<Parts> groups = groups_of(parts, rows);
    if (groups.size() == 1) continue;
    Parts all;
    for (const Parts& group : groups) std::ranges::copy(sorted(group), std::back_inserter(all));
    return all;
  }
  std::ranges::stable_sort(parts, {}, [](const QWidget* part) {  // they lie over each other
    return std::tuple(part->y(), part->x());
  });
  return parts;
}

Parts visible_children(const QWidget& parent) {
  Parts children;
  for (QObject* child : parent.children())
    if (auto* widget = qobject_cast<QWidget*>(child);
        widget != nullptr && widget->isVisible() && !widget->isWindow())
      children.push_back(widget);
  return children;
}

void append(QWidget& part, Parts& all) {
  all.push_back(&part);
  for (QWidget* child : sorted(visible_children(part))) append(*child, all);
}

enum class DockRegion { above, left, centre, below, right };

DockRegion region_of(const QWidget& part, const QRect& centre) {
  const QRect place = part.geometry();
  if (place.bottom() < centre.top()) return DockRegion::above;
  if (place.top() > centre.bottom()) return DockRegion::below;
  if (place.right() < centre.left()) return DockRegion::left;
  return place.left() > centre.right() ? DockRegion::right : DockRegion::centre;
}

}  // namespace

Parts reading_order(QWidget& root) {
  Parts all;
  append(root, all);
  return all;
}

Parts reading_order_of(const QMainWindow& window) {
  Parts all;
  const QRect centre = window.centralWidget()->geometry();
  for (const DockRegion region : {DockRegion::above, DockRegion::left, DockRegion::centre,
                                  DockRegion::below, DockRegion::right}) {
    Parts parts = visible_children(window);
    std::erase_if(parts, [&](const QWidget* part) { return region_of(*part, centre) != region; });
    for (QWidget* part : sorted(std::move(parts))) append(*part, all);
  }
  return all;
}

/// A widget with a proxy is reached where the proxy stands.
bool is_tab_stop(const QWidget& widget) {
  return widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) != 0 &&
         widget.focusProxy() == nullptr;
}

void focus_by_tab(QWidget& widget, bool next) {
  widget.setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  for (QWidget* around = widget.parentWidget(); around != nullptr; around = around->parentWidget())
    if (auto* area = qobject_cast<QScrollArea*>(around)) area->ensureWidgetVisible(&widget);
}

}  // namespace gantry
