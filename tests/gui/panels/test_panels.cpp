// The panels of the window, as their list describes them: entries in menus, opening and closing,
// layouts, and what a new window restores.
#include "gui/data/lessons.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/panels/rail.hpp"
#include "gui/render/slice_decoration.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/icons.hpp"
#include "gui/widgets/scrolled_panel.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QHelpEvent>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <map>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Needs 400 pixels of height where it is wide, and 200 where the scroll bar makes it narrower.
class LowerWhereNarrow : public QWidget {
 public:
  explicit LowerWhereNarrow(int wide_px) : wide_px_(wide_px) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
  }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return width >= wide_px_ ? 400 : 200; }
  QSize sizeHint() const override { return {100, 200}; }
  QSize minimumSizeHint() const override { return {100, 20}; }

 private:
  int wide_px_;
};

}  // namespace

class TestPanels : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  Rail& rail() { return window().panels().rail(); }
  /// The dock that holds a panel: all steps stand in one dock, the rail.
  QDockWidget* dock(const PanelSpec& spec) {
    return window().findChild<QDockWidget*>(spec.place == PanelPlace::step ? QStringLiteral("rail")
                                                                           : spec.key);
  }
  static std::vector<PanelSpec> docked() {
    std::vector<PanelSpec> found;
    for (const PanelSpec& spec : panel_list())
      if (spec.place != PanelPlace::step) found.push_back(spec);
    return found;
  }
  static Qt::DockWidgetArea areaOf(const PanelSpec& spec) {
    return spec.place == PanelPlace::step    ? Qt::LeftDockWidgetArea
           : spec.place == PanelPlace::track ? Qt::BottomDockWidgetArea
                                             : Qt::RightDockWidgetArea;
  }
  QAction* toggle(const PanelSpec& spec) {
    for (QAction* action : window().findChild<QMenu*>(QStringLiteral("panels"))->actions())
      if (action->text() == spec.title) return action;
    return nullptr;
  }
  static void eachPanel() {
    QTest::addColumn<int>("index");
    const auto panels = docked();
    for (std::size_t i = 0; i < panels.size(); ++i)
      QTest::addRow("%s", qPrintable(panels[i].key)) << static_cast<int>(i);
  }
  static PanelSpec panel(int index) { return docked()[static_cast<std::size_t>(index)]; }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  void namesAndTitlesAreUnique() {
    QSet<QString> keys, titles;
    for (const PanelSpec& spec : panel_list()) {
      QVERIFY(!spec.key.isEmpty() && !spec.title.isEmpty());
      keys << spec.key;
      titles << spec.title;
      if (spec.place == PanelPlace::step) {
        QVERIFY(rail().step(spec.key) != nullptr);
        continue;
      }
      const auto docks = window().findChildren<QDockWidget*>(spec.key);
      QCOMPARE(docks.size(), 1);
      QCOMPARE(docks.front()->windowTitle(), spec.title);
    }
    const auto all = static_cast<qsizetype>(panel_list().size());
    QCOMPARE(keys.size(), all);
    QCOMPARE(titles.size(), all);
    QCOMPARE(window().findChildren<QDockWidget*>().size(),
             static_cast<qsizetype>(docked().size()) + 1);  // and that of the steps
  }

  void oneStepIsOpenAndTheOthersSayTheirState() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    for (const PanelSpec& spec : panel_list()) {
      if (spec.place != PanelPlace::step) continue;
      QTest::mouseClick(rail().findChild<QToolButton*>(spec.key + QStringLiteral("Step")),
                        Qt::LeftButton);
      QCOMPARE(rail().openStep(), spec.key);
      for (const PanelSpec& other : panel_list()) {
        if (other.place != PanelPlace::step) continue;
        const RailStep* step = rail().step(other.key);
        QCOMPARE(step->isOpen(), other.key == spec.key);
        QCOMPARE(step->summary().isEmpty(), other.key == spec.key);
      }
    }
    QVERIFY(rail().step(QStringLiteral("data"))->summary().contains(QStringLiteral("FORBILD")));
  }

  void theRailFoldsToIcons() {
    const int before = window().board().width();
    auto* fold = rail().findChild<QToolButton*>(QStringLiteral("foldRail"));
    fold->click();
    WAIT_FOR(rail().width() == Rail::folded_width_px && window().board().width() > before + 150);
    for (const PanelSpec& spec : panel_list()) {
      if (spec.place != PanelPlace::step) continue;
      const auto* step = rail().findChild<QToolButton*>(spec.key + QStringLiteral("Step"));
      QVERIFY(!lineIcon(spec.icon).isNull());
      QCOMPARE(step->toolButtonStyle(), Qt::ToolButtonIconOnly);
      QCOMPARE(step->toolTip(), spec.title);
    }
    QTest::mouseClick(rail().findChild<QToolButton*>(QStringLiteral("scanStep")), Qt::LeftButton);
    WAIT_FOR(!rail().isFolded() && rail().width() >= Rail::width_px);
    QCOMPARE(rail().openStep(), QStringLiteral("scan"));
  }

  /// Half of the window at 1600 x 1000 and 45 % at 1280 x 800, in tiles that are as wide and as
  /// high as the stage.
  void picturesFillTheWindow_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("share");
    QTest::newRow("1600 x 1000") << QSize(1600, 1000) << 0.50;
    QTest::newRow("1280 x 800") << QSize(1280, 800) << 0.45;
  }
  void picturesFillTheWindow() {
    QFETCH(QSize, size);
    QFETCH(double, share);
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    window().resize(size);
    window().applyLayout(WindowLayout::compare);
    const auto filled = [&] {
      double pixels = 0;
      for (SliceTile* tile : window().board().tiles())
        if (tile->isVisible()) pixels += 1.0 * tile->view().width() * tile->view().height();
      return pixels / (1.0 * window().width() * window().height());
    };
    WAIT_FOR(window().size() == size);
    WAIT_FOR(filled() >= share);
  }

  /// With an inspector, at 1280 x 800, the head of each tile is as large as the stage allows, and
  /// no tile's place stays empty: in two rows of tiles the heads would fill 27 % of the stage.
  void picturesFillTheStageBesideAnInspector() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    window().resize(1280, 800);
    window().applyLayout(WindowLayout::compare);
    window().panels().open(QStringLiteral("measure"));
    const SliceBoard& board = window().board();
    const auto share = [&](auto pixels_of) {
      double pixels = 0;
      for (SliceTile* tile : board.tiles()) pixels += pixels_of(tile->view());
      return pixels / (1.0 * board.width() * board.height());
    };
    const auto heads = [&] {
      return share([](const SliceView& view) {  // 192 x 240 mm
        const PointPx a = view.slice().worldToDisplay(-96, 120),
                      b = view.slice().worldToDisplay(96, -120);
        return (b.x - a.x) * (b.y - a.y);
      });
    };
    const auto tiles = [&] {
      return share([](const SliceView& view) { return 1.0 * view.width() * view.height(); });
    };
    WAIT_FOR(window().size() == QSize(1280, 800) && board.width() < 650 && board.width() > 400);
    QTest::qWait(300);  // until the tiles have followed the stage
    QTRY_VERIFY2(heads() >= 0.34 && tiles() >= 0.9, qPrintable(QStringLiteral("%1 %2, %3 x %4")
                                                                   .arg(heads())
                                                                   .arg(tiles())
                                                                   .arg(board.width())
                                                                   .arg(board.height())));
  }

  /// Four and five tiles, beside an inspector and before an audience: no other grid has room for
  /// larger heads, each is as large as its tile allows, and no title is cut within a setting.
  void manyPicturesFillTheStage_data() {
    QTest::addColumn<int>("tiles");
    QTest::addColumn<bool>("presents");
    for (const int tiles : {4, 5})
      for (const bool presents : {false, true})
        QTest::addRow("%d tiles, %s", tiles, presents ? "presented" : "inspector")
            << tiles << presents;
  }
  void manyPicturesFillTheStage() {
    QFETCH(int, tiles);
    QFETCH(bool, presents);
    Experiment many = WindowFixture::small();
    const RunSpec first = many.runs.front();
    for (double relaxation = 0.3; static_cast<int>(many.runs.size()) + 1 < tiles;
         relaxation += 0.15) {
      many.runs.push_back(first);
      many.runs.back().solver_params.set("relaxation", relaxation);
      many.runs.back().format = "csr";
    }
    w_->open(many);
    WAIT_FOR(w_->isReady());
    window().resize(1280, 800);
    window().applyLayout(presents ? WindowLayout::present : WindowLayout::compare);
    if (!presents) window().panels().open(QStringLiteral("measure"));
    const SliceBoard& board = window().board();
    WAIT_FOR(window().size() == QSize(1280, 800) &&
             static_cast<int>(board.tiles().size()) == tiles);
    const double aspect = 0.8;  // the head has 192 x 240 mm
    const auto best = [&] {     // the height of the head in the best of all grids
      double highest = 0;
      for (int columns = 1; columns <= tiles; ++columns) {
        const double height = 1.0 * board.height() / ((tiles + columns - 1) / columns);
        highest = std::max(highest, std::min(1.0 * board.width() / columns / aspect,
                                             height - sliceHeaderHeight(height)));
      }
      return highest;
    };
    const auto head_of = [](SliceTile* tile) {
      const SliceScene& scene = tile->view().slice();
      return scene.worldToDisplay(0, -120).y - scene.worldToDisplay(0, 120).y;
    };
    // The object has a margin of 4 % on either side, and tiles one of 4 pixels.
    const auto fill = [&](SliceTile* tile) {
      return head_of(tile) * 1.08 > 0.93 * best() && head_of(tile) < best();
    };
    WAIT_FOR(std::ranges::all_of(board.tiles(), fill));
    for (SliceTile* tile : board.tiles()) {
      const SliceScene& scene = tile->view().slice();
      const std::string& shown = scene.layout().title;
      const bool is_whole = shown == scene.title() || shown.ends_with(" …") ||
                            shown.starts_with("… ") || shown == "Reference";
      QVERIFY2(is_whole, shown.c_str());
    }
  }

  /// The whole title is a tool tip of the header.
  void theHeaderSaysTheWholeTitle() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    SliceTile& tile = *window().board().tile(w_->run(0));
    const QString title = QString(tile.title()).replace(QLatin1Char('<'), QLatin1String("&lt;"));
    const auto tip_at = [&](QPoint at) {
      QHelpEvent help(QEvent::ToolTip, at, tile.view().mapToGlobal(at));
      QCoreApplication::sendEvent(&tile.view(), &help);
      return QToolTip::text();
    };
    // The view divides itself into header and picture when it is first drawn.
    WAIT_FOR(tile.view().slice().layout().header.contains(20, 10));
    QCOMPARE(tip_at({20, tile.view().height() / 2}), QString());
    QCOMPARE(tip_at({20, 10}), title);
  }

  /// Five square tiles in three columns: those of the last row share its width.
  void theLastRowIsFilled() {
    Experiment five = WindowFixture::small();
    while (five.runs.size() < 4) five.runs.push_back(five.runs[0]);
    w_->open(five);
    WAIT_FOR(w_->isReady() && window().board().tiles().size() == 5);
    SliceBoard board_alone(w_->program.catalog, w_->model(), w_->controller(), window().viewState(),
                           window().playhead(), window().preview());
    board_alone.resize(900, 600);
    board_alone.show();
    const auto tile = [&](std::size_t i) { return board_alone.tiles()[i]->geometry(); };
    WAIT_FOR(tile(4).y() > tile(0).y() && tile(4).right() >= 900 - 12);
    QVERIFY(std::abs(tile(3).width() - tile(4).width()) <= 4);
    QVERIFY(tile(3).width() > 1.4 * tile(0).width());
    QCOMPARE(tile(0).height() > 0.9 * tile(4).height(), true);
  }

  void theViewMenuOpensAndCloses_data() { eachPanel(); }
  void theViewMenuOpensAndCloses() {
    QFETCH(int, index);
    const PanelSpec spec = panel(index);
    QAction* entry = toggle(spec);
    QVERIFY(entry != nullptr);
    const bool is_open = !dock(spec)->isHidden();
    QCOMPARE(entry->isChecked(), is_open);
    for (const bool opens : {!is_open, is_open}) {
      entry->trigger();
      QCOMPARE(!dock(spec)->isHidden(), opens);
      QCOMPARE(entry->isChecked(), opens);
    }
  }

  /// Also from behind another tab.
  void theActionOpensInFront_data() { eachPanel(); }
  void theActionOpensInFront() {
    QFETCH(int, index);
    const PanelSpec spec = panel(index);
    QAction* open = window().panels().openAction(spec.key);
    QCOMPARE(open->shortcut(), spec.shortcut);
    const auto is_in_front = [&] { return !dock(spec)->visibleRegion().isEmpty(); };
    dock(spec)->hide();
    QVERIFY(!is_in_front());
    open->trigger();
    WAIT_FOR(is_in_front());
    for (QDockWidget* other : window().tabifiedDockWidgets(dock(spec))) {
      other->show();
      other->raise();
      WAIT_FOR(!is_in_front());
      open->trigger();
      WAIT_FOR(is_in_front());
    }
  }

  void layoutsShowTheirPanels() {
    for (const WindowLayout layout :
         {WindowLayout::single, WindowLayout::present, WindowLayout::compare}) {
      window().applyLayout(layout);
      for (const PanelSpec& spec : panel_list()) {
        QVERIFY2(dock(spec)->isHidden() != spec.layouts.testFlag(layout), qPrintable(spec.key));
        QCOMPARE(window().dockWidgetArea(dock(spec)), areaOf(spec));
      }
    }
  }

  /// Whichever step is open, the curves keep their height and the rail its width, also in a low
  /// window with the text of a lesson.
  void stepsLeaveTheCurvesTheirHeight() {
    window().resize(1280, 760);
    window().lesson().showText(QStringLiteral("What do you see? ").repeated(14));
    const auto* track = window().findChild<QDockWidget*>(QStringLiteral("convergence"));
    const auto* steps = window().findChild<QDockWidget*>(QStringLiteral("rail"));
    window().applyLayout(WindowLayout::compare);
    QTest::qWait(50);
    const int height = track->height(), width = steps->width();
    QVERIFY(height > 150);
    for (const char* key : {"runs", "data", "scan", "runs", "results", "scan"}) {
      window().panels().open(QString::fromLatin1(key));
      QTest::qWait(50);
      QVERIFY2(track->height() == height && steps->width() == width,
               qPrintable(QStringLiteral("%1: %2 x %3, was %4 x %5; rail needs %6")
                              .arg(QString::fromLatin1(key))
                              .arg(steps->width())
                              .arg(track->height())
                              .arg(width)
                              .arg(height)
                              .arg(window().panels().rail().minimumSizeHint().height())));
    }
  }

  /// A form that closes with the focus in it hands the focus to the heading that was pressed, not
  /// to a picture.
  void theFocusStaysInTheRail() {
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    window().panels().open(QStringLiteral("runs"));
    auto* form = rail().step(QStringLiteral("runs"))->findChild<QComboBox*>();
    QVERIFY(form != nullptr);
    form->setFocus(Qt::MouseFocusReason);
    QVERIFY(form->hasFocus());
    window().panels().open(QStringLiteral("data"));
    QVERIFY(rail().step(QStringLiteral("data"))->isAncestorOf(window().focusWidget()));
  }

  /// An inspector closes with the workspace in which it was opened, and comes back with it.
  void anInspectorComesBackWithItsWorkspace() {
    window().applyLayout(WindowLayout::compare);
    window().panels().open(QStringLiteral("measure"));
    const auto* measure = window().findChild<QDockWidget*>(QStringLiteral("measure"));
    window().applyLayout(WindowLayout::sweep);
    QVERIFY(!measure->isVisible());
    window().applyLayout(WindowLayout::compare);
    QVERIFY(measure->isVisible());
    window().findChild<QDockWidget*>(QStringLiteral("measure"))->close();
    window().applyLayout(WindowLayout::sweep);
    window().applyLayout(WindowLayout::compare);
    QVERIFY(!measure->isVisible());  // the user closed it
  }

  /// Whatever the user has moved where.
  void layoutsDockAgain() {
    const QByteArray before = window().saveState();
    for (const PanelSpec& spec : panel_list()) {
      window().addDockWidget(Qt::TopDockWidgetArea, dock(spec));
      dock(spec)->setFloating(true);
    }
    window().applyLayout(WindowLayout::compare);
    std::map<PanelPlace, QDockWidget*> first;
    for (const PanelSpec& spec : panel_list()) {
      QVERIFY(!dock(spec)->isFloating());
      if (spec.place != PanelPlace::track && spec.place != PanelPlace::inspector) continue;
      dock(spec)->show();  // tabs are those that are open
      QDockWidget*& tabs = first[spec.place];
      if (tabs == nullptr) tabs = dock(spec);
      QVERIFY2(dock(spec) == tabs || window().tabifiedDockWidgets(tabs).contains(dock(spec)),
               qPrintable(spec.key));
    }
    QVERIFY(window().restoreState(before));
  }

  /// The size that a window is given, or had when it was closed, is kept; moving the panels about
  /// changes nothing.
  void theWindowHasTheSizeItWasGiven() {
    const auto made = [&] {
      auto other = std::make_unique<MainWindow>(w_->program.catalog, w_->program.backends,
                                                QStringLiteral("Gantry test"));
      other->files().setAsksUser(false);
      return other;
    };
    auto given = made();
    given->resize(1000, 620);
    given->show();
    QVERIFY(QTest::qWaitForWindowExposed(given.get()));
    QTest::qWait(50);
    QCOMPARE(given->size(), QSize(1000, 620));
    QVERIFY(given->close());
    const auto next = made();
    next->show();
    QVERIFY(QTest::qWaitForWindowExposed(next.get()));
    QTest::qWait(50);
    QCOMPARE(next->size(), QSize(1000, 620));
  }

  /// A new window has the panels open that the last one had. Every second panel is changed, and
  /// then the others, so that each is restored open and closed.
  void aNewWindowRestoresThem_data() {
    QTest::addColumn<int>("first");
    QTest::newRow("even") << 0;
    QTest::newRow("odd") << 1;
  }
  void aNewWindowRestoresThem() {
    QFETCH(int, first);
    const auto panels = docked();
    for (std::size_t i = static_cast<std::size_t>(first); i < panels.size(); i += 2)
      toggle(panels[i])->trigger();
    QStringList open;
    for (const PanelSpec& spec : panels)
      if (!dock(spec)->isHidden()) open << spec.key;
    QVERIFY(window().close());
    w_->window = std::make_unique<MainWindow>(w_->program.catalog, w_->program.backends,
                                              QStringLiteral("Gantry test"));
    window().files().setAsksUser(false);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    QStringList restored;
    for (const PanelSpec& spec : panels)
      if (!dock(spec)->isHidden()) restored << spec.key;
    QCOMPARE(restored, open);
  }

  /// With a scroll bar these contents need none, and without one they do.
  void contentsThatAreLowerWhereTheyAreNarrower() {
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(new LowerWhereNarrow(300));
    ScrolledPanel panel(content);
    panel.resize(305, 300);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    for (const int width : {250, 305, 400, 305}) {
      panel.resize(width, 300);
      QCoreApplication::processEvents();
      QVERIFY(content->height() >= content->layout()->totalHeightForWidth(content->width()));
    }
  }
};

GANTRY_TEST(TestPanels)
#include "test_panels.moc"
