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

/// The sinogram as an image, views downwards and detector columns across: measured, computed from a
/// run's present estimate, or the residual. Shows one detector row at a time.
class SinogramPanel : public QWidget {
  Q_OBJECT
 public:
  SinogramPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                QWidget* parent = nullptr);

  /// Sets the run that the computed sinogram and the residual belong to.
  void setRun(int id);
  /// Returns whether the worker has to project the estimate for what is shown.
  bool wantsProjection() const;
  SliceView& view() { return *view_; }
  QString caption() const;

 signals:
  void wantsProjectionChanged();
  /// Emitted with the view under the mouse, for the sketch; -1: none.
  void viewHovered(int view);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum Mode { measured, computed, residual };
  /// What the picture was made of. The picture is made again only if this changes.
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
  QString whyEmpty() const;
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
  bool windowFollowsData_ = true;  ///< the window follows the data until the user changes it
};

}  // namespace gantry
