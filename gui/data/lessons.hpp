#pragma once

#include "core/job/experiment.hpp"

#include <QFrame>

#include <vector>

class QLabel;

namespace gantry {

/// A small experiment that demonstrates one effect, with a text that says what to look at.
struct Lesson {
  QString title, text;
  Experiment experiment;
};
std::vector<Lesson> lessons();

/// The text of the open lesson, over the views.
class LessonStrip : public QFrame {
  Q_OBJECT
 public:
  explicit LessonStrip(QWidget* parent = nullptr);

  /// Shows what to look at in the open lesson, until other text is shown.
  void showText(const QString& text);
  void clearText() { showText({}); }
  /// Returns what showText() shows.
  QString text() const;
  /// Shows a formula, in HTML, above the text; an empty one hides it.
  void showFormula(const QString& formula);

 private:
  void show(QLabel* label, const QString& text);

  QLabel* formula_;
  QLabel* text_;
};

}  // namespace gantry
