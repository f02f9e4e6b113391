#pragma once

#include "gui/models/playhead.hpp"
#include "gui/models/selection.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

class QLabel;
class QToolButton;

namespace gantry {

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
