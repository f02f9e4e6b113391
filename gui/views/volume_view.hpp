#pragma once

#include "gui/render/volume/volume_scene.hpp"
#include "gui/views/orbit_view.hpp"

#include <QTimer>

namespace gantry {

/// A volume with mouse and keys, as every view in space. While the clip box is shown, a drag of the
/// handle of a face moves the face. Where the processor draws, large volumes are averaged, and
/// pictures that follow each other quickly are coarser, as the view says; half a second later it is
/// drawn finely again.
class VolumeView : public OrbitView {
  Q_OBJECT
 public:
  explicit VolumeView(QWidget* parent = nullptr);
  ~VolumeView() override;

  const VolumeScene& volume() const { return scene_; }
  void setVolume(const ReducedVolume& volume);
  void setWindowLevel(double window, double level);
  void setMuWater(double mu_water);
  void setMode(VolumeMode mode);
  void setPreset(const std::string& key);
  void setTitle(const std::string& title);
  void setClip(const std::optional<ClipBox>& clip);
  void setClipShown(bool shown);
  void setCross(const std::optional<VolumeScene::Cross>& cross);

 signals:
  void clipDragged(const gantry::ClipBox& clip);
  void maximiseRequested();  ///< by a double click, as of a slice; R restores the first direction

 protected:
  void moved() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  void dragFace(QPointF at);

  VolumeScene& scene_;
  QTimer rest_;  // ends when the view has not changed for a while
  std::optional<ClipFace> face_;
  QPointF pressed_at_;
  ClipBox before_;
};

}  // namespace gantry
