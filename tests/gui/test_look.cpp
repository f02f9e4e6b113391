// How the window looks and is reached: dark palettes, icons, names for screen readers, keyboard.
#include "gui/panels/panel_docks.hpp"
#include "gui/panels/rail.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/icons.hpp"
#include "gui/widgets/palette.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QToolBar>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestLook : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  static QPalette dark() {
    QPalette palette;
    palette.setColor(QPalette::Window, QColor(45, 45, 48));
    palette.setColor(QPalette::Base, QColor(30, 30, 30));
    palette.setColor(QPalette::AlternateBase, QColor(38, 38, 41));
    palette.setColor(QPalette::Button, QColor(60, 60, 64));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
      palette.setColor(role, QColor(235, 235, 235));
    return palette;
  }
  /// WCAG 2.1: relative luminance, and the contrast of two colours.
  static double luminance(const QColor& colour) {
    const auto linear = [](double c) {
      return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
  }
  static double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
  }
  /// Opens every step, so that every form has been shown once; calls body with each.
  void atEveryStep(const std::function<void()>& body) {
    for (const PanelSpec& spec : panel_list())
      if (spec.place != PanelPlace::window) {
        window().panels().open(spec.key);
        QCoreApplication::processEvents();
        body();
      }
  }
  static QString describe(const QWidget* widget) {
    QString path;
    for (; widget != nullptr; widget = widget->parentWidget())
      path += QStringLiteral("%1 \"%2\" < ")
                  .arg(QLatin1String(widget->metaObject()->className()), widget->objectName());
    return path;
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    w_->openSmall();
    WAIT_FOR(w_->controller().data() != nullptr && !w_->controller().isPreparing());
  }
  void cleanup() {
    QApplication::setPalette(QPalette());
    w_.reset();
  }

  void chartsFollowADarkPalette() {
    QApplication::setPalette(dark());
    QCoreApplication::processEvents();
    QVERIFY(qGray(window().convergence().chart().grabImage(1).pixel(2, 2)) < 100);
  }

  /// Icons are drawn in the text colour of the palette in force, also if it changes afterwards.
  void iconsAreVisibleOnEveryGround() {
    const QIcon icon = lineIcon(QStringLiteral("stop"));
    QVERIFY(!icon.isNull());
    for (const QPalette& palette : {QPalette(), dark(), QPalette()}) {
      QApplication::setPalette(palette);
      const QColor ink = icon.pixmap(24, 24).toImage().pixelColor(12, 12);
      QVERIFY(contrast(ink, palette.color(QPalette::Window)) >= 4.5);
    }
    QVERIFY(lineIcon(QStringLiteral("no such icon")).isNull());
  }

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

  /// But for the tool bars, whose actions are in the menus as well.
  void everyControlIsReachedByTab() {
    int controls = 0;
    atEveryStep([&] {
      for (const QWidget* widget : window().findChildren<QWidget*>()) {
        const bool is_control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                                qobject_cast<const QComboBox*>(widget) != nullptr ||
                                qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
                                qobject_cast<const QLineEdit*>(widget) != nullptr;
        if (!is_control || !widget->isVisible() || !widget->isEnabled()) continue;
        if (qobject_cast<const QToolBar*>(widget->parentWidget()) != nullptr ||
            widget->objectName().startsWith(QStringLiteral("qt_")))
          continue;
        QVERIFY2((widget->focusPolicy() & Qt::TabFocus) != 0, qPrintable(describe(widget)));
        ++controls;
      }
    });
    QVERIFY(controls > 40);
  }

  void theHistogramSaysWhoseItIs() {
    window().panels().open(QStringLiteral("histogram"));
    const SliceTile* tile = window().board().activeTile();
    const ChartView* chart = window().findChild<HistogramPanel*>()->findChild<ChartView*>();
    WAIT_FOR(chart->chart().titleX().name == "μ of " + tile->title().toStdString());
  }

  void secondaryTextIsReadable() {
    for (const QPalette& palette : {QPalette(), dark()})
      QVERIFY(contrast(mutedText(palette), palette.color(QPalette::Window)) >= 4.5);
  }
};

GANTRY_TEST(TestLook)
#include "test_look.moc"
