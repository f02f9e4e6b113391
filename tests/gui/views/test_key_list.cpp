// One list of keys: every key of the window is in it, and "?" shows it.
#include "gui/help/key_help.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/key_list.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QShortcut>
#include <QTreeWidget>

#include <set>

using namespace gantry;
using namespace gantry::test;

class TestKeyList : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&window(), key, modifiers);
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
  }
  void cleanup() { w_.reset(); }

  /// Keys that the window binds are those of the list, each of them once.
  void everyKeyOfTheWindowIsInTheList() {
    QList<QKeySequence> listed;
    for (const KeyEntry& entry : key_list()) listed << entry.keys;
    QList<QKeySequence> bound;
    for (const QAction* action : window().findChildren<QAction*>()) bound << action->shortcuts();
    for (const QShortcut* shortcut : window().findChildren<QShortcut*>()) bound << shortcut->key();
    QVERIFY(bound.size() > 30);
    std::set<QString> seen;
    for (const QKeySequence& sequence : bound) {
      const QString text = sequence.toString();
      QVERIFY2(listed.contains(sequence), qPrintable(text));
      QVERIFY2(seen.insert(text).second, qPrintable(text + QStringLiteral(" is bound twice")));
    }
    // and the window binds all of them but those of a view
    for (const KeyEntry& entry : key_list()) {
      const bool of_view = entry.id.startsWith(QStringLiteral("slice.")) ||
                           entry.id.startsWith(QStringLiteral("divider.")) ||
                           entry.id.startsWith(QStringLiteral("space.")) ||
                           entry.id.startsWith(QStringLiteral("region."));
      for (const QKeySequence& sequence : entry.keys)
        QVERIFY2(of_view || bound.contains(sequence), qPrintable(entry.id));
    }
  }

  void theQuestionMarkListsTheKeys() {
    key(Qt::Key_Question);
    WAIT_FOR(window().findChild<KeyHelp*>() != nullptr);
    auto* help = window().findChild<KeyHelp*>();
    QVERIFY(help->isVisible());
    auto* list = help->findChild<QTreeWidget*>(QStringLiteral("keyList"));
    for (const KeyEntry& entry : key_list())
      QCOMPARE(list->findItems(entry.text, Qt::MatchExactly | Qt::MatchRecursive, 1).size(), 1);
    // No line is cut.
    int longest = 0;
    for (const KeyEntry& entry : key_list())
      longest = std::max(longest, list->fontMetrics().horizontalAdvance(entry.text));
    QVERIFY(list->columnWidth(1) > longest);
    QVERIFY(list->columnViewportPosition(1) + list->columnWidth(1) <= list->viewport()->width());
    QVERIFY(list->viewport()->width() <= list->columnViewportPosition(1) + longest + 40);
    window().findChild<QAction*>(QStringLiteral("keys"))->trigger();
    QVERIFY(!help->isVisible());
  }

  void workspacesHaveNumbers() {
    key(Qt::Key_4, Qt::ControlModifier);
    WAIT_FOR(!window().board().isVisible());
    key(Qt::Key_2, Qt::ControlModifier);
    WAIT_FOR(window().board().isVisible());
  }

  /// The keys of iterates move what the line over the curves shows, also over another axis, and
  /// also where the selected run keeps nothing.
  void bracketsMoveTheLineOfThePlayhead() {
    const int first = w_->run(0), second = w_->run(1);
    w_->controller().start(second);
    WAIT_FOR(w_->state(second) == RunState::finished);
    WAIT_FOR(w_->controller().status(second).iterates != nullptr &&
             w_->controller().status(second).iterates->size() == 50);
    emit window().board().runPressed(first);
    key(Qt::Key_BracketLeft);
    QCOMPARE(window().playhead().position(), std::optional(50.0));
    window().findChild<QComboBox*>(QStringLiteral("xAxis"))->setCurrentIndex(2);
    QVERIFY(window().playhead().axis() == ProgressAxis::seconds);
    key(Qt::Key_BracketLeft);
    QVERIFY(window().convergence().chart().chart().marker().has_value());
    QCOMPARE(window().playhead().iterateOf(w_->controller().status(second))->iteration, 49);
  }
};

GANTRY_TEST(TestKeyList)
#include "test_key_list.moc"
