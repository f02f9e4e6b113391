// The panels of the window, as their list describes them: entries in menus, opening and closing,
// layouts, and what a new window restores.
#include "gui/panels/panel_docks.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSet>

using namespace gantry;
using namespace gantry::test;

class TestPanels : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  QDockWidget* dock(const PanelSpec& spec) { return window().findChild<QDockWidget*>(spec.key); }
  QAction* toggle(const PanelSpec& spec) {
    for (QAction* action : window().findChild<QMenu*>(QStringLiteral("panels"))->actions())
      if (action->text() == spec.title) return action;
    return nullptr;
  }
  static void eachPanel() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < panel_list().size(); ++i)
      QTest::addRow("%s", qPrintable(panel_list()[i].key)) << static_cast<int>(i);
  }
  static const PanelSpec& panel(int index) { return panel_list()[static_cast<std::size_t>(index)]; }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  void namesAndTitlesAreUnique() {
    QSet<QString> keys, titles;
    for (const PanelSpec& spec : panel_list()) {
      QVERIFY(!spec.key.isEmpty() && !spec.title.isEmpty());
      keys << spec.key;
      titles << spec.title;
      const auto docks = window().findChildren<QDockWidget*>(spec.key);
      QCOMPARE(docks.size(), 1);
      QCOMPARE(docks.front()->windowTitle(), spec.title);
    }
    const auto all = static_cast<qsizetype>(panel_list().size());
    QCOMPARE(keys.size(), all);
    QCOMPARE(titles.size(), all);
    QCOMPARE(window().findChildren<QDockWidget*>().size(), all);
  }

  void theViewMenuOpensAndCloses_data() { eachPanel(); }
  void theViewMenuOpensAndCloses() {
    QFETCH(int, index);
    const PanelSpec& spec = panel(index);
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
    const PanelSpec& spec = panel(index);
    QAction* open = window().panels().openAction(spec.key);
    QCOMPARE(open->shortcut(), spec.shortcut);
    const auto is_in_front = [&] { return !dock(spec)->visibleRegion().isEmpty(); };
    dock(spec)->hide();
    QVERIFY(!is_in_front());
    open->trigger();
    WAIT_FOR(is_in_front());
    for (QDockWidget* other : window().tabifiedDockWidgets(dock(spec))) {
      other->raise();
      WAIT_FOR(!is_in_front());
      open->trigger();
      WAIT_FOR(is_in_front());
    }
  }

  void layoutsShowTheirPanels() {
    for (const WindowLayout layout :
         {WindowLayout::single, WindowLayout::teaching, WindowLayout::compare}) {
      window().applyLayout(layout);
      for (const PanelSpec& spec : panel_list()) {
        const bool is_shown = spec.place != PanelPlace::window && spec.layouts.testFlag(layout);
        QVERIFY2(dock(spec)->isHidden() != is_shown, qPrintable(spec.key));
        if (spec.place != PanelPlace::window)
          QCOMPARE(window().dockWidgetArea(dock(spec)), spec.area);
      }
    }
  }

  /// Whatever the user has moved where.
  void layoutsDockAgain() {
    const QByteArray before = window().saveState();
    for (const PanelSpec& spec : panel_list()) {
      if (spec.place == PanelPlace::window) continue;
      window().addDockWidget(Qt::TopDockWidgetArea, dock(spec));
      dock(spec)->setFloating(true);
    }
    window().applyLayout(WindowLayout::compare);
    for (const PanelSpec& spec : panel_list())
      QCOMPARE(dock(spec)->isFloating(), spec.place == PanelPlace::window);
    for (std::size_t i = 1; i < panel_list().size(); ++i) {
      const PanelSpec& spec = panel_list()[i];
      const bool is_tab =
          window().tabifiedDockWidgets(dock(spec)).contains(dock(panel_list()[i - 1]));
      QVERIFY2(is_tab == (spec.place == PanelPlace::tab), qPrintable(spec.key));
    }
    QVERIFY(window().restoreState(before));
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
    for (std::size_t i = static_cast<std::size_t>(first); i < panel_list().size(); i += 2)
      toggle(panel_list()[i])->trigger();
    QStringList open;
    for (const PanelSpec& spec : panel_list())
      if (!dock(spec)->isHidden()) open << spec.key;
    QVERIFY(window().close());
    w_->window = std::make_unique<MainWindow>(w_->program.catalog, w_->program.backends,
                                              QStringLiteral("Gantry test"));
    window().files().setAsksUser(false);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    QStringList restored;
    for (const PanelSpec& spec : panel_list())
      if (!dock(spec)->isHidden()) restored << spec.key;
    QCOMPARE(restored, open);
  }
};

GANTRY_TEST(TestPanels)
#include "test_panels.moc"
