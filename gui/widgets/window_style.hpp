#pragma once

#include <QProxyStyle>

namespace gantry {

/// The style of the window: Qt's Fusion, with boxes for ticks whose frame is seen on every ground.
/// Fusion draws them in a shade of the window, which dark windows swallow; a control needs a
/// contrast of 3:1 against its ground (WCAG 2.1, 1.4.11). The palette of the program is made
/// readable, whatever the desktop has: see readablePalette().
class WindowStyle : public QProxyStyle {
 public:
  WindowStyle();

  using QProxyStyle::polish;
  using QProxyStyle::unpolish;
  void polish(QPalette& palette) override;
  void polish(QApplication* program) override;
  void unpolish(QApplication* program) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
};

}  // namespace gantry
