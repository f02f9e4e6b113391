#pragma once

#include <QObject>
#include <QSet>
#include <QString>

namespace gantry {

class MainWindow;
class SliceView;

/// Measures what a user waits for at the start of the program, from the creation of the process on,
/// and prints it: the start page, or the first picture and, where runs compute, the first estimate
/// of a run. Then ends the program.
class StartTimer : public QObject {
  Q_OBJECT
 public:
  explicit StartTimer(MainWindow& window);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void watchViews();
  void lookAt(const SliceView& view);
  void report(const QString& what);

  MainWindow& window_;
  QSet<const SliceView*> watched_;
  bool hasPicture_ = false, isDone_ = false;
};

/// Returns the time since the process was created, s.
double process_age_s();

}  // namespace gantry
