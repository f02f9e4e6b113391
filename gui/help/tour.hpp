#pragma once

#include <QFrame>
#include <QPointer>

#include <vector>

class QLabel;
class QPushButton;

namespace gantry {

/// A guided tour of the window that frames and explains one part after the other. The window stays
/// usable during the tour.
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
  /// Emitted just before a part is framed, so that the part can be brought to the front.
  void stopShown(QWidget* target);

 public slots:
  void next();
  void back();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void show(int index);
  void moveToTarget();

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
