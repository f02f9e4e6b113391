#pragma once

#include "gui/render/volume_scene.hpp"
#include "gui/views/orbit_view.hpp"

namespace gantry {

/// A volume with mouse control: a drag rotates it, the wheel zooms, and a double click shows
/// everything from the first direction again. Where the CPU draws, large volumes are reduced, as
/// the view says.
class VolumeView : public OrbitView {
  Q_OBJECT
 public:
  explicit VolumeView(QWidget* parent = nullptr);
  ~VolumeView() override;

  const VolumeScene& volume() const { return scene_; }
  void setVolume(const VolumeGrid& grid, std::shared_ptr<const std::vector<float>> values);
  void setWindowLevel(double window, double level);
  void setMode(VolumeMode mode);
  void setTitle(const std::string& title);

 private:
  VolumeScene& scene_;
};

}  // namespace gantry
