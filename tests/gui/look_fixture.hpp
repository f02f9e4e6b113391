#pragma once

#include "gui/panels/panel_docks.hpp"
#include "tests/gui/window_fixture.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSlider>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

namespace gantry::test {

/// A window with a volume of several slices, so that no workspace is empty, and what tests of its
/// look ask of it.
struct LookFixture {
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
    for (const PanelSpec& spec : panel_list()) {
      window().panels().open(spec.key);
      QCoreApplication::processEvents();
      body();
    }
  }
  /// Calls body in every workspace, and with every panel of the inspector and of the track.
  void everywhere(const std::function<void()>& body) {
    for (const WindowLayout layout :
         {WindowLayout::data, WindowLayout::compare, WindowLayout::single, WindowLayout::space,
          WindowLayout::sweep, WindowLayout::present}) {
      window().applyLayout(layout);
      QCoreApplication::processEvents();
      body();
    }
    window().applyLayout(WindowLayout::compare);
    atEveryStep(body);
  }
  /// Controls that a user sees, but for those that Qt makes inside others.
  std::vector<QWidget*> controls() {
    std::vector<QWidget*> found;
    for (QWidget* widget : window().findChildren<QWidget*>()) {
      const bool is_control = qobject_cast<QAbstractButton*>(widget) != nullptr ||
                              qobject_cast<QComboBox*>(widget) != nullptr ||
                              qobject_cast<QAbstractSpinBox*>(widget) != nullptr ||
                              qobject_cast<QLineEdit*>(widget) != nullptr ||
                              qobject_cast<QPlainTextEdit*>(widget) != nullptr ||
                              qobject_cast<QAbstractItemView*>(widget) != nullptr ||
                              qobject_cast<QSlider*>(widget) != nullptr;
      const bool is_inner = widget->objectName().startsWith(QStringLiteral("qt_")) ||
                            qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                            qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr ||
                            qobject_cast<QLineEdit*>(widget->parentWidget()) != nullptr ||
                            widget->inherits("QComboBoxPrivateContainer") ||
                            widget->inherits("QHeaderView") || widget->inherits("QTabBar");
      if (is_control && !is_inner && widget->isVisible()) found.push_back(widget);
    }
    return found;
  }
  /// The colour behind a widget: that of the nearest one around it that fills its ground.
  static QColor groundOf(const QWidget* widget) {
    const bool is_field = qobject_cast<const QLineEdit*>(widget) != nullptr ||
                          qobject_cast<const QAbstractItemView*>(widget) != nullptr;
    if (is_field) return widget->palette().color(QPalette::Base);
    for (const QWidget* at = widget; at != nullptr; at = at->parentWidget())
      if (at->autoFillBackground() || at->isWindow()) return at->palette().color(QPalette::Window);
    return widget->palette().color(QPalette::Window);
  }
  static QString describe(const QWidget* widget) {
    QString path;
    for (; widget != nullptr; widget = widget->parentWidget())
      path += QStringLiteral("%1 \"%2\" < ")
                  .arg(QLatin1String(widget->metaObject()->className()), widget->objectName());
    return path;
  }

  void open() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    w_->openSpatial();
    WAIT_FOR(w_->isReady());
  }
  void close() {
    QApplication::setPalette(QPalette());
    w_.reset();
  }
};

}  // namespace gantry::test
