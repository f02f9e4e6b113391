#pragma once

#include "gui/render/slice_camera.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QSlider;

namespace gantry {

class SliceView;

/// The data as an image, views downwards and cells across: measured, computed from a run's present
/// estimate, or what is left between them. For several detector rows, one row at a time.
class SinogramPanel : public QWidget {
  Q_OBJECT
 public:
  SinogramPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                QWidget* parent = nullptr);

  /// The run that computed and residual are of.
  void setRun(int id);
  /// Whether the worker has to project the estimate for what is shown.
  bool wantsProjection() const;
  SliceView& view() { return *view_; }
  QString caption() const;

 signals:
  void wantsProjectionChanged();
  /// A view under the mouse, to be shown in the sketch; -1: none.
  void viewHovered(int view);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum Mode { measured, computed, residual };
  /// What the picture was made of: the same again needs no new one.
  struct Ingredients {
    const void* data = nullptr;
    const void* projection = nullptr;
    int mode = -1, row = -1, id = -1;
    friend bool operator==(const Ingredients&, const Ingredients&) = default;
  };
  Mode mode() const;
  void adoptData();
  void redraw();
  void readOut(const PointMm& at);
  std::shared_ptr<SliceImage> rowImage(const std::vector<float>& rays) const;

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  int id_ = -1;
  QComboBox* mode_;
  QSlider* row_;
  QLabel* rowLabel_;
  QLabel* readout_;
  SliceView* view_;
  std::shared_ptr<const SliceImage> shown_;
  Ingredients ingredients_;
  bool windowIsOurs_ = true;  ///< chosen from the data, not by the user
};

}  // namespace gantry
