#include "gui/panels/panel_docks.hpp"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QScreen>

#include <algorithm>

namespace gantry {

namespace {

constexpr int leftWidth = 280, rightWidth = 330, wideRightWidth = 420;  // pixels

}  // namespace

PanelDocks::PanelDocks(const PanelContext& context, QMainWindow* window)
    : QObject(window), window_(window) {
  window_->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  window_->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  for (const PanelSpec& spec : panel_list()) add(spec, context);
}

void PanelDocks::add(const PanelSpec& spec, const PanelContext& context) {
  const Panel panel = spec.make(context);
  auto* dock = new QDockWidget(spec.title, window_);
  dock->setObjectName(spec.key);
  dock->setWidget(panel.widget);
  window_->addDockWidget(spec.area, dock);
  if (spec.place == PanelPlace::window) {
    dock->setFloating(true);
    dock->hide();
  }
  dock->toggleViewAction()->setToolTip(spec.help);
  auto* open = new QAction(spec.command.isEmpty() ? spec.title : spec.command, this);
  open->setObjectName(QStringLiteral("open") + spec.key.left(1).toUpper() + spec.key.mid(1));
  open->setShortcut(spec.shortcut);
  open->setToolTip(spec.help);
  connect(open, &QAction::triggered, this, [this, key = spec.key] { this->open(key); });
  window_->addAction(open);  // so that the shortcut works without an entry in a menu
  entries_.push_back({&spec, dock, open, panel.figure});
}

const PanelDocks::Entry& PanelDocks::at(const QString& key) const {
  const auto found = std::ranges::find(entries_, key, [](const Entry& e) { return e.spec->key; });
  Q_ASSERT(found != entries_.end());
  return *found;
}

void PanelDocks::open(const QString& key) {
  QDockWidget* dock = at(key).dock;
  if (dock->isFloating() && !dock->isVisible()) {
    const QSize most = 0.9 * window_->screen()->availableSize();
    dock->resize(dock->widget()->sizeHint().boundedTo(most));
    dock->move(window_->geometry().center() - dock->rect().center());
  }
  dock->show();
  dock->raise();
}

void PanelDocks::apply(WindowLayout layout) {
  arrange();
  for (const Entry& entry : entries_)
    if (entry.spec->place != PanelPlace::window)
      entry.dock->setVisible(entry.spec->layouts.testFlag(layout));
  for (const Entry& entry : entries_)
    if (entry.spec->place == PanelPlace::below) entry.dock->raise();  // before its tabs
  resize(layout == WindowLayout::teaching);
}

/// Splits before tabs: a panel that is split off a tab would become a tab itself.
void PanelDocks::arrange() {
  for (const Entry& entry : entries_) {
    if (entry.spec->place == PanelPlace::window) continue;
    entry.dock->setFloating(false);
    window_->addDockWidget(entry.spec->area, entry.dock);
  }
  for (const auto area :
       {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea}) {
    const auto panels = column(area);
    for (std::size_t i = 1; i < panels.size(); ++i)
      window_->splitDockWidget(panels[i - 1]->dock, panels[i]->dock, Qt::Vertical);
  }
  for (std::size_t i = 1; i < entries_.size(); ++i)
    if (entries_[i].spec->place == PanelPlace::tab)
      window_->tabifyDockWidget(entries_[i - 1].dock, entries_[i].dock);
}

void PanelDocks::resize(bool is_wide) {
  const auto left = column(Qt::LeftDockWidgetArea), right = column(Qt::RightDockWidgetArea);
  if (!left.empty() && !right.empty())
    window_->resizeDocks({left.front()->dock, right.front()->dock},
                         {leftWidth, is_wide ? wideRightWidth : rightWidth}, Qt::Horizontal);
  for (const auto& panels : {left, right, column(Qt::BottomDockWidgetArea)}) {
    QList<QDockWidget*> docks;
    QList<int> heights;
    for (const Entry* entry : panels) {
      docks << entry->dock;
      heights << entry->spec->height;
    }
    window_->resizeDocks(docks, heights, Qt::Vertical);
  }
}

/// Returns the panels of an area that stand one below the other; tabs stand on one of them.
std::vector<const PanelDocks::Entry*> PanelDocks::column(Qt::DockWidgetArea area) const {
  std::vector<const Entry*> panels;
  for (const Entry& entry : entries_)
    if (entry.spec->area == area && entry.spec->place == PanelPlace::below)
      panels.push_back(&entry);
  return panels;
}

void PanelDocks::addToggles(QMenu* menu) const {
  for (const Entry& entry : entries_) menu->addAction(entry.dock->toggleViewAction());
}

void PanelDocks::addFigures(QMenu* menu, const std::function<void(const PanelFigure&)>& use) const {
  for (const Entry& entry : entries_)
    if (entry.figure)
      menu->addAction(tr("%1…").arg(entry.spec->title), this,
                      [make = entry.figure, use] { use(make()); });
}

std::vector<Tour::Stop> PanelDocks::tourStops(Qt::DockWidgetArea area) const {
  std::vector<Tour::Stop> stops;
  for (const Entry& entry : entries_)
    if (entry.spec->area == area && !entry.spec->tour.isEmpty())
      stops.push_back({entry.dock, entry.spec->title, entry.spec->tour});
  return stops;
}

}  // namespace gantry
