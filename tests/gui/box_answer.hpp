#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QObject>
#include <QPushButton>
#include <QString>
#include <QTimer>

namespace gantry::test {

/// Answers the next question in a box of its own, which waits for the answer in an event loop: by
/// the button of this text, or, where the box has none, by closing it. Keeps what was asked.
class BoxAnswer : public QObject {
 public:
  explicit BoxAnswer(const QString& button) : button_(button) {
    connect(&timer_, &QTimer::timeout, this, &BoxAnswer::answer);
    timer_.start(20);
  }

  /// Returns the text of the box, and the texts of its buttons, each behind "|"; empty before.
  const QString& asked() const { return asked_; }
  /// Returns the text of the button that the return key presses.
  const QString& byReturn() const { return byReturn_; }

 private:
  void answer() {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr || !asked_.isEmpty()) return;
    asked_ = box->text();
    QAbstractButton* chosen = nullptr;
    for (QAbstractButton* one : box->buttons()) {
      const QString text = one->text().remove(QLatin1Char('&'));
      asked_ += QLatin1Char('|') + text;
      if (text == button_) chosen = one;
    }
    if (box->defaultButton() != nullptr)
      byReturn_ = box->defaultButton()->text().remove(QLatin1Char('&'));
    chosen != nullptr ? chosen->click() : box->reject();
  }

  QString button_, asked_, byReturn_;
  QTimer timer_;
};

}  // namespace gantry::test
