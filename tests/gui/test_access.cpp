// Who uses no mouse, or a screen reader: names, reach and focus of everything in the window.
#include "gui/views/slice_view.hpp"
#include "tests/gui/look_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QAccessible>
#include <QToolBar>

#include <set>

using namespace gantry;
using namespace gantry::test;

class TestAccess : public QObject, LookFixture {
  Q_OBJECT

  /// Returns where the Tab key stops, from the first stop to the last.
  std::vector<QWidget*> roundByTab() {
    window().setFocus(Qt::OtherFocusReason);
    std::vector<QWidget*> stops;
    for (int i = 0; i < 400; ++i) {
      QTest::keyClick(window().focusWidget() != nullptr ? window().focusWidget() : &window(),
                      Qt::Key_Tab);
      QWidget* at = window().focusWidget();
      if (at == nullptr || (!stops.empty() && at == stops.front())) break;
      stops.push_back(at);
    }
    return stops;
  }
  QRect placeOf(const QWidget* widget) {
    return {widget->mapTo(&window(), QPoint()), widget->size()};
  }
  /// Returns the dock or bar that a widget is in, whatever of it has been scrolled out of sight.
  const QWidget* partOf(const QWidget* widget) {
    while (widget->parentWidget() != &window()) widget = widget->parentWidget();
    return widget;
  }
  /// Returns 0 above the stage, 1 left of it, 2 on it, 3 below it, 4 right of it.
  int regionOf(const QWidget* widget) {
    const QRect stage = placeOf(window().centralWidget()), place = placeOf(partOf(widget));
    if (place.bottom() < stage.top()) return 0;
    if (place.top() > stage.bottom()) return 3;
    if (place.right() < stage.left()) return 1;
    return place.left() > stage.right() ? 4 : 2;
  }
  /// Whether a place is below another one, or beside it to the right, or lies in it, as buttons
  /// over a view do.
  static bool isAfter(const QRect& before, const QRect& place) {
    constexpr int tolerance = 4;
    return place.top() >= before.bottom() - tolerance ||
           (place.left() >= before.right() - tolerance && place.bottom() >= before.top()) ||
           before.contains(place);
  }
  /// Of two stops in one region. The view of a tile follows the buttons of the one before it.
  bool isReadAfter(QWidget* before, QWidget* stop) {
    if (regionOf(before) != regionOf(stop) || before->isAncestorOf(stop)) return true;
    if (partOf(before) != partOf(stop))
      return isAfter(placeOf(partOf(before)), placeOf(partOf(stop)));
    if (isAfter(placeOf(before), placeOf(stop))) return true;
    return before->parentWidget()->objectName() == QStringLiteral("tileTools") &&
           qobject_cast<SliceView*>(stop) != nullptr;
  }

 private slots:
  void init() { open(); }
  void cleanup() { close(); }

  void everyButtonHasAName() {
    atEveryStep([this] {
      for (const QAbstractButton* button : window().findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || button->objectName().startsWith(QStringLiteral("qt_")))
          continue;
        const bool is_named = !button->text().isEmpty() || !button->accessibleName().isEmpty() ||
                              !button->toolTip().isEmpty();
        QVERIFY2(is_named, qPrintable(describe(button)));
      }
    });
  }

  void everyControlIsReachedByTab() {
    int controls = 0;
    atEveryStep([&] {
      for (const QWidget* widget : window().findChildren<QWidget*>()) {
        const bool is_control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                                qobject_cast<const QComboBox*>(widget) != nullptr ||
                                qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
                                qobject_cast<const QLineEdit*>(widget) != nullptr;
        if (!is_control || !widget->isVisible() || !widget->isEnabled()) continue;
        if (widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
        QVERIFY2((widget->focusPolicy() & Qt::TabFocus) != 0, qPrintable(describe(widget)));
        ++controls;
      }
    });
    QVERIFY(controls > 40);
  }

  /// A screen reader says every control: by its text, its label, its name or its tool tip.
  void everyControlHasAName() {
    std::set<QWidget*> seen;
    everywhere([&] {
      for (QWidget* control : controls()) {
        if (!seen.insert(control).second) continue;
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(control);
        const bool is_named =
            (interface != nullptr && !interface->text(QAccessible::Name).trimmed().isEmpty()) ||
            !control->toolTip().isEmpty();
        QVERIFY2(is_named, qPrintable(describe(control)));
      }
    });
    QVERIFY(seen.size() > 60);
  }

  /// Who goes through the window by Tab sees where they are.
  void theFocusIsVisible() {
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    std::set<QWidget*> seen;
    everywhere([&] {
      for (QWidget* control : controls()) {
        if (!control->isEnabled() || (control->focusPolicy() & Qt::TabFocus) == 0) continue;
        const auto* list = qobject_cast<QAbstractItemView*>(control);
        if (list != nullptr && list->model() != nullptr && list->model()->rowCount() == 0)
          continue;  // nothing to act on
        if (control->height() < 8 || seen.contains(control)) continue;
        window().setFocus(Qt::OtherFocusReason);
        QCoreApplication::processEvents();
        const QImage without = control->grab().toImage();
        control->setFocus(Qt::TabFocusReason);
        window().setAttribute(Qt::WA_KeyboardFocusChange);  // as the Tab key sets it
        if (!control->hasFocus()) continue;                 // behind a tab
        seen.insert(control);
        QCoreApplication::processEvents();
        QVERIFY2(control->grab().toImage() != without, qPrintable(describe(control)));
      }
    });
    QVERIFY(seen.size() > 40);
  }

  /// The Tab key follows the layout: top bar, steps, stage with each tile's buttons after its view,
  /// curves, inspector; in each from the top to the bottom. Also after tiles have come and gone.
  void tabFollowsTheLayout() {
    window().resize(1280, 800);
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    window().panels().open(QStringLiteral("measure"));
    const auto check = [this](std::size_t tiles) {
      WAIT_FOR(window().board().tiles().size() == tiles);
      QTest::qWait(100);
      std::vector<QWidget*> views;
      const std::vector<QWidget*> round = roundByTab();
      for (std::size_t i = 1; i < round.size(); ++i) {
        QVERIFY2(
            regionOf(round[i - 1]) <= regionOf(round[i]) && isReadAfter(round[i - 1], round[i]),
            qPrintable(describe(round[i]) + QStringLiteral(" after ") + describe(round[i - 1])));
      }
      for (QWidget* stop : round)
        if (qobject_cast<SliceView*>(stop) != nullptr) views.push_back(stop);
      QCOMPARE(views.size(), tiles);
      for (std::size_t i = 1; i < tiles; ++i)
        QVERIFY(isAfter(placeOf(views[i - 1]), placeOf(views[i])));
    };
    check(3);
    const RunSpec copy = w_->model().experiment().runs.front();
    w_->model().addRun(copy);
    w_->model().addRun(copy);
    check(5);
    w_->model().removeRun(w_->run(0));
    check(4);
  }

  /// The Tab key leads once round the window, past views, their buttons and tool bars, and at each
  /// stop something is seen that was not there before.
  void aRoundByTabShowsEveryStop() {
    window().resize(1280, 800);
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    window().panels().open(QStringLiteral("sinogram"));  // in front of the other tabs
    QCoreApplication::processEvents();
    window().setFocus(Qt::OtherFocusReason);
    std::set<QWidget*> stops;
    bool sees_view = false, sees_tool = false, sees_bar = false;
    QWidget* first = nullptr;
    for (int i = 0; i < 400; ++i) {
      const QImage before = window().grab().toImage();
      QTest::keyClick(window().focusWidget() != nullptr ? window().focusWidget() : &window(),
                      Qt::Key_Tab);
      QTest::qWait(5);
      QWidget* at = window().focusWidget();
      QVERIFY(at != nullptr);
      if (at == first) break;
      if (first == nullptr) first = at;
      stops.insert(at);
      const QRect place(at->mapTo(&window(), QPoint()), at->size());
      QVERIFY2(at->isVisible() && window().rect().intersects(place), qPrintable(describe(at)));
      QVERIFY2(window().grab().toImage() != before, qPrintable(describe(at)));
      sees_view = sees_view || qobject_cast<SliceView*>(at) != nullptr;
      sees_bar = sees_bar || qobject_cast<QToolBar*>(at->parentWidget()) != nullptr;
      sees_tool = sees_tool || at->parentWidget()->objectName() == QStringLiteral("tileTools");
    }
    QVERIFY(first != nullptr && window().focusWidget() == first);
    QVERIFY2(stops.size() > 25, qPrintable(QString::number(stops.size())));
    QVERIFY(sees_view && sees_tool && sees_bar);
  }
};

GANTRY_TEST(TestAccess)
#include "test_access.moc"
