#pragma once

#include "gui/models/playhead.hpp"
#include "gui/models/selection.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

class QLabel;
class QToolButton;

namespace gantry {

/// Returns the run whose kept iterates the playhead steps through: the selected one, or, where it
/// keeps none, the first run of `ids` that does; else the selected one.
int run_of_playhead(const RunController& controller, const std::vector<int>& ids, int selected);

/// What the playhead shows, while it is not live: the iteration of the selected run, and buttons
/// that continue the run from there and that go back to the latest estimates.
class PlayheadBar : public QWidget {
  Q_OBJECT
 public:
  PlayheadBar(Playhead& playhead, RunController& controller, const Selection& selection,
              QWidget* parent = nullptr);

 private:
  void show();

  Playhead& playhead_;
  RunController& controller_;
  const Selection& selection_;
  QLabel* text_;
  QToolButton* goOn_;
};

}  // namespace gantry
