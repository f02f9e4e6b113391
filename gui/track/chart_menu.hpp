#pragma once

#include <QString>

#include <functional>

class QMenu;

namespace gantry {

class ChartView;

/// Adds what can be done with any chart to a menu: copy it as a picture or as a table, save either,
/// show all data. The functions copy and save the figure and save a text; `caption` says what the
/// chart shows.
struct ChartActions {
  std::function<void()> copy_figure, save_figure;
  std::function<void(const QString& text)> save_table;
  std::function<QString()> caption;
};
void fill_chart_menu(QMenu& menu, ChartView& chart, const ChartActions& actions);

}  // namespace gantry
