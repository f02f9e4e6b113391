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
