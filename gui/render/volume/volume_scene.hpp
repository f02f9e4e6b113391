#pragma once

#include "charts/painting/painter.hpp"
#include "gui/render/orbit_camera.hpp"
#include "gui/render/scene.hpp"
#include "gui/render/volume/clip_box.hpp"
#include "gui/render/volume/reduced_volume.hpp"
#include "gui/render/volume/transfer_preset.hpp"

#include <vtkSmartPointer.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class vtkColorTransferFunction;
class vtkImageData;
class vtkPiecewiseFunction;
class vtkVolume;
class vtkVolumeMapper;

namespace gantry {

class OverlayProp;

/// How a volume is drawn.
enum class VolumeMode {
  shaded,   ///< colours and opacities of a TransferPreset, with light from the viewer
  maximum,  ///< the greatest value along each line of sight
  surface   ///< the surface where the values cross the level
};

/// What follows the rays through a volume. The program on the processor is the faster one where
/// OpenGL is software as well.
enum class RayCaster { graphics_card, processor };

/// A volume in space, seen from outside. While something moves (setMoving), one ray is cast for a
/// block of pixels where a picture would otherwise take too long; the scene says so.
class VolumeScene : public Scene {
 public:
  explicit VolumeScene(RayCaster caster);
  ~VolumeScene() override;

  /// Returns the number of voxels that this caster draws several times a second.
  static std::size_t mostVoxels(RayCaster caster);
  RayCaster caster() const { return caster_; }

  /// Shows a volume; one without values shows nothing. The camera, and a clip box, stay while the
  /// grid stays.
  void setVolume(const ReducedVolume& volume);
  const ReducedVolume& volume() const { return shown_; }
  /// Returns whether the picture changes.
  bool setWindowLevel(double window, double level);
  /// Sets the attenuation of water, 1/mm, from which presets in HU are computed.
  void setMuWater(double mu_water);
  void setMode(VolumeMode mode);
  VolumeMode mode() const { return mode_; }
  void setPreset(const std::string& key);
  const std::string& preset() const { return preset_; }
  const std::string& title() const { return title_; }
  /// Returns whether the title is another one.
  bool setTitle(const std::string& title) { return std::exchange(title_, title) != title; }

  /// Draws only what lies in a box; none: everything.
  void setClip(const std::optional<ClipBox>& clip);
  const std::optional<ClipBox>& clip() const { return clip_; }
  /// Returns the box that is drawn: the clip box, or that around the volume.
  const ClipBox& box() const { return clip_ ? *clip_ : whole_; }
  /// Shows the edges of the clip box and a handle on each face.
  void setClipShown(bool shown) { clip_shown_ = shown; }
  bool clipShown() const { return clip_shown_; }
  /// Returns the face whose handle is at a point of the view, if the box is shown.
  std::optional<ClipFace> faceAt(double x_px, double y_px) const;
  /// Returns how far, mm, a face moves along its axis for a move in the view.
  double faceMoveMm(const ClipFace& face, double dx_px, double dy_px) const;
  PointPx handleOf(const ClipFace& face) const;

  /// Shows three lines through a point, in the colours of the axial, coronal and sagittal plane.
  struct Cross {
    Vec3 at;
    std::array<Rgb, 3> colours;
    friend bool operator==(const Cross&, const Cross&) = default;
  };
  /// Returns whether the picture changes.
  bool setCross(const std::optional<Cross>& cross) { return std::exchange(cross_, cross) != cross; }

  /// Tells whether the picture changes many times a second.
  void setMoving(bool moving) { moving_ = moving; }
  bool moving() const { return moving_; }
  /// Tells the time that the latest picture took, ms, by which the next ones are adapted.
  void noteFrame(double ms);
  /// Returns the width of the block of pixels for which one ray is cast.
  int rayBlock() const { return ray_block_; }

  OrbitCamera& camera() { return camera_; }

  void prepare() override;

 private:
  void applyTransfer();
  void placeCamera();
  void chooseRays();
  void draw(Painter& painter) const;
  void drawClip(Painter& painter) const;
  std::string label() const;
  PointPx toDisplay(Vec3 at) const;

  RayCaster caster_;
  ReducedVolume shown_;
  ClipBox whole_;  // around the volume
  VolumeMode mode_ = VolumeMode::shaded;
  std::string preset_ = "window";
  double window_ = 0.04, level_ = 0.02, mu_water_ = 0.02;
  std::optional<ClipBox> clip_;
  bool clip_shown_ = false;
  std::optional<Cross> cross_;
  OrbitCamera camera_;
  std::string title_;
  bool moving_ = false;
  bool fresh_ = true;      // the next picture includes work that is done once
  int ray_block_ = 1;      // of the latest picture
  double ms_per_ray_ = 0;  // 0: not known
  vtkSmartPointer<vtkImageData> image_;
  vtkSmartPointer<vtkVolumeMapper> mapper_;
  vtkSmartPointer<vtkVolume> volume_;
  vtkSmartPointer<vtkColorTransferFunction> colour_;
  vtkSmartPointer<vtkPiecewiseFunction> opacity_;
  vtkSmartPointer<OverlayProp> labels_;
};

}  // namespace gantry
