#pragma once

#include "core/job/experiment.hpp"

#include <QFrame>

#include <vector>

class QLabel;

namespace gantry {

/// A small experiment that shows one thing, with what to look at.
struct Lesson {
  QString title, text;
  Experiment experiment;
};
std::vector<Lesson> lessons();

/// The strip of lessons under the toolbar: one click sets a lesson up and starts it.
class LessonStrip : public QFrame {
  Q_OBJECT
 public:
  explicit LessonStrip(QWidget* parent = nullptr);

  /// What to look at in the lesson that is open, until something else is.
  void showText(const QString& text);
  void clearText() { showText({}); }

 signals:
  void lessonChosen(const gantry::Lesson& lesson);
  void dismissed();

 private:
  QLabel* text_;
};

}  // namespace gantry
