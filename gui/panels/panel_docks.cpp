#include "gui/panels/panel_docks.hpp"

#include "gui/models/experiment_model.hpp"
#include "gui/panels/rail.hpp"
#include "gui/track/track_forms.hpp"
#include "gui/widgets/icons.hpp"
#include "gui/worker/run_controller.hpp"

#include <QAction>
#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>
#include <QMenu>
#include <QTabBar>
#include <QTimer>
#include <QToolBar>

#include <algorithm>

namespace gantry {

namespace {

constexpr int trackHeight = 186, inspectorWidth = 340;  // pixels
constexpr int readableTrack = 122;                      // of which a chart has 90 at least

Qt::DockWidgetArea areaOf(PanelPlace place) {
  switch (place) {
    case PanelPlace::step:
      return Qt::LeftDockWidgetArea;
    case PanelPlace::inspector:
      return Qt::RightDockWidgetArea;
    case PanelPlace::track:
      break;
  }
  return Qt::BottomDockWidgetArea;
}

}  // namespace

PanelDocks::PanelDocks(const PanelContext& context, QMainWindow* window)
    : QObject(window), model_(context.model), controller_(context.controller), window_(window) {
  window_->setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  window_->setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
  for (const auto area : {Qt::BottomDockWidgetArea, Qt::RightDockWidgetArea})
    window_->setTabPosition(area, QTabWidget::North);
  window_->setDocumentMode(true);
  inspectorBar_ = new QToolBar(tr("Inspector"), window_);
  inspectorBar_->setObjectName(QStringLiteral("inspectorBar"));
  inspectorBar_->setMovable(false);
  window_->addToolBar(Qt::RightToolBarArea, inspectorBar_);
  addRail();
  for (const PanelSpec& spec : panel_list()) add(spec, context);
  const auto refresh = [this] { rail_->refresh(); };
  connect(&context.model, &ExperimentModel::changed, rail_, refresh);
  connect(&context.controller, &RunController::dataChanged, rail_, refresh);
  connect(&context.controller, &RunController::stateChanged, rail_, refresh);
  // The first estimate of a run is a result, although its state stays.
  connect(&context.controller, &RunController::updatesEmitted, rail_, [this] {
    if (RailStep* results = rail_->step(QStringLiteral("results"))) results->refresh();
  });
  connect(&context.controller, &RunController::updatesEmitted, this,
          &PanelDocks::showTrackOnceItHasCurves);
  rail_->open(QStringLiteral("runs"));
}

bool PanelDocks::hasCurves() const {
  return std::ranges::any_of(model_.runIds(),
                             [this](int id) { return !controller_.status(id).history.empty(); });
}

/// The curves of no run would take room from what is looked at in space.
void PanelDocks::showTrackOnceItHasCurves() {
  if (waitsForCurves_ && hasCurves()) apply(layout_);
}

void PanelDocks::addRail() {
  rail_ = new Rail;
  railDock_ = new QDockWidget(tr("Steps"), window_);
  railDock_->setObjectName(QStringLiteral("rail"));
  railDock_->setWidget(rail_);
  railDock_->setTitleBarWidget(new QWidget(railDock_));  // takes no height
  window_->addDockWidget(Qt::LeftDockWidgetArea, railDock_);
}

void PanelDocks::add(const PanelSpec& spec, const PanelContext& context) {
  const Panel panel = spec.make(context);
  QDockWidget* dock = railDock_;
  QWidget* part = dock;
  if (spec.place == PanelPlace::step) {
    rail_->addStep(spec.key, spec.title, spec.icon, panel.widget, panel.summary);
    part = rail_->step(spec.key);
  } else {
    part = dock = makeDock(spec, panel.widget);
  }
  auto* open = new QAction(spec.command.isEmpty() ? spec.title : spec.command, this);
  open->setObjectName(QStringLiteral("open") + spec.key.left(1).toUpper() + spec.key.mid(1));
  open->setShortcut(spec.shortcut);
  open->setToolTip(spec.help);
  connect(open, &QAction::triggered, this, [this, key = spec.key] { this->open(key); });
  window_->addAction(open);  // so that the shortcut works without an entry in a menu
  entries_.push_back({&spec, part, dock, open, panel.figure});
}

QDockWidget* PanelDocks::makeDock(const PanelSpec& spec, QWidget* panel) {
  auto* dock = new QDockWidget(spec.title, window_);
  dock->setObjectName(spec.key);
  dock->setWidget(panel);
  dock->hide();  // until a workspace shows it: all panels together would need a large window
  dockInPlace(spec, *dock);
  // The tab of the track names the panel.
  if (spec.place == PanelPlace::track) dock->setTitleBarWidget(new QWidget(dock));
  QAction* toggle = dock->toggleViewAction();
  connect(toggle, &QAction::triggered, dock, [dock](bool shown) {
    if (shown) dock->raise();
  });
  // A panel behind another tab counts as visible for Qt, and would go on to take what is typed.
  connect(dock, &QDockWidget::visibilityChanged, window_, [this, dock](bool visible) {
    const QWidget* focus = window_->focusWidget();
    if (!visible && focus != nullptr && dock->isAncestorOf(focus)) window_->setFocus();
  });
  toggle->setToolTip(spec.help.isEmpty() ? spec.title : spec.help);
  if (!spec.icon.isEmpty()) {
    toggle->setIcon(lineIcon(spec.icon));
    inspectorBar_->addAction(toggle);
  }
  return dock;
}

const PanelDocks::Entry& PanelDocks::at(const QString& key) const {
  const auto found = std::ranges::find(entries_, key, [](const Entry& e) { return e.spec->key; });
  Q_ASSERT(found != entries_.end());
  return *found;
}

void PanelDocks::open(const QString& key) {
  const Entry& entry = at(key);
  QDockWidget* dock = entry.dock;
  dock->show();
  dock->raise();
  if (entry.spec->place == PanelPlace::step) rail_->open(key);
}

bool PanelDocks::isCovered(const QWidget* part) const {
  // Qt moves what is behind another tab out of the window, and tabs of which it needs none now.
  const auto is_outside = [this](const QWidget* widget) {
    return !window_->rect().intersects(widget->geometry());
  };
  if (part != nullptr && part->parentWidget() == window_) return is_outside(part);
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    return entry.dock->isAncestorOf(part) && !entry.dock->isFloating() && is_outside(entry.dock);
  });
}

void PanelDocks::bringToFront(QWidget* part) {
  for (const Entry& entry : entries_)
    if (part != nullptr && (entry.part == part || entry.part->isAncestorOf(part)))
      return open(entry.spec->key);
}

void PanelDocks::apply(WindowLayout layout) {
  const QSize size = window_->size();
  // Inspectors that the user opened come back with the workspace in which they were open.
  for (const Entry& entry : entries_)
    if (entry.spec->place == PanelPlace::inspector && entry.dock->isVisible() &&
        !entry.spec->layouts.testFlag(layout))
      closedWith_[entry.dock] = layout_;
  layout_ = layout;
  waitsForCurves_ = layout == WindowLayout::space && !hasCurves();
  const auto show = [&](bool shown) {
    for (const Entry& entry : entries_) {
      const bool waits = waitsForCurves_ && entry.spec->place == PanelPlace::track;
      if ((entry.spec->layouts.testFlag(layout) && !waits) == shown) entry.dock->setVisible(shown);
    }
  };
  show(false);
  arrange();
  show(true);
  std::erase_if(closedWith_, [layout](const auto& closed) {
    if (closed.second == layout) closed.first->show();
    return closed.second == layout;
  });
  const bool presents = layout == WindowLayout::present;
  inspectorBar_->setVisible(!presents && layout != WindowLayout::start);
  for (QWidget* forms : window_->findChildren<QWidget*>(QLatin1String(trackForms)))
    forms->setVisible(!presents);
  for (const Entry& entry : entries_)
    if (entry.spec->place == PanelPlace::track) {
      entry.dock->raise();  // the first tab
      break;
    }
  resize();
  // While panels come and go, a window that is shown may need more height than afterwards, and keep
  // it. Any other size was asked for.
  if (!window_->isVisible()) return;
  // Until then panels do not have the sizes that they were given.
  QTimer::singleShot(0, this, [this] {
    isSettling_ = false;
    setTrackHeight(trackHeight);
    makeRoom(roomWanted_);
  });
  QTimer::singleShot(0, window_, [window = window_, size] {
    const bool has_grown = window->width() == size.width() && window->height() > size.height() &&
                           !window->isMaximized() && !window->isFullScreen();
    if (!has_grown) return;
    window->layout()->activate();
    window->resize(size);
  });
}

/// Docks what the user has moved elsewhere. What stands in its place stays there: panels that are
/// moved may stand below each other for a moment, and make the window higher for good.
void PanelDocks::arrange() {
  for (const Entry& entry : entries_) {
    const auto area = areaOf(entry.spec->place);
    if (!entry.dock->isFloating() && window_->dockWidgetArea(entry.dock) == area) continue;
    entry.dock->setFloating(false);
    dockInPlace(*entry.spec, *entry.dock);
  }
}

/// The panels of a place are tabs, but for the steps, which stand in one dock.
void PanelDocks::dockInPlace(const PanelSpec& spec, QDockWidget& dock) {
  const auto area = areaOf(spec.place);
  window_->addDockWidget(area, &dock);
  if (spec.place == PanelPlace::step) return;
  for (const Entry& other : entries_)
    if (other.spec->place == spec.place && other.dock != &dock && !other.dock->isFloating() &&
        window_->dockWidgetArea(other.dock) == area)
      return window_->tabifyDockWidget(other.dock, &dock);
}

void PanelDocks::resize() {
  takenFromTrack_ = 0;
  isSettling_ = window_->isVisible();
  for (const Entry& entry : entries_) {
    if (entry.spec->place == PanelPlace::track)
      window_->resizeDocks({entry.dock}, {trackHeight}, Qt::Vertical);
    if (entry.spec->place == PanelPlace::inspector)
      window_->resizeDocks({entry.dock}, {inspectorWidth}, Qt::Horizontal);
  }
  window_->resizeDocks({railDock_}, {Rail::width_px}, Qt::Horizontal);
}

/// Returns the panel of the track that is in front; null where none is shown below the stage.
QDockWidget* PanelDocks::shownTrack() const {
  const auto found = std::ranges::find_if(entries_, [this](const Entry& entry) {
    return entry.spec->place == PanelPlace::track && entry.dock->isVisible() &&
           !entry.dock->isFloating() && !isCovered(entry.dock->widget()) &&
           window_->dockWidgetArea(entry.dock) == areaOf(PanelPlace::track);
  });
  return found == entries_.end() ? nullptr : found->dock;
}

/// Returns the height of the tabs above a panel, which Qt counts in the height of the panel.
int PanelDocks::tabsAbove(const QDockWidget& track) const {
  for (const QTabBar* bar : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
    if (bar->isVisible() && bar->geometry().bottom() < track.y() &&
        bar->geometry().bottom() >= track.y() - bar->height())
      return bar->height();
  return 0;
}

/// Sets the height of the track with its tabs, as it is without messages.
void PanelDocks::setTrackHeight(int height) {
  takenFromTrack_ = 0;
  if (QDockWidget* track = shownTrack()) window_->resizeDocks({track}, {height}, Qt::Vertical);
}

void PanelDocks::makeRoom(int height) {
  roomWanted_ = height;
  if (isSettling_) return;
  QDockWidget* track = shownTrack();
  if (track == nullptr) {
    takenFromTrack_ = 0;  // the workspace sets the height of the track that it shows
    return;
  }
  const int whole = track->height() + takenFromTrack_,
            least = std::max(std::min(whole, readableTrack), track->minimumSizeHint().height()),
            left = std::max(whole - height, least);
  if (left == track->height()) return;
  takenFromTrack_ = std::max(0, whole - left);
  window_->resizeDocks({track}, {left + tabsAbove(*track)}, Qt::Vertical);
  isSettling_ = true;  // the track has its new height only afterwards
  QTimer::singleShot(0, this, [this, height] {
    isSettling_ = false;
    if (roomWanted_ != height) makeRoom(roomWanted_);
  });
}

void PanelDocks::addToggles(QMenu* menu) const {
  menu->addAction(railDock_->toggleViewAction());
  for (const Entry& entry : entries_)
    if (entry.spec->place != PanelPlace::step) menu->addAction(entry.dock->toggleViewAction());
}

void PanelDocks::addFigures(QMenu* menu, const std::function<void(const PanelFigure&)>& use) const {
  for (const Entry& entry : entries_)
    if (entry.figure)
      menu->addAction(tr("%1…").arg(entry.spec->title), this,
                      [make = entry.figure, use] { use(make()); });
}

std::vector<Tour::Stop> PanelDocks::tourStops(PanelPlace place) const {
  std::vector<Tour::Stop> stops;
  for (const Entry& entry : entries_)
    if (entry.spec->place == place && !entry.spec->tour.isEmpty())
      stops.push_back({entry.part, entry.spec->title, entry.spec->tour});
  return stops;
}

}  // namespace gantry
