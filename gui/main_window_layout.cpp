// The workspaces of the window: what each shows.
#include "gui/data/lessons.hpp"
#include "gui/help/formula_panel.hpp"
#include "gui/main_window.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/panels/reading_order.hpp"
#include "gui/runs/pending_bar.hpp"
#include "gui/stage/data_board.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/view_bar.hpp"
#include "gui/start/start_page.hpp"
#include "gui/top_bar.hpp"
#include "gui/views/stage_look.hpp"
#include "gui/widgets/banners.hpp"

#include <QEvent>
#include <QMenu>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr int presentingPoints = 16;  // size of the text of a lesson before an audience

}  // namespace

void MainWindow::applyLayout(WindowLayout layout) {
  const WindowLayout before = std::exchange(layout_, layout);
  const std::array<std::pair<QWidget*, bool>, 5> pages{
      {{start_, layout == WindowLayout::start},
       {data_, layout == WindowLayout::data},
       {space_, layout == WindowLayout::space},
       {sweeps_, layout == WindowLayout::sweep},
       {board_, layout != WindowLayout::space && layout != WindowLayout::sweep &&
                    layout != WindowLayout::data && layout != WindowLayout::start}}};
  // What leaves would be wider than the window together with the panels that come, and the window
  // would keep that width.
  for (const auto& [page, is_shown] : pages)
    if (!is_shown) page->hide();
  panels_->apply(layout);
  // The step of the rail that a workspace is about opens with it.
  if (layout == WindowLayout::data) panels_->open(QStringLiteral("data"));
  if (before == WindowLayout::data && layout == WindowLayout::compare)
    panels_->open(QStringLiteral("runs"));
  top_->setWorkspace(layout);
  workspaces_->menuAction()->setEnabled(layout != WindowLayout::start);
  const bool presents = layout == WindowLayout::present;
  QFont large = font();
  if (presents) large.setPointSize(presentingPoints);
  lessonStrip_->setFont(large);
  showSubtitle();
  viewBar_->offerPlane(layout != WindowLayout::data);
  // The text of the lesson is a subtitle then.
  auto* centre = static_cast<QVBoxLayout*>(centralWidget()->layout());
  centre->removeWidget(lessonStrip_);
  centre->insertWidget(presents ? -1 : 0, lessonStrip_);
  // Texts in views have 9 pt otherwise.
  StageLook::get().setTextScale(presents ? presentingPoints / 9.0 : 1);
  for (const auto& [page, is_shown] : pages) page->setVisible(is_shown);
  showViewBar();
  board_->focusTile(layout == WindowLayout::single ? selection_.run() : -1);
  makeRoomForMessages();
  emit layoutChanged();
}

void MainWindow::makeRoomForMessages() {
  int height = 0;
  for (const QWidget* part : {static_cast<QWidget*>(pending_), static_cast<QWidget*>(banners_)})
    if (part->isVisible()) height += part->height();
  panels_->makeRoom(height);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  const bool is_about_room = event->type() == QEvent::Resize || event->type() == QEvent::Show ||
                             event->type() == QEvent::Hide;
  if ((watched == banners_ || watched == pending_) && is_about_room) makeRoomForMessages();
  return QMainWindow::eventFilter(watched, event);
}

/// Shows the bar of plane, window and level where there are pictures that follow it.
void MainWindow::showViewBar() {
  const bool races = layout_ == WindowLayout::sweep && sweeps_->currentWidget() == race_;
  viewBar_->setVisible(layout_ != WindowLayout::present && layout_ != WindowLayout::start &&
                       !races);
}

/// Before an audience the formula of the selected run stands below the pictures.
void MainWindow::showSubtitle() {
  lessonStrip_->showFormula(layout_ == WindowLayout::present ? formula_->line(selection_.run())
                                                             : QString());
}

bool MainWindow::focusNextPrevChild(bool next) {
  std::vector<QWidget*> order = reading_order_of(*this);
  if (!next) std::ranges::reverse(order);
  // From where the focus is to the end, and from the beginning to there.
  const auto now = std::ranges::find(order, focusWidget());
  if (now != order.end()) std::rotate(order.begin(), now + 1, order.end());
  const auto stop = std::ranges::find_if(order, [this](const QWidget* part) {
    return is_tab_stop(*part) && !panels_->isCovered(part) && part != focusWidget();
  });
  if (stop == order.end()) return false;
  focus_by_tab(**stop, next);
  return true;
}

}  // namespace gantry
