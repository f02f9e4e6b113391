#pragma once

#include <QFrame>
#include <QPointer>

#include <vector>

class QLabel;
class QPushButton;

namespace gantry {

/// A walk through the window: one part after the other is framed and explained. The window stays
/// usable meanwhile.
class Tour : public QFrame {
  Q_OBJECT
 public:
  struct Stop {
    QPointer<QWidget> target;
    QString title, text;
  };
  Tour(std::vector<Stop> stops, QWidget* window);

  void begin() { show(0); }
  int stopCount() const { return static_cast<int>(stops_.size()); }
  int currentStop() const { return current_; }

 signals:
  /// Just before a part is framed, so that it can be brought to the front.
  void stopShown(QWidget* target);

 public slots:
  void next();
  void back();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void show(int index);
  void place();

  std::vector<Stop> stops_;
  int current_ = 0;
  QWidget* frame_;  ///< drawn around the target
  QLabel* title_;
  QLabel* text_;
  QLabel* count_;
  QPushButton* back_;
  QPushButton* next_;
};

}  // namespace gantry
