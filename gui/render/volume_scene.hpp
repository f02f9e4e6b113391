#pragma once

#include "core/geometry/volume_grid.hpp"
#include "gui/render/orbit_camera.hpp"
#include "gui/render/scene.hpp"

#include <vtkSmartPointer.h>

#include <memory>
#include <string>
#include <vector>

class vtkColorTransferFunction;
class vtkImageData;
class vtkPiecewiseFunction;
class vtkSmartVolumeMapper;
class vtkVolume;

namespace gantry {

class OverlayProp;

/// How a volume is drawn.
enum class VolumeMode {
  shaded,   ///< opacity grows over the window, with light from the viewer
  maximum,  ///< the greatest value along each line of sight
  surface   ///< the surface where the values cross the level
};

/// A volume in space, seen from outside.
class VolumeScene : public Scene {
 public:
  /// Volumes of more voxels than this are averaged over blocks before they are drawn.
  explicit VolumeScene(std::size_t most_voxels);
  ~VolumeScene() override;

  /// Shows values, [iz][iy][ix], 1/mm, which must not change afterwards; null: nothing.
  void setVolume(const VolumeGrid& grid, std::shared_ptr<const std::vector<float>> values);
  void setWindowLevel(double window, double level);
  void setMode(VolumeMode mode);
  VolumeMode mode() const { return mode_; }
  void setTitle(const std::string& title) { title_ = title; }
  /// Returns the size of the blocks over which the volume is averaged; 1: it is shown as it is.
  int reduction() const { return reduction_; }

  OrbitCamera& camera() { return camera_; }

  void prepare() override;

 private:
  void applyTransfer();
  void placeCamera();

  std::size_t most_voxels_;
  VolumeGrid grid_;
  std::shared_ptr<const std::vector<float>> values_;  // that the image refers to
  VolumeMode mode_ = VolumeMode::shaded;
  double window_ = 0.04, level_ = 0.02;
  OrbitCamera camera_;
  int reduction_ = 1;
  std::string title_;
  vtkSmartPointer<vtkImageData> image_;
  vtkSmartPointer<vtkSmartVolumeMapper> mapper_;
  vtkSmartPointer<vtkVolume> volume_;
  vtkSmartPointer<vtkColorTransferFunction> colour_;
  vtkSmartPointer<vtkPiecewiseFunction> opacity_;
  vtkSmartPointer<OverlayProp> labels_;
};

/// Returns a volume averaged over blocks of n x n x n voxels, or fewer at the far borders, and its
/// grid.
std::pair<VolumeGrid, std::vector<float>> averaged(const VolumeGrid& grid,
                                                   const std::vector<float>& values, int n);

}  // namespace gantry
