#pragma once

#include "gui/worker/run_controller.hpp"

#include <QWidget>

#include <optional>

class QStackedLayout;
class QToolButton;

namespace gantry {

class ElidingLabel;
class Measurements;
class Preview;
class ProjectionBoard;
class Selection;
class ViewState;
class VolumeLook;
class VolumePlanes;

/// The workspace Data: what was opened, before anything is reconstructed from it. Of a measured
/// scan, or of a phantom, the projections; of a volume its planes, and the projections that are
/// simulated from it. A line above says what is shown, and what is missing.
class DataBoard : public QWidget {
  Q_OBJECT
 public:
  DataBoard(ExperimentModel& model, RunController& controller, ViewState& state,
            Selection& selection, Preview& preview, Measurements& measurements, VolumeLook& look,
            QWidget* parent = nullptr);

  ProjectionBoard& projections() const { return *projections_; }
  VolumePlanes& planes() const { return *planes_; }
  /// Returns the line above the pictures.
  QString text() const;

 signals:
  void readoutChanged(const QString& text);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void showPage(bool volume);
  void refresh();
  bool hasProjections() const;
  QString whyNoProjections() const;
  QString describeProjections() const;
  QString describeVolume() const;

  ExperimentModel& model_;
  RunController& controller_;
  VolumeLook& look_;
  ProjectionBoard* projections_;
  VolumePlanes* planes_;
  QStackedLayout* pages_;
  ElidingLabel* text_;
  QToolButton* volumeChoice_;
  QToolButton* projectionsChoice_;
  std::optional<Experiment> tried_;  // with the value of a slider that is dragged
};

}  // namespace gantry
