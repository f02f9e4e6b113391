#pragma once

#include "tests/gui/window_fixture.hpp"

#include <QToolButton>
#include <QtTest>

namespace gantry::test {

/// A user of the window whose actions are counted: clicks, keys, drags, numbers that are typed, and
/// choices of files. Every gesture of a task whose actions have a limit goes through here.
class CountedUser {
 public:
  explicit CountedUser(MainWindow& window) : window_(window) {}

  int actions() const { return actions_; }

  void click(QWidget& widget, const QPoint& at) {
    ++actions_;
    QVERIFY2(widget.isVisible() && widget.isEnabled(), qPrintable(widget.objectName()));
    QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
  }
  void click(QWidget& widget) { click(widget, widget.rect().center()); }
  /// Clicks on the button of that text that can be seen.
  void click(const QString& text) {
    for (QToolButton* button : window_.findChildren<QToolButton*>())
      if (button->text() == text && button->isVisible()) return click(*button);
    QFAIL(qPrintable(text));
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    ++actions_;
    QTest::keyClick(&window_, key, modifiers);
  }
  /// Opens a file, as a drop or a choice in a dialog does.
  void open(const QString& path) {
    ++actions_;
    window_.open(path);
  }
  /// Does what has no gesture of its own here: a drag, a number that is typed, a file to choose.
  template <class Act>
  void does(const Act& act) {
    ++actions_;
    act();
  }

 private:
  MainWindow& window_;
  int actions_ = 0;
};

}  // namespace gantry::test
