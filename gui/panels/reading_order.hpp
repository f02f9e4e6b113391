#pragma once

#include <vector>

class QMainWindow;
class QWidget;

namespace gantry {

/// Returns the visible parts of a widget in the order in which they are read: row by row, each from
/// the left to the right; what lies in a part follows it, before the next part. Where they stand
/// decides, not when they were made.
std::vector<QWidget*> reading_order(QWidget& root);

/// Returns the same of a window, region by region: what is above its centre, what is left of it,
/// the centre, what is below it, and what is right of it.
std::vector<QWidget*> reading_order_of(const QMainWindow& window);

/// Returns whether the Tab key stops at a visible widget.
bool is_tab_stop(const QWidget& widget);

/// Gives the focus to a widget as the Tab key does, and scrolls to it.
void focus_by_tab(QWidget& widget, bool next);

}  // namespace gantry
