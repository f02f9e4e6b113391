// Keys over a view belong to the view, whatever was used before; and the bar below the views.
#include "core/geometry/default_scan.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/view_bar.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QWheelEvent>

#include <tuple>

using namespace gantry;
using namespace gantry::test;

class TestViewKeys : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  int slice() { return window().viewState().slice(); }
  SliceView& view() { return window().board().tiles().front()->view(); }
  template <class Field>
  Field* field(const char* name) {
    return window().findChild<Field*>(QLatin1String(name));
  }
  /// As from a keyboard: to whatever has the focus.
  void press(Qt::Key key) { QTest::keyClick(window().focusWidget(), key); }
  void goOverView() {
    QCursor::setPos(view().mapToGlobal(view().rect().center()));
    WAIT_FOR(QCursor::pos() == view().mapToGlobal(view().rect().center()));
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w_->window.get()));
    Experiment flat = WindowFixture::small();
    flat.source.phantom = "forbild_head_3d";
    flat.geometry = default_scan(128, 40, 32);
    flat.grid = VolumeGrid::centered(24, 24, 30, {8, 8, 8});
    w_->model().reset(flat, {});
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    window().viewState().setSlice(15);
  }
  void cleanup() { w_.reset(); }

  void arrowsMoveTheSliceAfterAComboBoxWasUsed() {
    auto* solver = field<QComboBox>("solver");
    QVERIFY(solver != nullptr);
    const Experiment before = w_->model().experiment();
    solver->setFocus();
    WAIT_FOR(solver->hasFocus());
    goOverView();
    press(Qt::Key_Up);
    QCOMPARE(slice(), 16);
    QVERIFY(w_->model().experiment() == before);
    solver->setFocus();
    press(Qt::Key_PageDown);
    QCOMPARE(slice(), 6);
    field<QSpinBox>("iterations")->setFocus();
    press(Qt::Key_Down);
    QCOMPARE(slice(), 5);
    solver->setFocus();
    press(Qt::Key_End);
    QCOMPARE(slice(), 29);
    press(Qt::Key_Home);
    QCOMPARE(slice(), 0);
    QVERIFY(w_->model().experiment() == before);
  }

  void lettersAreTheViewsToo() {
    field<QSpinBox>("iterations")->setFocus();
    goOverView();
    press(Qt::Key_L);
    QVERIFY(window().viewState().profileMode());
  }

  void textThatIsTypedStaysText() {
    auto* name = field<QLineEdit>("runName");
    name->setFocus();
    goOverView();
    QTest::keyClicks(name, QStringLiteral("dl"));
    QCOMPARE(name->text(), QStringLiteral("dl"));
    QVERIFY(!window().viewState().profileMode());
    auto* iterations = field<QSpinBox>("iterations");
    iterations->setFocus();
    iterations->selectAll();
    QTest::keyClicks(iterations, QStringLiteral("37"));
    QTest::keyClick(iterations, Qt::Key_Return);
    QCOMPARE(iterations->value(), 37);
  }

  /// A text behind another tab is hidden, and takes no keys.
  void aHiddenTextTakesNoKeys() {
    window().panels().open(QStringLiteral("measure"));
    window().panels().open(QStringLiteral("notes"));
    auto* notes = field<QPlainTextEdit>("notesText");
    notes->setFocus();
    WAIT_FOR(notes->hasFocus());
    QTabBar* tabs = nullptr;
    int measure = -1;
    for (QTabBar* bar : window().findChildren<QTabBar*>())
      for (int i = 0; i < bar->count(); ++i)
        if (bar->tabText(i) == QStringLiteral("Measure")) {
          tabs = bar;
          measure = i;
        }
    QVERIFY(tabs != nullptr);
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(measure).center());
    WAIT_FOR(!notes->hasFocus());
    goOverView();
    press(Qt::Key_L);
    QVERIFY(notes->toPlainText().isEmpty() && window().viewState().profileMode());
  }

  void fieldsGiveTheFocusBack() {
    auto* solver = field<QComboBox>("solver");
    solver->setFocus();
    QFocusEvent popup_closed(QEvent::FocusIn, Qt::PopupFocusReason);
    QApplication::sendEvent(solver, &popup_closed);
    WAIT_FOR(!solver->hasFocus());
    QVERIFY(qobject_cast<SliceView*>(window().focusWidget()) != nullptr);
    auto* iterations = field<QSpinBox>("iterations");
    iterations->setFocus();
    QTest::keyClick(iterations, Qt::Key_Return);
    WAIT_FOR(!iterations->hasFocus());
  }

  void theWheelChangesNoFieldWithoutFocus() {
    view().setFocus();
    int fields = 0;
    for (QComboBox* box : window().findChildren<QComboBox*>()) {
      if (box->count() < 2 || !box->isVisible()) continue;
      const int before = box->currentIndex();
      for (const int turn : {-120, 120, -120}) {
        QWheelEvent notch(QPointF(5, 5), box->mapToGlobal(QPointF(5, 5)), {}, {0, turn},
                          Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(box, &notch);
        QCOMPARE(box->currentIndex(), before);
      }
      ++fields;
    }
    QVERIFY(fields > 5);
  }

  /// The bar of window and level is where pictures follow it, and the switch of the profile line
  /// where a line can be drawn.
  void theViewBarOffersWhatCanBeDone() {
    auto* bar = window().findChild<ViewBar*>();
    auto* profile = bar->findChild<QToolButton*>(QStringLiteral("profileSwitch"));
    for (const auto& [layout, shown, draws] : {std::tuple{WindowLayout::compare, true, true},
                                               {WindowLayout::space, true, false},
                                               {WindowLayout::data, true, true},
                                               {WindowLayout::present, false, false},
                                               {WindowLayout::sweep, true, false}}) {
      window().applyLayout(layout);
      QCOMPARE(bar->isVisible(), shown);
      QCOMPARE(profile->isVisible(), draws);
    }
    for (auto* tabs : window().findChildren<QTabWidget*>())
      if (tabs->indexOf(&window().race()) >= 0) tabs->setCurrentWidget(&window().race());
    QVERIFY(!bar->isVisible());  // a race has no pictures
    window().applyLayout(WindowLayout::compare);
    QVERIFY(bar->isVisible() && profile->isVisible());
  }
};

GANTRY_TEST(TestViewKeys)
#include "test_view_keys.moc"
