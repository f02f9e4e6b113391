#include "gui/track/chart_menu.hpp"

#include "gui/track/chart_csv.hpp"
#include "gui/views/chart_view.hpp"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace gantry {

void fill_chart_menu(QMenu& menu, ChartView& chart, const ChartActions& actions) {
  const bool empty = chart.chart().model().empty();
  const auto add = [&](const QString& name, const QString& text, auto act) {
    QAction* action = menu.addAction(text, &chart, act);
    action->setObjectName(name);
    return action;
  };
  const auto table = [&chart, actions] { return chart_csv(chart.chart(), actions.caption()); };
  QAction* reset = add(QStringLiteral("showAllData"), ChartView::tr("Show all data (double click)"),
                       [&chart] { chart.resetRange(); });
  reset->setEnabled(!empty);
  menu.addSeparator();
  add(QStringLiteral("copyChart"), ChartView::tr("Copy figure"), actions.copy_figure);
  add(QStringLiteral("saveChart"), ChartView::tr("Export figure…"), actions.save_figure);
  QAction* copy = add(QStringLiteral("copyTable"), ChartView::tr("Copy values as CSV"),
                      [table] { QApplication::clipboard()->setText(table()); });
  QAction* save = add(QStringLiteral("saveTable"), ChartView::tr("Export values as CSV…"),
                      [table, actions] { actions.save_table(table()); });
  for (QAction* action : {copy, save}) {
    action->setEnabled(!empty);
    if (empty) action->setToolTip(ChartView::tr("The chart shows no values yet"));
  }
  menu.setToolTipsVisible(true);
}

}  // namespace gantry
